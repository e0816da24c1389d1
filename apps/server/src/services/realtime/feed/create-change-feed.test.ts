import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import pg from 'pg';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../../../kernel/create-logger.ts';
import { createDatabase, type Database } from '../../../kernel/database.ts';
import { createChangeFeed, type MeasuredChangeFeed } from './create-change-feed.ts';
import { registerFeedMetrics } from './register-feed-metrics.ts';
import { type FeedRecord, recordFeed } from './test-support/record-feed.ts';

const HABITS =
  '-c timezone=Asia/Tokyo -c datestyle=sql,dmy -c bytea_output=escape -c intervalstyle=sql_standard -c extra_float_digits=-3';
let database: ThrowawayDatabase;
let db: Database;
let feed: MeasuredChangeFeed;

beforeAll(async () => {
  database = await createThrowawayDatabase();
  db = createDatabase({ ...database.authenticator, max: 2 });
  feed = createChangeFeed({
    // Habits of a role or a database must not show in the values.
    connection: { ...database.connection, options: HABITS },
    publications: ['supabase_realtime', 'nobody_made_this'],
    db,
    logger: createLogger('silent'),
    now: () => new Date(),
  });
  feed.listen({});
  await feed.whenLive(10_000);
});
afterAll(async () => {
  await feed.stop();
  await db.pool.end();
  await database.drop();
});

const run = (text: string, values: unknown[] = []) => database.admin.query(text, values);

function record(): FeedRecord {
  const heard = recordFeed(feed);
  onTestFinished(heard.stop);
  return heard;
}

/** A published table of the test's own. */
async function createTable(name: string, columns: string, identity = 'default'): Promise<void> {
  await run(`create table public.${name} (${columns})`);
  await run(`alter table public.${name} replica identity ${identity}`);
  await run(`alter publication supabase_realtime add table public.${name}`);
}

