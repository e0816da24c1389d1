import { REALTIME } from '@linkoteca/domain/limits';
import { CATEGORY_COLUMNS } from '../../features/categories/api/list-categories.ts';
import { FOLDER_COLUMNS } from '../../features/folders/api/list-folders.ts';
import { LINK_COLUMNS } from '../../features/links/api/list-links.ts';
import { type OwnWrite, ownWritesOf } from '../../shared/lib/own-writes.ts';
import { openTabChannel, type TabMessage } from '../../shared/lib/realtime/tab-channel.ts';
import type { ChangedRow, TableChange } from '../../shared/lib/realtime/table-change.ts';
import type { DatabaseClient } from '../../shared/lib/supabase/create-database-client.ts';
import type { LiveScope } from './live-scope.ts';

/** More rows than this at once are asked for as their whole table. */
const MOST_IDS = 100;
/** How long the change feed, where it is live, may take to tell the same. Milliseconds. */
const FEED_LAG_MS = 1_500;
/** Messages that come so close are answered together. Milliseconds. */
const TOGETHER_MS = 30;

const TYPES = { add: 'INSERT', change: 'UPDATE', drop: 'DELETE' } as const;

interface FollowTabsOptions {
  readonly scope: LiveScope;
  readonly database: DatabaseClient;
  /** Whether the change feed should tell of this table by itself. */
  readonly isHeard: (table: string) => boolean;
  readonly onChange: (change: TableChange) => void;
  /** Rows of this table have changed, it is not known which. */
  readonly onTable: (table: SyncedTable) => void;
  readonly onError: (reason: unknown) => void;
}

/**
 * Keeps the tabs of one browser in step, without a change feed too: each tells the others what it has written, and they
 * read those rows. What is heard from other tabs is never passed on.
 */
export function followTabs(options: FollowTabsOptions) {
  const { scope, isHeard } = options;
  const waiting = new Map<string, TabMessage>();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const channel = openTabChannel((message) => {
    if (!isSyncedTable(message.table)) return;
    const key = `${message.table} ${message.id}`;
    waiting.set(key, message);
    later(() => answer(key, message), isHeard(message.table) ? FEED_LAG_MS : TOGETHER_MS);
  });
  const later = (run: () => void, ms: number) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
  };
  /** The first timer of a burst answers for all that is due. */
  const answer = (key: string, message: TabMessage) => {
    if (waiting.get(key) !== message) return;
    const due = [...waiting].filter(([, { timestamp }]) => timestamp <= message.timestamp + TOGETHER_MS);
    for (const [dueKey] of due) waiting.delete(dueKey);
    for (const [table, messages] of Map.groupBy(
      due.map(([, each]) => each),
      (each) => each.table,
    ))
      if (isSyncedTable(table))
        void hearMessages(options, table, messages).catch((reason: unknown) => options.onError(reason));
  };

  const stopTelling = ownWritesOf(scope.queryClient).onSettled((write, stored) => {
    if (stored) for (const message of describeWrite(write)) channel.send(message);
  });
  return {
    /** The change feed told of it: nothing need be asked. */
    noteHeard: ({ table, id }: TableChange) => {
      waiting.delete(`${table} ${id}`);
    },
    stop: () => {
      stopTelling();
      channel.close();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

function describeWrite({ table, kind, ids }: OwnWrite): readonly TabMessage[] {
  const common = { table, type: TYPES[kind], timestamp: Date.now() };
  // More than may be told of in a second would wait for its turn.
  if (ids.length > REALTIME.eventsPerSecond) return [{ ...common, id: null }];
  return ids.map((id) => ({ ...common, id }));
}

/** Turns what another tab said into changes with their rows. */
async function hearMessages(
  { database, onChange, onTable }: FollowTabsOptions,
  table: SyncedTable,
  messages: readonly TabMessage[],
): Promise<void> {
  const named = messages.flatMap(({ id, ...message }) => (id === null ? [] : [{ ...message, id }]));
  const asked = named.filter(({ type }) => type !== 'DELETE').map(({ id }) => id);
  if (named.length < messages.length || asked.length > MOST_IDS) return onTable(table);
  for (const { type, id, timestamp } of named) {
    const committedAt = new Date(timestamp).toISOString();
    if (type === 'DELETE') onChange({ table, operation: type, id, row: {}, before: { id }, committedAt });
  }
  if (asked.length === 0) return;
  const rows = new Map((await fetchChangedRows(database, table, asked)).map((row) => [row['id'], row]));
  for (const { type, id, timestamp } of named) {
    const row = rows.get(id);
    const committedAt = new Date(timestamp).toISOString();
    if (row && type !== 'DELETE') onChange({ table, operation: type, id, row, before: { id }, committedAt });
  }
}

const COLUMNS = { folders: FOLDER_COLUMNS, categories: CATEGORY_COLUMNS, links: LINK_COLUMNS } as const;

/** The tables whose rows tabs tell each other of. */
type SyncedTable = keyof typeof COLUMNS;

function isSyncedTable(table: string): table is SyncedTable {
  return table in COLUMNS;
}

/**
 * Reads rows by their ids; those that are gone by now are not among them.
 * @throws the table API's error.
 */
async function fetchChangedRows(
  database: DatabaseClient,
  table: SyncedTable,
  ids: readonly string[],
): Promise<readonly ChangedRow[]> {
  const { data } = await database
    .from(table)
    .select<string, ChangedRow>(COLUMNS[table])
    .in('id', [...ids])
    .throwOnError();
  return data;
}
