import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '@linkoteca/embedded-postgres/start-embedded-postgres';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { findPostgres15 } from '@linkoteca/test-kit/find-postgres-15';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createDatabase, type Database } from '../../../kernel/database.ts';
import { createChangeFeed, type MeasuredChangeFeed } from './create-change-feed.ts';
import type { FeedLimits } from './feed-limits.ts';
import { recordFeed } from './test-support/record-feed.ts';
import { startSocketProxy } from './test-support/start-socket-proxy.ts';

const postgres15 = findPostgres15();
let database: ThrowawayDatabase;
let db: Database;

beforeAll(async () => {
  database = await createThrowawayDatabase();
  db = createDatabase({ ...database.authenticator, max: 2 });
  await run('create table public.things (id int primary key, body text)');
  await run('alter publication supabase_realtime add table public.things');
  await run(`create role mere_reader login`);
});
afterAll(async () => {
  await run(`drop role mere_reader`);
  await db.pool.end();
  await database.drop();
});

const run = (text: string, values: unknown[] = []) => database.admin.query(text, values);
const insert = (id: number) => run('insert into public.things values ($1)', [id]);
const countSlots = async () =>
  (await run('select from pg_replication_slots where database = current_database()')).rowCount;

type Wishes = {
  readonly connection?: pg.ClientConfig;
  readonly publications?: readonly string[];
  readonly limits?: Partial<FeedLimits>;
};