describe('rows', () => {
  it('come with every value as Postgres writes it, and null where there is none', async () => {
    const values: Record<string, string> = {
      id: `7::bigint`,
      small: `-3::smallint`,
      exact: `12345678901234567890.12345::numeric`,
      float: `0.1::float8`,
      endless: `'Infinity'::float8`,
      yes: `true`,
      words: `'ação 😀 " '' \\ {}'::text`,
      nothing: `null::text`,
      empty: `''::text`,
      uuid: `'4b7b0d3c-93a4-4f2e-9f3a-1f6a2c4d5e6f'::uuid`,
      at: `'2026-11-21 20:33:56.123456+00'::timestamptz`,
      day: `'2026-02-28'::date`,
      json: `'{"a": [1, null, "é"]}'::jsonb`,
      list: `array['a,b', null, '"c"']::text[]`,
      bytes: `'\\x00ff10'::bytea`,
      span: `interval '1 day 02:03:04'`,
      net: `'10.0.0.0/8'::inet`,
      range: `'[1,5)'::int4range`,
    };
    const names = Object.keys(values);
    await run(`create table public.kinds as select ${names.map((name) => `${values[name]} as "${name}"`)}`);
    await run('alter publication supabase_realtime add table public.kinds');
    const heard = record();
    await run('insert into public.kinds select * from public.kinds');
    const [change] = await heard.changesOf('kinds', 1);
    const text = await run(
      `select ${names.map((name) => (name === 'yes' ? `'t' as yes` : `"${name}"::text`))} from public.kinds limit 1`,
    );
    expect(change).toMatchObject({ type: 'INSERT', oldRow: null });
    expect(change?.table.columns.map(({ name }) => name)).toEqual(names);
    expect(change?.row).toEqual(names.map((name) => text.rows[0][name]));
    expect(change?.table.columns.find(({ name }) => name === 'json')?.typeOid).toBe(3802);
  });

  it('come with names that mean something elsewhere', async () => {
    await createTable('names', `"__proto__" text, "constructor" text, "a b"" c" text, "Ç" text`, 'full');
    const heard = record();
    await run(`insert into public.names values ('1', '2', '3', '4')`);
    await run(`update public.names set "__proto__" = '5'`);
    const [, change] = await heard.changesOf('names', 2);
    expect(change?.row).toEqual(['5', '2', '3', '4']);
    expect(change?.oldRow).toEqual(['1', '2', '3', '4']);
  });

  it('come whole with identity full: the old row, and long values that an update left alone', async () => {
    await createTable('whole', 'id int primary key, long text, short text', 'full');
    await run('alter table public.whole alter long set storage external');
    const long = 'á'.repeat(20_000);
    const heard = record();
    await run(`insert into public.whole values (1, $1, 'a')`, [long]);
    await run(`update public.whole set short = 'b'`);
    await run(`update public.whole set long = null`);
    await run('delete from public.whole');
    const [, short, emptied, gone] = await heard.changesOf('whole', 4);
    expect(short).toMatchObject({ type: 'UPDATE', row: ['1', long, 'b'], oldRow: ['1', long, 'a'] });
    expect(emptied).toMatchObject({ row: ['1', null, 'b'], oldRow: ['1', long, 'b'] });
    expect(gone).toMatchObject({ type: 'DELETE', row: null, oldRow: ['1', null, 'b'] });
    expect(gone?.table.identity).toBe('f');
  });

  it('come with no more than the key otherwise, and what was not sent is told apart from null', async () => {
    await createTable('keyed', 'a text, id int primary key, long text');
    await run('alter table public.keyed alter long set storage external');
    const long = 'x'.repeat(20_000);
    await run(`insert into public.keyed values (null, 1, $1)`, [long]);
    const heard = record();
    await run(`update public.keyed set a = 'b'`);
    await run('update public.keyed set id = 2');
    await run('delete from public.keyed');
    await expect.poll(() => heard.changes.at(-1)?.type).toBe('DELETE');
    const [same, moved, gone] = heard.changes.slice(-3);
    expect(same).toMatchObject({ row: ['b', '1', undefined], oldRow: null });
    expect(moved).toMatchObject({ row: ['b', '2', undefined], oldRow: [undefined, '1', undefined] });
    expect(gone).toMatchObject({ row: null, oldRow: [undefined, '2', undefined] });
    expect(gone?.table.columns.map(({ isKey }) => isKey)).toEqual([false, true, false]);
  });

  it('of a megabyte come unharmed', async () => {
    await createTable('large', 'id int primary key, body text', 'full');
    const body = randomBytes(1_000_000).toString('base64');
    const heard = record();
    await run('insert into public.large values (1, $1)', [body]);
    const [change] = await heard.changesOf('large', 1);
    expect(change?.row?.[1] === body).toBe(true);
  });

  it('of the library come with their whole old rows; what is not published stays unheard', async () => {
    const heard = record();
    const { id } = await createUser(database.admin);
    await run(`update public.profiles set name = 'Ana' where id = $1`, [id]);
    await run(`insert into public.folders (user_id, name) values ($1, 'Trabalho')`, [id]);
    await run(`delete from public.folders where user_id = $1`, [id]);
    const changes = await heard.changesOf('folders', 2);
    expect(changes.map(({ type, table }) => [type, table.identity])).toEqual([
      ['INSERT', 'f'],
      ['DELETE', 'f'],
    ]);
    expect(changes[1]?.oldRow).toEqual(changes[0]?.row);
    expect(new Set(heard.changes.map(({ table }) => table.name))).toEqual(new Set(['folders']));
  });

  it('that were rolled back are never heard', async () => {
    await createTable('undone', 'id int');
    const heard = record();
    const client = await database.admin.connect();
    await client.query('begin; insert into public.undone values (1); savepoint a');
    await client.query('insert into public.undone values (2); rollback to a; rollback');
    client.release();
    await run('insert into public.undone values (3)');
    expect((await heard.changesOf('undone', 1)).map(({ row }) => row)).toEqual([['3']]);
  });
});

