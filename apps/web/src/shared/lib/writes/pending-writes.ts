import type { QueryClient } from '@tanstack/react-query';

/** What this tab does to rows of one table. */
export interface RowWrite {
  readonly table: string;
  readonly kind: 'add' | 'change' | 'drop';
  readonly ids: readonly string[];
}

/** A write on its way. */
interface PendingWrite {
  /** The service refused it. */
  readonly undo: () => void;
  /** The service has answered, whatever it said. */
  readonly settle: () => void;
}

/** Which rows this tab is writing, and wrote a moment ago. */
export interface PendingWrites {
  readonly begin: (write: RowWrite) => PendingWrite;
  readonly isIdle: () => boolean;
  /**
   * What this tab did last to a row, when that was not long before: such a change of the row is most likely its own.
   * @param at when the change arrived.
   */
  readonly findRecent: (table: string, id: string, at: number) => RowWrite['kind'] | undefined;
  /** @param listener called when a write has settled; `stored` tells whether the service accepted it. */
  readonly onSettled: (listener: (write: RowWrite, stored: boolean) => void) => () => void;
}

/** Longer than a change feed takes to bring a write back. Milliseconds. */
const RECENT_MS = 30_000;

const writesOfClients = new WeakMap<QueryClient, PendingWrites>();

/** The writes that belong to a query cache: they live as long as what is shown. */
export function pendingWritesOf(queryClient: QueryClient): PendingWrites {
  const known = writesOfClients.get(queryClient);
  if (known) return known;
  const writes = createPendingWrites(Date.now);
  writesOfClients.set(queryClient, writes);
  return writes;
}

/** @param now milliseconds of any clock. */
export function createPendingWrites(now: () => number): PendingWrites {
  const pending = new Set<RowWrite>();
  const rows = new Map<string, { readonly write: RowWrite; settledAt: number }>();
  const listeners = new Set<(write: RowWrite, stored: boolean) => void>();
  const keysOf = ({ table, ids }: RowWrite) => ids.map((id) => `${table} ${id}`);
  const forgetOld = () => {
    if (pending.size > 0) return;
    for (const [key, { settledAt }] of rows) if (now() - settledAt > RECENT_MS) rows.delete(key);
  };
  const settle = (write: RowWrite, stored: boolean) => {
    if (!pending.delete(write)) return;
    for (const key of keysOf(write)) {
      const row = rows.get(key);
      if (row?.write !== write) continue;
      // What was refused may have been stored all the same, its answer lost: then it is news when it comes.
      if (stored) row.settledAt = now();
      else rows.delete(key);
    }
    for (const listener of listeners) listener(write, stored);
  };
  return {
    begin: (write) => {
      forgetOld();
      const own = { ...write };
      let stored = true;
      pending.add(own);
      for (const key of keysOf(own)) rows.set(key, { write: own, settledAt: Number.POSITIVE_INFINITY });
      return {
        undo: () => {
          stored = false;
        },
        settle: () => settle(own, stored),
      };
    },
    isIdle: () => pending.size === 0,
    findRecent: (table, id, at) => {
      const row = rows.get(`${table} ${id}`);
      return row && at - row.settledAt <= RECENT_MS ? row.write.kind : undefined;
    },
    onSettled: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
