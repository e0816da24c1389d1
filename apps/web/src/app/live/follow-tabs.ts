import { REALTIME } from '@linkoteca/domain/limits';
import type { QueryClient } from '@tanstack/react-query';
import { openTabChannel, type TabMessage } from '../../shared/lib/realtime/tab-channel.ts';
import { pendingWritesOf, type RowWrite } from '../../shared/lib/writes/pending-writes.ts';
import { isSyncedTable, type SyncedTable } from './outdated-reads.ts';

interface FollowTabsOptions {
  readonly queryClient: QueryClient;
  /** Whether the change feed tells of this table by itself. */
  readonly isLive: (table: string) => boolean;
  /** Rows of this table have changed. */
  readonly onTable: (table: SyncedTable) => void;
}

/**
 * Keeps the tabs of one browser in step, without a change feed too: each tells the others what it has written. What arrives
 * from other tabs is never passed on.
 * @returns ends it.
 */
export function followTabs({ queryClient, isLive, onTable }: FollowTabsOptions): () => void {
  const channel = openTabChannel(({ table }) => {
    if (isSyncedTable(table) && !isLive(table)) onTable(table);
  });
  const stopTelling = pendingWritesOf(queryClient).onSettled((write, stored) => {
    if (stored) for (const message of describeWrite(write)) channel.send(message);
  });
  return () => {
    stopTelling();
    channel.close();
  };
}

const TYPES = { add: 'INSERT', change: 'UPDATE', drop: 'DELETE' } as const;

function describeWrite({ table, kind, ids }: RowWrite): readonly TabMessage[] {
  const common = { table, type: TYPES[kind], timestamp: Date.now() };
  // More than may be told of in a second would wait for its turn.
  if (ids.length > REALTIME.eventsPerSecond) return [{ ...common, id: null }];
  return ids.map((id) => ({ ...common, id }));
}
