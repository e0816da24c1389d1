import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '@linkoteca/embedded-postgres/start-embedded-postgres';
import { findEarlierPostgres } from '@linkoteca/test-kit/find-earlier-postgres';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createDatabase, type Database } from '../../../kernel/database.ts';
import type { ChangeFeedOptions } from './create-change-feed.ts';
import { openWatchedFeed, recordFeed, type WatchedFeed } from './test-support/start-test-feed.ts';

const postgres15 = findEarlierPostgres(15);
const idsOf = (received: ReturnType<typeof recordFeed>) => received.changes.map(({ row }) => row?.[0]);

describe('a Postgres of its own, the oldest there is', () => {
  const dataFolder = join(tmpdir(), `linkoteca-feed-${process.pid}-${Date.now()}`);
  const start = (settings: Record<string, string> = {}) =>
    startEmbeddedPostgres({
      dataFolder,
      durable: false,
      ...(postgres15 ? { binaries: postgres15 } : {}),
      settings: { synchronous_commit: 'on', ...settings },
    });
  // So little that the slot of a reader can be taken away.
  const startSmall = () => start({ max_slot_wal_keep_size: '2MB' });
  let postgres: EmbeddedPostgres;
  let db: Database;
  let ask: (text: string) => Promise<pg.QueryResult>;

  beforeAll(async () => {
    postgres = await startSmall();
    db = createDatabase({ ...postgres.connection, max: 1 });
    ask = async (text) => {
      const client = new pg.Client(postgres.connection);
      client.on('error', () => undefined);
      await client.connect();
      return client.query(text).finally(() => client.end());
    };
    await ask(`create table things (id int primary key, body text); alter table things replica identity full;
      create table others (id int);
      create publication supabase_realtime for table things; create role mere_reader login`);
  });
  beforeEach(() => ask('truncate things'));
  afterAll(async () => {
    await db.pool.end();
    await postgres.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  });

  function openFeed(wishes: Partial<ChangeFeedOptions> = {}): WatchedFeed {
    const defaults = { connection: postgres.connection, publications: ['supabase_realtime'] };
    return openWatchedFeed({ ...defaults, ...wishes, db });
  }

  it.runIf(postgres15)('of version 15 is heard as well, and a dropped publication is a gap', async () => {
    await ask('create publication two for table others');
    const { feed, isLiveAgain } = openFeed({ publications: ['supabase_realtime', 'two', 'three'] });
    const received = recordFeed(feed);
    await feed.whenLive(20_000);
    await ask(`insert into things values (91, 'a')`);
    await ask(`update things set body = null`);
    await ask('delete from things');
    await ask(`select pg_logical_emit_message(true, 'p', 'x')`);
    await expect.poll(() => received.messages.length).toBe(1);
    expect(received.changes.map(({ type, row, oldRow }) => [type, row, oldRow])).toEqual([
      ['INSERT', ['91', 'a'], null],
      ['UPDATE', ['91', null], ['91', 'a']],
      ['DELETE', null, ['91', null]],
    ]);
    await ask('drop publication two');
    await ask('insert into things values (92)');
    await isLiveAgain(2);
    await ask('insert into things values (93)');
    await expect.poll(() => idsOf(received).at(-1)).toBe('93');
    expect(received.gaps).toEqual(['publication "two" does not exist']);
    const reader = openFeed({ connection: { ...postgres.connection, user: 'mere_reader' } });
    reader.feed.listen({});
    await expect.poll(reader.warnings).toEqual([expect.stringContaining('may not replicate')]);
  });

  it('whose log has a commit that nobody can read yet: it is told once it can be read', async () => {
    const { feed } = openFeed();
    const received = recordFeed(feed);
    await feed.whenLive(20_000);
    const setStandbys = async (names: string) => {
      await ask(`alter system set synchronous_standby_names = '${names}'`);
      await ask('select pg_reload_conf()');
      const shown = async () =>
        (await ask('show synchronous_standby_names')).rows[0].synchronous_standby_names;
      await expect.poll(shown).toBe(names);
    };
    await setStandbys('not_there');
    const committed = ask('insert into things values (1)');
    try {
      await expect.poll(() => feed.figures().changes, { interval: 1 }).toBe(1);
      expect(received.changes).toEqual([]);
      expect((await ask('select * from things')).rows).toEqual([]);
    } finally {
      await setStandbys('');
    }
    await committed;
    expect(await received.changesOf('things', 1)).toHaveLength(1);
  });

  it('that is killed and comes back: one gap, then changes go on', async () => {
    const { feed, isLiveAgain } = openFeed();
    const received = recordFeed(feed);
    await feed.whenLive(20_000);
    await ask('insert into things values (1)');
    await received.changesOf('things', 1);
    const { rows } = await ask(`select pg_read_file('postmaster.pid') as file`);
    process.kill(Number(rows[0].file.split('\n')[0]), 'SIGKILL');
    await isLiveAgain(2);
    await ask('insert into things values (2)');
    await received.changesOf('things', 2);
    expect(idsOf(received)).toEqual(['1', '2']);
    expect(received.gaps).toHaveLength(1);
  });

  it('that takes the slot away: one gap, as soon as a new slot can be had', async () => {
    const { feed, isLiveAgain } = openFeed();
    const received = recordFeed(feed);
    await feed.whenLive(20_000);
    // A transaction that stays open makes the slot keep the log from its beginning on.
    const client = new pg.Client(postgres.connection);
    client.on('error', () => undefined);
    await client.connect();
    await client.query('begin; insert into things values (3)');
    for (let round = 0; round < 6; round += 1) {
      await ask(`select pg_logical_emit_message(false, 'ballast', repeat('x', 1000000)), pg_switch_wal()`);
      await ask('checkpoint');
    }
    await expect.poll(feed.isLive).toBe(false);
    await client.query('commit');
    await client.end();
    await isLiveAgain(2);
    await ask('insert into things values (4)');
    await expect.poll(() => idsOf(received).at(-1)).toBe('4');
    expect(received.gaps).toHaveLength(1);
  });

  it('is not kept from shutting down, and one that writes too little log says what is missing', async () => {
    const first = openFeed();
    first.feed.listen({});
    await first.feed.whenLive(20_000);
    await ask('insert into things values (5)');
    const before = performance.now();
    await postgres.stop();
    // A Postgres that waits for a confirmation it never gets takes 20 s.
    expect(performance.now() - before).toBeLessThan(10_000);
    await first.feed.stop();
    postgres = await start({ wal_level: 'replica' });
    onTestFinished(async () => {
      await postgres.stop();
      postgres = await startSmall();
    });
    const { feed, warnings } = openFeed();
    feed.listen({});
    await expect
      .poll(warnings)
      .toEqual([
        'realtime does not hear changes: the database does not write what is needed; set wal_level = logical and restart it',
      ]);
    expect((await ask('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });
});
