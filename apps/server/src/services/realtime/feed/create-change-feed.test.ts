import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { registerFeedMetrics } from '../realtime-metrics.ts';
import { recordFeed, startTestFeed, type TestFeed } from './test-support/start-test-feed.ts';

let test: TestFeed;
beforeAll(async () => {
  test = await startTestFeed();
});
afterAll(() => test.close());

const run = (text: string, values: unknown[] = []) => test.admin.query(text, values);
const record = () => test.record();

describe('transactions', () => {
  it('of many writers come one after the other in the order of their commits', async () => {
    await test.createTable('busy', 'writer int, round int, part int');
    const received = record();
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let round = 0; round < 25; round += 1)
          await run('insert into public.busy select $1::int, $2::int, part from generate_series(1, 3) part', [
            writer,
            round,
          ]);
      }),
    );
    const changes = await received.changesOf('busy', 600);
    await expect.poll(() => received.commits.length).toBeGreaterThanOrEqual(200);
    const lsns = changes.map(({ commitLsn }) => commitLsn);
    for (let at = 0; at < changes.length; at += 3) {
      const parts = changes.slice(at, at + 3);
      expect(new Set(parts.map(({ row }) => `${row?.[0]}/${row?.[1]}`)).size).toBe(1);
      expect(new Set(parts.map(({ commitLsn }) => commitLsn)).size).toBe(1);
      expect(parts.map(({ row }) => row?.[2])).toEqual(['1', '2', '3']);
    }
    expect(lsns.every((lsn, at) => at === 0 || lsn >= (lsns[at - 1] ?? 0n))).toBe(true);
    expect(received.commits.map(({ lsn }) => lsn)).toEqual([...new Set(lsns)]);
    expect(received.commits.map(({ received: count }) => count % 3)).toEqual(received.commits.map(() => 0));
    for (let writer = 0; writer < 8; writer += 1) {
      const rounds = changes.filter(({ row }) => row?.[0] === `${writer}`).map(({ row }) => Number(row?.[1]));
      expect(rounds).toEqual(rounds.toSorted((a, b) => a - b));
    }
  });

  it('tell when they were committed', async () => {
    await test.createTable('timed', 'id int');
    const received = record();
    const before = Date.now();
    await run('insert into public.timed values (1)');
    const [change] = await received.changesOf('timed', 1);
    expect(change?.committedAt.getTime()).toBeGreaterThanOrEqual(before - 1);
    expect(change?.committedAt.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('of a hundred thousand rows pass without piling up here, and Postgres lets go of its log', async () => {
    await test.createTable('crowd', 'id int primary key, body text', 'full');
    let count = 0;
    let inOrder = true;
    let kept = 0;
    const before = measureMemory();
    const stop = test.feed.listen({
      change({ table, row }) {
        if (table.name !== 'crowd') return;
        count += 1;
        inOrder &&= row?.[0] === `${count}`;
        if (count === 90_000) kept = measureMemory() - before;
      },
    });
    onTestFinished(stop);
    await run(`insert into public.crowd select n, repeat('x', 200) from generate_series(1, 100000) n`);
    await expect.poll(() => count, { timeout: 25_000 }).toBe(100_000);
    expect(inOrder).toBe(true);
    // 90,000 rows that somebody held on to would be over 30 MB.
    expect(kept).toBeLessThan(15_000_000);
    await expect.poll(readBacklog).toBeLessThan(1_000_000);
  });
});

/** What is in use once everything that nobody needs any more has gone, in bytes. */
function measureMemory(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** What Postgres keeps for the feed, in bytes. */
async function readBacklog(): Promise<number> {
  const { rows } = await run(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn)::int as bytes
     from pg_replication_slots where database = current_database()`,
  );
  return rows[0]?.bytes;
}

describe('messages', () => {
  const emit = (transactional: boolean, prefix: string, content: Buffer, end = 'commit') =>
    test.admin.connect().then(async (client) => {
      await client.query('begin');
      await client.query('select pg_logical_emit_message($1, $2, $3::bytea)', [
        transactional,
        prefix,
        content,
      ]);
      await client.query(end);
      client.release();
    });

  it('come with their bytes, in their turn; those of a rolled back transaction do not', async () => {
    const received = record();
    const bytes = randomBytes(70_000);
    await emit(true, 'undone', bytes, 'rollback');
    await emit(true, 'first', bytes);
    await emit(true, 'second', Buffer.alloc(0));
    await expect.poll(() => received.messages.length).toBe(2);
    expect(received.messages.map(({ prefix }) => prefix)).toEqual(['first', 'second']);
    // Looked at after more has come through the same buffers.
    expect(received.messages[0]?.content.equals(bytes)).toBe(true);
    expect(received.messages[1]?.content).toHaveLength(0);
  });

  it('outside transactions come too', async () => {
    const received = record();
    await emit(false, 'loose', Buffer.from('á'));
    await expect.poll(() => received.messages.map(({ prefix }) => prefix)).toEqual(['loose']);
  });
});

describe('listeners', () => {
  it('that throw spoil nothing for the others', async () => {
    await test.createTable('rude', 'id int');
    onTestFinished(
      test.feed.listen({
        change: () => {
          throw new Error('rude');
        },
      }),
    );
    const received = record();
    await run('insert into public.rude values (1)');
    await run('insert into public.rude values (2)');
    expect(await received.changesOf('rude', 2)).toHaveLength(2);
    expect(test.feed.isLive()).toBe(true);
  });

  it('that have gone hear nothing more', async () => {
    await test.createTable('left_alone', 'id int');
    const gone = recordFeed(test.feed);
    gone.stop();
    const received = record();
    await run('insert into public.left_alone values (1)');
    await received.changesOf('left_alone', 1);
    expect(gone.changes).toEqual([]);
  });

  it('that are slow miss nothing', async () => {
    await test.createTable('slow', 'id int');
    const ids: (string | null | undefined)[] = [];
    const stop = test.feed.listen({
      change({ table, row }) {
        const until = performance.now() + 5;
        while (performance.now() < until);
        if (table.name === 'slow') ids.push(row?.[0]);
      },
    });
    onTestFinished(stop);
    for (let id = 0; id < 50; id += 1) await run('insert into public.slow values ($1)', [id]);
    await expect.poll(() => ids).toEqual(Array.from({ length: 50 }, (_, id) => `${id}`));
  });
});

describe('the log', () => {
  it('is let go of even while only unheard tables change', async () => {
    await run('create table public.unheard (body text)');
    await run(`insert into public.unheard select repeat('x', 1000) from generate_series(1, 5000)`);
    await expect.poll(readBacklog).toBeLessThan(100_000);
  });

  it('is read by every copy of the server on its own', async () => {
    await test.createTable('copied', 'id int');
    const other = test.openCopy();
    const records = [record(), recordFeed(other)];
    await other.whenLive(20_000);
    await run('insert into public.copied values (1)');
    for (const received of records) expect(await received.changesOf('copied', 1)).toHaveLength(1);
    const slots = () =>
      run(`select slot_name from pg_replication_slots where database = current_database() and temporary`);
    expect((await slots()).rowCount).toBe(2);
    await other.stop();
    await expect.poll(async () => (await slots()).rowCount).toBe(1);
  });

  it('is measured', async () => {
    await test.createTable('counted', 'id int');
    const before = test.feed.figures();
    const received = record();
    await run('insert into public.counted values (1), (2)');
    await received.changesOf('counted', 2);
    await expect.poll(() => test.feed.figures().commits).toBe(before.commits + 1);
    const { live, changes, connections, lagMs } = test.feed.figures();
    expect({ live, changes, connections }).toEqual({
      live: true,
      changes: before.changes + 2,
      connections: 1,
    });
    expect(lagMs).toBeLessThan(5_000);
    const registry = new Registry();
    registerFeedMetrics(registry, test.feed.figures);
    for (let look = 0; look < 2; look += 1) {
      const text = await registry.metrics();
      expect(text).toContain(`linkoteca_realtime_feed_live 1`);
      expect(text).toContain(`linkoteca_realtime_feed_changes_total ${test.feed.figures().changes}\n`);
    }
  });
});

it('names its connection, so that an operator finds it', async () => {
  const client = new pg.Client(test.connection);
  await client.connect();
  const names = async () => {
    const { rows } = await client.query(
      `select application_name, state from pg_stat_replication where application_name like 'linkoteca%'`,
    );
    return rows;
  };
  // A feed that has just begun catches up first.
  await expect.poll(names).toContainEqual({ application_name: 'linkoteca change feed', state: 'streaming' });
  await client.end();
});
