import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createDatabase, type Database } from '../../../kernel/database.ts';
import type { FeedLimits } from './change-feed.ts';
import { startSocketProxy } from './test-support/start-socket-proxy.ts';
import { openWatchedFeed, recordFeed, type WatchedFeed } from './test-support/start-test-feed.ts';

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

function openFeed({ limits = {}, ...wishes }: Wishes = {}): WatchedFeed {
  const defaults = { connection: database.connection, publications: ['supabase_realtime'] };
  return openWatchedFeed({ ...defaults, ...wishes, limits, db });
}

const idsOf = (received: ReturnType<typeof recordFeed>) => received.changes.map(({ row }) => row?.[0]);

describe('a feed', () => {
  it('asks nothing of the database until somebody listens, and rests when nobody has for a while', async () => {
    const { feed, warnings } = openFeed({ limits: { lingerMs: 50 } });
    expect(feed.isLive()).toBe(false);
    // That of the test before may still be going.
    await expect.poll(countSlots).toBe(0);
    const first = recordFeed(feed);
    await feed.whenLive(20_000);
    await insert(100);
    await first.changesOf('things', 1);
    first.stop();
    await expect.poll(countSlots).toBe(0);
    expect(feed.isLive()).toBe(false);
    await insert(101);
    const second = recordFeed(feed);
    await feed.whenLive(20_000);
    await insert(102);
    await second.changesOf('things', 1);
    expect(idsOf(second)).toEqual(['102']);
    expect([...second.gaps, ...warnings()]).toEqual([]);
  });

  it('that is stopped leaves no slot behind, says no more and keeps nobody waiting', async () => {
    const { feed, warnings } = openFeed();
    const received = recordFeed(feed);
    await feed.whenLive(20_000);
    await expect.poll(countSlots).toBe(1);
    await feed.stop();
    await expect.poll(countSlots).toBe(0);
    await insert(110);
    await expect(feed.whenLive(60_000)).rejects.toThrow('Realtime was unable to connect');
    await feed.stop();
    recordFeed(feed);
    await expect.poll(countSlots).toBe(0);
    expect([...received.changes, ...received.gaps, ...warnings()]).toEqual([]);
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
    const { feed, lines, warnings, isLiveAgain } = openFeed();
    const received = recordFeed(feed);
    await feed.whenLive(20_000);
    await insert(120);
    await received.changesOf('things', 1);
    await run(
      `select pg_terminate_backend(active_pid) from pg_replication_slots where database = current_database()`,
    );
    await isLiveAgain(2);
    await insert(121);
    await received.changesOf('things', 2);
    expect(idsOf(received)).toEqual(['120', '121']);
    // Postgres says so, unless our next word to it meets the closed connection first.
    expect(received.gaps).toEqual([
      expect.stringMatching(/^(terminating connection due to administrator command|write EPIPE)$/),
    ]);
    expect(warnings()).toEqual(['the change feed lost its connection and opens it again']);
    expect(lines.map(({ msg }) => msg)).toContain('the change feed is live again');
    await expect.poll(countSlots).toBe(1);
  });

  it('whose network falls silent notices by itself', async () => {
    const proxy = await startSocketProxy(String(database.connection.host));
    onTestFinished(() => proxy.shut());
    const { feed, isLiveAgain } = openFeed({
      connection: { ...database.connection, host: proxy.host },
      limits: { silenceMs: 3_000 },
    });
    const received = recordFeed(feed);
    await feed.whenLive(20_000);
    // A connection on which nothing happens is not a dead one.
    await new Promise((resolve) => setTimeout(resolve, 7_000));
    expect(feed.figures().connections).toBe(1);
    proxy.freeze();
    await insert(130);
    await isLiveAgain(2);
    await insert(131);
    await received.changesOf('things', 1);
    expect(idsOf(received)).toEqual(['131']);
    expect(received.gaps).toEqual(['Postgres has fallen silent']);
  });

  it('that falls too far behind lets go of the log and starts anew', async () => {
    const proxy = await startSocketProxy(String(database.connection.host));
    onTestFinished(() => proxy.shut());
    const { feed, isLiveAgain } = openFeed({
      connection: { ...database.connection, host: proxy.host },
      // The whole cluster's log counts, and other tests write 8 MB of it for each database of theirs.
      limits: { maxBacklogBytes: 32_000_000, backlogEveryMs: 50 },
    });
    const received = recordFeed(feed);
    await feed.whenLive(20_000);
    proxy.slowDown(8_192);
    // A commit each: what is not committed yet is read and confirmed while it is written, so one slow insert leaves too little.
    for (let first = 10_001; first < 30_000; first += 1_000)
      await run(
        `insert into public.things select n, repeat('x', 2000) from generate_series($1::int, $1 + 999) n`,
        [first],
      );
    await isLiveAgain(2);
    await insert(140);
    await expect.poll(() => idsOf(received).at(-1)).toBe('140');
    expect(received.changes.length).toBeLessThan(20_000);
    expect(received.gaps).toEqual([expect.stringMatching(/^the change feed fell \d+ bytes behind$/)]);
  });

  it('waits for a database that is not there, and says so once', async () => {
    const proxy = await startSocketProxy(String(database.connection.host));
    await proxy.shut();
    onTestFinished(() => proxy.shut());
    const { feed, warnings } = openFeed({ connection: { ...database.connection, host: proxy.host } });
    const received = recordFeed(feed);
    await expect(feed.whenLive(400)).rejects.toThrow(
      'Realtime was unable to connect to the project database',
    );
    await expect.poll(warnings).toEqual(['the change feed lost its connection and opens it again']);
    await proxy.open();
    await feed.whenLive(20_000);
    await insert(150);
    await received.changesOf('things', 1);
    // Nothing had been promised yet, so nothing was missed.
    expect(received.gaps).toEqual([]);
  });

  it('that has to wait for a transaction under way says so, can be stopped, and is live when that has ended', async () => {
    const client = await database.admin.connect();
    await client.query('begin; insert into public.things values (170)');
    const { feed, warnings } = openFeed({ limits: { slowStartMs: 50 } });
    const received = recordFeed(feed);
    const impatient = openFeed();
    impatient.feed.listen({});
    await expect.poll(warnings).toEqual([expect.stringMatching(/^the change feed waits for transactions/)]);
    expect(feed.isLive()).toBe(false);
    await impatient.feed.stop();
    await client.query('commit');
    client.release();
    await feed.whenLive(20_000);
    await insert(171);
    await received.changesOf('things', 1);
    expect(idsOf(received)).toEqual(['171']);
    expect(received.gaps).toEqual([]);
  });

  it('whose publication is dropped goes on with the others', async () => {
    await run('create table public.others (id int)');
    await run('create publication passing for table public.others');
    const { feed } = openFeed({ publications: ['passing', 'supabase_realtime'] });
    const received = recordFeed(feed);
    await feed.whenLive(20_000);
    await run('insert into public.others values (1)');
    await received.changesOf('others', 1);
    await run('drop publication passing');
    await insert(160);
    // Before version 18 Postgres ends the connection here: there it is a gap.
    await received.changesOf('things', 1);
    expect(idsOf(received)).toEqual(['1', '160']);
    expect(received.gaps).toEqual([]);
  });
});

describe('a database that is not set up for it', () => {
  it('because the role may not replicate: the operator is told what to do, once, and nobody waits in vain', async () => {
    const { feed, warnings } = openFeed({ connection: { ...database.connection, user: 'mere_reader' } });
    feed.listen({});
    await expect
      .poll(warnings)
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
