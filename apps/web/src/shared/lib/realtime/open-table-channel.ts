import type { RealtimeChannel, RealtimeClient } from '@supabase/realtime-js';
import { log } from '../log.ts';
import { type ChannelEvents, type KeptChannel, keepChannelOpen } from './keep-channel-open.ts';
import type { SubscriptionListener, TableSubscription } from './realtime-source.ts';
import { CHANGE_OPERATIONS, type ChangedRow, type TableChange } from './table-change.ts';

interface TableChannelOptions {
  readonly client: RealtimeClient;
  readonly subscription: TableSubscription;
  readonly listener: SubscriptionListener;
  /** Asks for a new access token: the service refused the one it has. */
  readonly renewToken: () => void;
  readonly onState: (live: boolean) => void;
  /** Another one each time: the client would hand out a channel that is still being left. */
  readonly nextTopic: (name: string) => string;
}

/** Keeps the subscription to changes of one table. */
export function openTableChannel(options: TableChannelOptions): KeptChannel {
  const { client, listener, onState } = options;
  return keepChannelOpen({
    client,
    join: (events) => joinChannel(options, events),
    onLive: listener.onLive,
    onState,
  });
}

function joinChannel(
  { client, subscription, listener, renewToken, nextTopic }: TableChannelOptions,
  { become, onClosed }: ChannelEvents,
): RealtimeChannel {
  const { name, table, event, filter } = subscription;
  const channel = client.channel(nextTopic(name));
  return channel
    .on(
      'postgres_changes',
      { event, schema: 'public', table, ...(filter === undefined ? {} : { filter }) } as {
        readonly event: '*';
        readonly schema: string;
      },
      (payload) => {
        const change = readTableChange(payload);
        if (change) listener.onChange(change);
        else log.warn('a change that names no row', payload);
      },
    )
    .on('system', {}, ({ extension, status, message }) => {
      if (extension !== 'postgres_changes') return;
      // Only now are changes delivered: joining alone promises nothing.
      become(status === 'ok');
      if (status !== 'ok') log.warn('the change feed does not deliver', table, message);
    })
    .subscribe((status, error) => {
      if (status === 'SUBSCRIBED') return;
      become(false);
      log.realtime(name, status, error);
      if (status === 'CHANNEL_ERROR') renewToken();
      if (status === 'CLOSED') onClosed();
    });
}

/** `2025-05-11 12:00:00.5+00`, as the log has it. */
const LOG_TIME = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2}(?:\.\d+)?)(\+00(?::?00)?|Z)$/;

/**
 * Reads what the client hands over for `postgres_changes` (protocol note, section 3.3). Dates get the form in which the
 * table API writes them, so that they compare.
 * @returns null for what names no table, no known operation or no row: it cannot be applied to anything.
 */
export function readTableChange(payload: unknown): TableChange | null {
  if (typeof payload !== 'object' || payload === null) return null;
  const { table, eventType, commit_timestamp, new: row, old } = payload as Record<string, unknown>;
  const operation = CHANGE_OPERATIONS.find((each) => each === eventType);
  if (typeof table !== 'string' || operation === undefined) return null;
  const change = {
    table,
    operation,
    row: readRow(row),
    before: readRow(old),
    committedAt: typeof commit_timestamp === 'string' ? commit_timestamp : new Date(0).toISOString(),
  };
  const id = keyOf(table, change.row) ?? keyOf(table, change.before);
  return id === null ? null : { ...change, id };
}

function readRow(row: unknown): ChangedRow {
  if (typeof row !== 'object' || row === null) return {};
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      column.endsWith('_at') && typeof value === 'string' ? readTime(value) : value,
    ]),
  );
}

function readTime(text: string): string {
  const [, day, time] = LOG_TIME.exec(text) ?? [];
  return day === undefined ? text : `${day}T${time}+00:00`;
}

/** What a row is known by: its id, or what stands for it in tables without one. A share is known by what is shared. */
function keyOf(table: string, { id, category_id: categoryId, user_id: userId }: ChangedRow): string | null {
  const key = table === 'shared_with' ? (categoryId ?? id) : (id ?? categoryId ?? userId);
  return typeof key === 'string' ? key : null;
}