/** A feed that is stopped with its test, and what it logged. */
function openFeed({
  connection = database.connection,
  publications = ['supabase_realtime'],
  limits = {},
}: Wishes = {}) {
  const lines: { level: number; msg: string }[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const feed = createChangeFeed({ connection, publications, limits, db, logger, now: () => new Date() });
  onTestFinished(() => feed.stop());
  return { feed, lines, warnings: () => lines.filter(({ level }) => level >= 40).map(({ msg }) => msg) };
}

const idsOf = (heard: ReturnType<typeof recordFeed>) => heard.changes.map(({ row }) => row?.[0]);

async function isLiveAgain(feed: MeasuredChangeFeed, connections: number): Promise<void> {
  await expect.poll(() => feed.figures().connections, { timeout: 10_000 }).toBe(connections);
  await feed.whenLive(10_000);
}

describe('a feed', () => {
  it('asks nothing of the database until somebody listens, and rests when nobody has for a while', async () => {
    const { feed, warnings } = openFeed({ limits: { lingerMs: 50 } });
    expect(feed.isLive()).toBe(false);
    expect(await countSlots()).toBe(0);
    const first = recordFeed(feed);
    await feed.whenLive(10_000);
    await insert(100);
    await first.changesOf('things', 1);
    first.stop();
    await expect.poll(countSlots, { timeout: 5_000 }).toBe(0);
    expect(feed.isLive()).toBe(false);
    await insert(101);
    const second = recordFeed(feed);
    await feed.whenLive(10_000);
    await insert(102);
    await second.changesOf('things', 1);
    expect(idsOf(second)).toEqual(['102']);
    expect([...second.gaps, ...warnings()]).toEqual([]);
  });

  it('that is stopped leaves no slot behind, says no more and keeps nobody waiting', async () => {
    const { feed, warnings } = openFeed();
    const heard = recordFeed(feed);
    await feed.whenLive(10_000);
    expect(await countSlots()).toBe(1);
    await feed.stop();
    expect(await countSlots()).toBe(0);
    await insert(110);
    await expect(feed.whenLive(60_000)).rejects.toThrow('Realtime was unable to connect');
    await feed.stop();
    recordFeed(feed);
    expect(await countSlots()).toBe(0);
    expect([...heard.changes, ...heard.gaps, ...warnings()]).toEqual([]);
  });

  it('that is stopped while it connects leaves nothing behind either', async () => {
    const { feed, warnings } = openFeed();
    feed.listen({});
    const waiting = feed.whenLive(60_000);
    await Promise.all([expect(waiting).rejects.toThrow('Realtime was unable'), feed.stop()]);
    await expect.poll(countSlots).toBe(0);
    expect(warnings()).toEqual([]);
  });

  it('whose connection is ended by the server tells one gap once it is live again, and goes on', async () => {
    const { feed, lines, warnings } = openFeed();
    const heard = recordFeed(feed);
    await feed.whenLive(10_000);
    await insert(120);
    await heard.changesOf('things', 1);
    await run(
      `select pg_terminate_backend(active_pid) from pg_replication_slots where database = current_database()`,
    );
    await isLiveAgain(feed, 2);
    await insert(121);
    await heard.changesOf('things', 2);
    expect(idsOf(heard)).toEqual(['120', '121']);
    expect(heard.gaps).toEqual(['terminating connection due to administrator command']);
    expect(warnings()).toEqual(['the change feed lost its connection and opens it again']);
    expect(lines.map(({ msg }) => msg)).toContain('the change feed is live again');
    expect(await countSlots()).toBe(1);
  });

  it('whose network falls silent notices by itself', async () => {
    const proxy = await startSocketProxy(String(database.connection.host));
    onTestFinished(() => proxy.shut());
    const { feed } = openFeed({
      connection: { ...database.connection, host: proxy.host },
      limits: { silenceMs: 300 },
    });
    const heard = recordFeed(feed);
    await feed.whenLive(10_000);
    // A connection on which nothing happens is not a dead one.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(feed.figures().connections).toBe(1);
    proxy.freeze();
    await insert(130);
    await isLiveAgain(feed, 2);
    await insert(131);
    await heard.changesOf('things', 1);
    expect(idsOf(heard)).toEqual(['131']);
    expect(heard.gaps).toEqual(['Postgres has fallen silent']);
  });

  it('that falls too far behind lets go of the log and starts anew', async () => {
    const proxy = await startSocketProxy(String(database.connection.host));
    onTestFinished(() => proxy.shut());
    const { feed } = openFeed({
      connection: { ...database.connection, host: proxy.host },
      limits: { maxBacklogBytes: 1_000_000, backlogEveryMs: 50 },
    });
    const heard = recordFeed(feed);
    await feed.whenLive(10_000);
    proxy.slowDown(8_192);
    await run(`insert into public.things select n, repeat('x', 2000) from generate_series(10001, 13000) n`);
    await isLiveAgain(feed, 2);
    const late = heard.changes.length;
    expect(late).toBeLessThan(3_000);
    expect(heard.gaps).toEqual([expect.stringMatching(/^the change feed fell \d+ bytes behind$/)]);
    await insert(140);
    await heard.changesOf('things', late + 1);
    expect(idsOf(heard).slice(late)).toEqual(['140']);
  });

  it('waits for a database that is not there, and says so once', async () => {
    const proxy = await startSocketProxy(String(database.connection.host));
    await proxy.shut();
    onTestFinished(() => proxy.shut());
    const { feed, warnings } = openFeed({ connection: { ...database.connection, host: proxy.host } });
    const heard = recordFeed(feed);
    await expect(feed.whenLive(400)).rejects.toThrow(
      'Realtime was unable to connect to the project database',
    );
    await expect
      .poll(warnings, { timeout: 5_000 })
      .toEqual(['the change feed lost its connection and opens it again']);
    await proxy.open();
    await feed.whenLive(10_000);
    await insert(150);
    await heard.changesOf('things', 1);
    // Nothing had been promised yet, so nothing was missed.
    expect(heard.gaps).toEqual([]);
  });

  it('that has to wait for a transaction under way says so, can be stopped, and is live when that has ended', async () => {
    const client = await database.admin.connect();
    await client.query('begin; insert into public.things values (170)');
    const { feed, warnings } = openFeed({ limits: { slowStartMs: 50 } });
    const heard = recordFeed(feed);
    const impatient = openFeed();
    impatient.feed.listen({});
    await expect.poll(warnings).toEqual([expect.stringMatching(/^the change feed waits for transactions/)]);
    expect(feed.isLive()).toBe(false);
    await impatient.feed.stop();
    await client.query('commit');
    client.release();
    await feed.whenLive(10_000);
    await insert(171);
    await heard.changesOf('things', 1);
    expect(idsOf(heard)).toEqual(['171']);
    expect(heard.gaps).toEqual([]);
  });

  it('whose publication is dropped goes on with the others', async () => {
    await run('create table public.others (id int)');
    await run('create publication passing for table public.others');
    const { feed } = openFeed({ publications: ['passing', 'supabase_realtime'] });
    const heard = recordFeed(feed);
    await feed.whenLive(10_000);
    await run('insert into public.others values (1)');
    await heard.changesOf('others', 1);
    await run('drop publication passing');
    await insert(160);
    await expect.poll(() => heard.changes.length + heard.gaps.length, { timeout: 10_000 }).toBe(2);
    await feed.whenLive(10_000);
    await insert(161);
    await expect.poll(() => heard.changes.at(-1)?.row?.[0], { timeout: 10_000 }).toBe('161');
  });
});

describe('a database that is not set up for it', () => {
  it('because the role may not replicate: the operator is told what to do, once, and nobody waits in vain', async () => {
    const { feed, warnings } = openFeed({ connection: { ...database.connection, user: 'mere_reader' } });
    feed.listen({});
    await expect
      .poll(warnings, { timeout: 5_000 })
      .toEqual([
        'realtime does not hear changes: the role of DATABASE_URL may not replicate; as an administrator of that database run `alter role NAME replication`',
      ]);
    await expect(feed.whenLive(100)).rejects.toThrow(
      'Realtime was unable to connect to the project database',
    );
    expect(feed.figures()).toMatchObject({ live: false, connections: 0 });
  });

  it('because its publications are missing', async () => {
    const { feed, warnings } = openFeed({ publications: ["nobody's"] });
    feed.listen({});
    await expect
      .poll(warnings)
      .toEqual(['realtime does not hear changes: its publications are missing; run the migrations again']);
  });
});

describe('a Postgres of its own, the oldest there is', () => {
  const dataFolder = join(tmpdir(), `linkoteca-feed-${process.pid}-${Date.now()}`);
  const start = (settings: Record<string, string> = {}) =>
    startEmbeddedPostgres({
      dataFolder,
      durable: false,
      ...(postgres15 ? { binaries: postgres15 } : {}),
      settings: { synchronous_commit: 'on', ...settings },
    });
  let postgres: EmbeddedPostgres;
  let ask: (text: string) => Promise<pg.QueryResult>;

  beforeAll(async () => {
    // So little that the slot of a reader can be taken away.
    postgres = await start({ max_slot_wal_keep_size: '2MB' });
    ask = async (text) => {
      const client = new pg.Client(postgres.connection);
      client.on('error', () => undefined);
      await client.connect();
      return client.query(text).finally(() => client.end());
    };
    await ask(`create table things (id int primary key, body text); alter table things replica identity full;
      create table others (id int); create publication two for table others;
      create publication supabase_realtime for table things; create role mere_reader login`);
  });
  afterAll(async () => {
    await postgres.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  });

  it.runIf(postgres15)('of version 15 is heard as well, and a dropped publication is a gap', async () => {
    const { connection } = postgres;
    const { feed } = openFeed({ connection, publications: ['supabase_realtime', 'two', 'three'] });
    const heard = recordFeed(feed);
    await feed.whenLive(10_000);
    await ask(`insert into things values (91, 'a')`);
    await ask(`update things set body = null`);
    await ask('delete from things');
    await ask(`select pg_logical_emit_message(true, 'p', 'x')`);
    await expect.poll(() => heard.messages.length).toBe(1);
    expect(heard.changes.map(({ type, row, oldRow }) => [type, row, oldRow])).toEqual([
      ['INSERT', ['91', 'a'], null],
      ['UPDATE', ['91', null], ['91', 'a']],
      ['DELETE', null, ['91', null]],
    ]);
    await ask('drop publication two');
    await ask('insert into things values (92)');
    await isLiveAgain(feed, 2);
    await ask('insert into things values (93)');
    await expect.poll(() => idsOf(heard).at(-1), { timeout: 10_000 }).toBe('93');
    expect(heard.gaps).toEqual(['publication "two" does not exist']);
    const reader = openFeed({ connection: { ...connection, user: 'mere_reader' } });
    reader.feed.listen({});
    await expect.poll(reader.warnings).toEqual([expect.stringContaining('may not replicate')]);
  });

  it('that is killed and comes back: one gap, then changes go on', async () => {
    const { feed } = openFeed({ connection: postgres.connection });
    const heard = recordFeed(feed);
    await feed.whenLive(10_000);
    await ask('insert into things values (1)');
    await heard.changesOf('things', 1);
    const { rows } = await ask(`select pg_read_file('postmaster.pid') as file`);
    process.kill(Number(rows[0].file.split('\n')[0]), 'SIGKILL');
    await isLiveAgain(feed, 2);
    await ask('insert into things values (2)');
    await heard.changesOf('things', 2);
    expect(idsOf(heard)).toEqual(['1', '2']);
    expect(heard.gaps).toHaveLength(1);
  });

  it('that takes the slot away: one gap, as soon as a new slot can be had', async () => {
    const { feed } = openFeed({ connection: postgres.connection });
    const heard = recordFeed(feed);
    await feed.whenLive(10_000);
    // A transaction that stays open makes the slot keep the log from its beginning on.
    const client = new pg.Client(postgres.connection);
    client.on('error', () => undefined);
    await client.connect();
    await client.query('begin; insert into things values (3)');
    for (let round = 0; round < 6; round += 1) {
      await ask(`select pg_logical_emit_message(false, 'ballast', repeat('x', 1000000)), pg_switch_wal()`);
      await ask('checkpoint');
    }
    await expect.poll(feed.isLive, { timeout: 10_000 }).toBe(false);
    await client.query('commit');
    await client.end();
    await isLiveAgain(feed, 2);
    await ask('insert into things values (4)');
    await expect.poll(() => idsOf(heard).at(-1), { timeout: 10_000 }).toBe('4');
    expect(heard.gaps).toHaveLength(1);
  });

  it('is not kept from shutting down, and one that writes too little log says what is missing', async () => {
    const first = openFeed({ connection: postgres.connection });
    first.feed.listen({});
    await first.feed.whenLive(10_000);
    await ask('insert into things values (5)');
    const before = performance.now();
    await postgres.stop();
    // A Postgres that waits for a confirmation it never gets takes 20 s.
    expect(performance.now() - before).toBeLessThan(10_000);
    await first.feed.stop();
    postgres = await start({ wal_level: 'replica' });
    const { feed, warnings } = openFeed({ connection: postgres.connection });
    feed.listen({});
    await expect
      .poll(warnings, { timeout: 5_000 })
      .toEqual([
        'realtime does not hear changes: the database does not write what is needed; set wal_level = logical and restart it',
      ]);
    expect((await ask('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });
});
