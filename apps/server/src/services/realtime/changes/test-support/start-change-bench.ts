import { claimsOf } from '@linkoteca/test-kit/claims-of';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import type { TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { pino } from 'pino';
import type { Caller } from '../../../../kernel/caller-context.ts';
import { createDatabase, type Database } from '../../../../kernel/database.ts';
import type { ChangeFeed, FeedTable, RowChange, RowText } from '../../feed/change-feed.ts';
import type {
  ChangeRequest,
  ChangeSubscription,
  ChangeSubscriptions,
  ChannelSubscriber,
} from '../change-subscriptions.ts';
import { createChangeSubscriptions } from '../create-change-subscriptions.ts';
import { createFakeFeed, type FakeFeed } from './create-fake-feed.ts';

export type ReceivedData = {
  readonly schema: string;
  readonly table: string;
  readonly type: string;
  readonly commit_timestamp: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly record?: Readonly<Record<string, unknown>>;
  readonly old_record?: Readonly<Record<string, unknown>>;
  readonly errors: readonly string[] | null;
};
export type ReceivedChange = { readonly ids: readonly number[]; readonly data: ReceivedData };

/** A channel that writes down what it is told. */
export type Listener = {
  readonly received: ReceivedChange[];
  readonly texts: string[];
  readonly failures: string[];
  readonly subscription: ChangeSubscription;
  /** From now on the channel's token is this caller's. */
  become(caller: TestCaller | Caller): void;
};

export type ChangeBench = {
  readonly database: ThrowawayDatabase;
  readonly db: Database;
  readonly feed: FakeFeed;
  readonly subscriptions: ChangeSubscriptions;
  /** The subscriptions' clock stands still, so that what they have read stays as fresh as it is; this moves it on. */
  advanceClock(ms: number): void;
  /** Joins without waiting. */
  join(caller: TestCaller | Caller, requests: readonly ChangeRequest[]): Listener;
  /** Joins and waits until the subscription stands. */
  listen(caller: TestCaller | Caller, ...requests: readonly Partial<ChangeRequest>[]): Promise<Listener>;
  /** Runs SQL (as the superuser unless a caller is named) and lets the feed tell what it did to the tables. */
  write(
    tables: readonly string[],
    text: string,
    values?: readonly unknown[],
    caller?: TestCaller,
  ): Promise<void>;
  /** Resolves when everything that was written has been decided for everybody. */
  settled(): Promise<void>;
  stop(): Promise<void>;
};

const OPEN_TABLES =
  'alter default privileges in schema public grant all on tables to anon, authenticated, service_role';

type Snapshot = { readonly table: FeedTable; readonly rows: ReadonlyMap<string, RowText> };

/** Subscriptions over a database of their own and a feed that tells what `write` did, unless another one is opened. */
export async function startChangeBench(
  setup = '',
  openFeed?: (open: Pick<ChangeBench, 'database' | 'db'>) => ChangeFeed,
  publications: readonly string[] = [],
): Promise<ChangeBench> {
  const database = await createThrowawayDatabase();
  const { admin } = database;
  await admin.query(`
    do $$ declare name text; begin
      foreach name in array array['folders', 'categories', 'links', 'shared_with', 'subscribers', 'profiles'] loop
        execute format('alter table public.%I replica identity full', name);
        if not exists (select from pg_publication_tables where pubname = 'supabase_realtime' and tablename = name) then
          execute format('alter publication supabase_realtime add table public.%I', name);
        end if;
      end loop;
    end $$`);
  // Tables of the operator's own: open to everybody, but for what their policies hold back.
  if (setup !== '') await admin.query(`${OPEN_TABLES}; ${setup}`);
  const db = createDatabase({ ...database.authenticator, max: 6 });
  const feed = createFakeFeed();
  const logger = pino({ level: 'silent' });
  let at = Date.UTC(2026, 10, 21, 20);
  const subscriptions = createChangeSubscriptions({
    db,
    feed: openFeed?.({ database, db }) ?? feed,
    publications,
    logger,
    now: () => new Date(at),
  });
  const known = new Map<string, FeedTable>();
  let lastId = 0;

  async function snapshot(name: string): Promise<Snapshot> {
    const table = await describeTable(admin, name);
    const before = known.get(name);
    const same = before && JSON.stringify(before) === JSON.stringify(table) ? before : table;
    known.set(name, same);
    const columns = table.columns.map(
      ({ name: column }) =>
        // As the log has it, by the type's own output function: a cast would write booleans and padded text another way.
        `case when "${column}" is not null then concat("${column}") end`,
    );
    const { rows } = await admin.query<{ key: string; row: (string | null)[] }>(
      `select ctid::text as key, array[${columns.join(', ')}] as row from ${name} order by ctid`,
    );
    return { table: same, rows: new Map(rows.map(({ key, row }) => [keyOf(same, row, key), row])) };
  }

  function join(given: TestCaller | Caller, requests: readonly ChangeRequest[]): Listener {
    let caller = toCaller(given);
    const received: ReceivedChange[] = [];
    const texts: string[] = [];
    const failures: string[] = [];
    lastId += 1;
    const subscriber: ChannelSubscriber = {
      id: lastId,
      topic: `probe-${lastId}`,
      isPrivate: false,
      caller: () => caller,
      send(event, text) {
        if (event !== 'postgres_changes') throw new Error(event);
        texts.push(text);
        received.push(JSON.parse(text) as ReceivedChange);
      },
      sendSystem: () => undefined,
      fail: (_, message) => failures.push(message),
    };
    const joined = subscriptions.subscribe(subscriber, requests);
    if (!joined.ok) throw new Error(joined.reason);
    return {
      received,
      texts,
      failures,
      subscription: joined.subscription,
      become(next) {
        caller = toCaller(next);
        joined.subscription.renew();
      },
    };
  }

  return {
    database,
    db,
    feed,
    subscriptions,
    advanceClock: (ms) => {
      at += ms;
    },
    join,
    async listen(caller, ...requests) {
      const listener = join(
        caller,
        requests.map((request) => ({ event: '*', schema: 'public', ...request })),
      );
      await listener.subscription.ready;
      return listener;
    },
    async write(tables, text, values = [], caller) {
      const before = await Promise.all(tables.map(snapshot));
      if (caller) await queryAs(database, caller, text, values);
      else await admin.query(text, [...values]);
      const after = await Promise.all(tables.map(snapshot));
      feed.commit(after.flatMap((later, at) => compare(before[at] ?? later, later)));
    },
    async settled() {
      // Three times in a row nothing is asked of the database.
      for (let quiet = 0; quiet < 3; quiet += 1) {
        await new Promise((resolve) => setTimeout(resolve, 15));
        while (db.pool.waitingCount > 0 || db.pool.idleCount < db.pool.totalCount)
          await new Promise((resolve) => setTimeout(resolve, 2));
      }
    },
    async stop() {
      subscriptions.stop();
      await db.pool.end();
      await database.drop();
    },
  };
}

export function toCaller(given: TestCaller | Caller): Caller {
  if (given === 'anon' || given === 'service_role') return { role: given, claims: { role: given } };
  if ('claims' in given) return given;
  return { role: 'authenticated', claims: Object.freeze(claimsOf(given as TestUser)) };
}

async function describeTable(admin: ThrowawayDatabase['admin'], name: string): Promise<FeedTable> {
  const { rows } = await admin.query<{ table: FeedTable }>(
    `select json_build_object('oid', c.oid::bigint, 'schema', n.nspname, 'name', c.relname, 'identity', c.relreplident,
       'columns', (
         select json_agg(json_build_object('name', a.attname, 'typeOid', a.atttypid::bigint, 'isKey',
           c.relreplident = 'f' or (c.relreplident = 'd' and exists (
             select from pg_index i where i.indrelid = c.oid and i.indisprimary and a.attnum = any (i.indkey)
           ))) order by a.attnum)
         from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       )) as table
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = $1::regclass`,
    [name],
  );
  const table = rows[0]?.table;
  if (table === undefined) throw new Error(`no table ${name}`);
  return table;
}

/** The id, the key columns, or the place of a row in its table. */
function keyOf(table: FeedTable, row: RowText, place: string): string {
  const byName = table.columns.findIndex(({ name }) => name === 'id');
  if (byName >= 0) return String(row[byName]);
  const keys = table.identity === 'f' ? row.slice(0, 2) : row.filter((_, at) => table.columns[at]?.isKey);
  return keys.length > 0 ? JSON.stringify(keys) : place;
}

function compare(
  before: Snapshot,
  { table, rows }: Snapshot,
): Omit<RowChange, 'committedAt' | 'commitLsn'>[] {
  const keysOf = (row: RowText): RowText =>
    table.identity === 'f' ? row : row.map((value, at) => (table.columns[at]?.isKey ? value : undefined));
  const changes: Omit<RowChange, 'committedAt' | 'commitLsn'>[] = [];
  for (const [key, row] of before.rows)
    if (!rows.has(key)) changes.push({ type: 'DELETE', table, row: null, oldRow: keysOf(row) });
  for (const [key, row] of rows) {
    const old = before.rows.get(key);
    if (old === undefined) changes.push({ type: 'INSERT', table, row, oldRow: null });
    else if (JSON.stringify(old) !== JSON.stringify(row))
      changes.push({ type: 'UPDATE', table, row, oldRow: table.identity === 'f' ? old : null });
  }
  return changes;
}