describe('transactions', () => {
  it('of many writers come one after the other in the order of their commits', async () => {
    await createTable('busy', 'writer int, round int, part int');
    const heard = record();
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let round = 0; round < 25; round += 1)
          await run('insert into public.busy select $1::int, $2::int, part from generate_series(1, 3) part', [
            writer,
            round,
          ]);
      }),
    );
    const changes = await heard.changesOf('busy', 600);
    await expect.poll(() => heard.commits.length).toBeGreaterThanOrEqual(200);
    const lsns = changes.map(({ commitLsn }) => commitLsn);
    for (let at = 0; at < changes.length; at += 3) {
      const parts = changes.slice(at, at + 3);
      expect(new Set(parts.map(({ row }) => `${row?.[0]}/${row?.[1]}`)).size).toBe(1);
      expect(new Set(parts.map(({ commitLsn }) => commitLsn)).size).toBe(1);
      expect(parts.map(({ row }) => row?.[2])).toEqual(['1', '2', '3']);
    }
    expect(lsns.every((lsn, at) => at === 0 || lsn >= (lsns[at - 1] ?? 0n))).toBe(true);
    expect(heard.commits.map(({ lsn }) => lsn)).toEqual([...new Set(lsns)]);
    expect(heard.commits.map(({ heard: count }) => count % 3)).toEqual(heard.commits.map(() => 0));
    for (let writer = 0; writer < 8; writer += 1) {
      const rounds = changes.filter(({ row }) => row?.[0] === `${writer}`).map(({ row }) => Number(row?.[1]));
      expect(rounds).toEqual(rounds.toSorted((a, b) => a - b));
    }
  });

  it('tell when they were committed', async () => {
    await createTable('timed', 'id int');
    const heard = record();
    const before = Date.now();
    await run('insert into public.timed values (1)');
    const [change] = await heard.changesOf('timed', 1);
    expect(change?.committedAt.getTime()).toBeGreaterThanOrEqual(before - 1);
    expect(change?.committedAt.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('of a hundred thousand rows pass without piling up here, and Postgres lets go of its log', async () => {
    await createTable('crowd', 'id int primary key, body text', 'full');
    let count = 0;
    let inOrder = true;
    let kept = 0;
    const before = measureMemory();
    const stop = feed.listen({
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
    await expect.poll(readBacklog, { timeout: 5_000 }).toBeLessThan(1_000_000);
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

describe('tables', () => {
  it('are the same object until they change', async () => {
    await createTable('shape', 'id int primary key');
    const heard = record();
    await run('insert into public.shape values (1)');
    await run('analyze public.shape');
    await run('insert into public.shape values (2)');
    await run('alter table public.shape add body text');
    await run(`insert into public.shape values (3, 'a')`);
    await run('alter table public.shape replica identity full');
    await run(`insert into public.shape values (4, 'a')`);
    const [first, second, wider, full] = await heard.changesOf('shape', 4);
    expect(second?.table).toBe(first?.table);
    expect(wider?.table).not.toBe(first?.table);
    expect(wider?.row).toEqual(['3', 'a']);
    expect(first?.table.columns).toHaveLength(1);
    expect([wider?.table.identity, full?.table.identity]).toEqual(['d', 'f']);
  });

  it('are heard from the moment they are published until they no longer are', async () => {
    await run('create table public.late (id int primary key)');
    await createTable('marker', 'id int');
    const heard = record();
    await run('insert into public.late values (1)');
    await run('alter publication supabase_realtime add table public.late');
    await run('insert into public.late values (2)');
    await run('alter publication supabase_realtime drop table public.late');
    await run('insert into public.late values (3)');
    await run('insert into public.marker values (1)');
    await heard.changesOf('marker', 1);
    expect(heard.changes.filter(({ table }) => table.name === 'late').map(({ row }) => row)).toEqual([['2']]);
    expect(heard.gaps).toEqual([]);
  });

  it('that are emptied at a stroke are a gap, for the rows are not told', async () => {
    await createTable('emptied', 'id int');
    const heard = record();
    await run('truncate public.emptied');
    await expect.poll(() => heard.gaps).toEqual(['TRUNCATE of public.emptied']);
  });
});

describe('messages', () => {
  const emit = (transactional: boolean, prefix: string, content: Buffer, end = 'commit') =>
    database.admin.connect().then(async (client) => {
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
    const heard = record();
    const bytes = randomBytes(70_000);
    await emit(true, 'undone', bytes, 'rollback');
    await emit(true, 'first', bytes);
    await emit(true, 'second', Buffer.alloc(0));
    await expect.poll(() => heard.messages.length).toBe(2);
    expect(heard.messages.map(({ prefix }) => prefix)).toEqual(['first', 'second']);
    // Looked at after more has come through the same buffers.
    expect(heard.messages[0]?.content.equals(bytes)).toBe(true);
    expect(heard.messages[1]?.content).toHaveLength(0);
  });

  it('outside transactions come too', async () => {
    const heard = record();
    await emit(false, 'loose', Buffer.from('á'));
    await expect.poll(() => heard.messages.map(({ prefix }) => prefix)).toEqual(['loose']);
  });
});

describe('listeners', () => {
  it('that throw spoil nothing for the others', async () => {
    await createTable('rude', 'id int');
    onTestFinished(
      feed.listen({
        change: () => {
          throw new Error('rude');
        },
      }),
    );
    const heard = record();
    await run('insert into public.rude values (1)');
    await run('insert into public.rude values (2)');
    expect(await heard.changesOf('rude', 2)).toHaveLength(2);
    expect(feed.isLive()).toBe(true);
  });

  it('that have gone hear nothing more', async () => {
    await createTable('left_alone', 'id int');
    const gone = recordFeed(feed);
    gone.stop();
    const heard = record();
    await run('insert into public.left_alone values (1)');
    await heard.changesOf('left_alone', 1);
    expect(gone.changes).toEqual([]);
  });

  it('that are slow miss nothing', async () => {
    await createTable('slow', 'id int');
    const ids: (string | null | undefined)[] = [];
    const stop = feed.listen({
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
    await expect.poll(readBacklog, { timeout: 5_000 }).toBeLessThan(100_000);
  });

  it('is read by every copy of the server on its own', async () => {
    await createTable('copied', 'id int');
    const other = createChangeFeed({
      connection: database.connection,
      publications: ['supabase_realtime'],
      db,
      logger: createLogger('silent'),
      now: () => new Date(),
    });
    const records = [record(), recordFeed(other)];
    await other.whenLive(10_000);
    await run('insert into public.copied values (1)');
    for (const heard of records) expect(await heard.changesOf('copied', 1)).toHaveLength(1);
    const slots = () =>
      run(`select slot_name from pg_replication_slots where database = current_database() and temporary`);
    expect((await slots()).rowCount).toBe(2);
    await other.stop();
    expect((await slots()).rowCount).toBe(1);
  });

  it('is measured', async () => {
    await createTable('counted', 'id int');
    const before = feed.figures();
    const heard = record();
    await run('insert into public.counted values (1), (2)');
    await heard.changesOf('counted', 2);
    await expect.poll(() => feed.figures().commits).toBe(before.commits + 1);
    const { live, changes, connections, lagMs } = feed.figures();
    expect({ live, changes, connections }).toEqual({
      live: true,
      changes: before.changes + 2,
      connections: 1,
    });
    expect(lagMs).toBeLessThan(5_000);
    const registry = new Registry();
    registerFeedMetrics(registry, feed.figures);
    for (let look = 0; look < 2; look += 1) {
      const text = await registry.metrics();
      expect(text).toContain(`linkoteca_realtime_feed_live 1`);
      expect(text).toContain(`linkoteca_realtime_feed_changes_total ${feed.figures().changes}\n`);
    }
  });
});

it('names its connection, so that an operator finds it', async () => {
  const client = new pg.Client(database.connection);
  await client.connect();
  const { rows } = await client.query(
    `select application_name, state from pg_stat_replication where application_name like 'linkoteca%'`,
  );
  await client.end();
  expect(rows).toContainEqual({ application_name: 'linkoteca change feed', state: 'streaming' });
});
