import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { pendingWritesOf, type RowWrite } from './pending-writes.ts';

export type Undo = () => void;

/** A change shown before the server has answered. */
export interface OptimisticWrite {
  /** The server refused: take this change, and no other, back. */
  readonly undo: Undo;
  /** The server answered, whatever it said. */
  readonly settle: () => void;
}

/**
 * Shows a change in the cache ahead of the server.
 *
 * Reads under way may have started before the write and would overwrite it, so they are cancelled and asked again once
 * the write has settled. A read that has nothing cached yet goes on: there is nothing to overwrite, only to ask again.
 *
 * @param keys the cached reads that `change` touches (prefixes match).
 * @param change edits the cache and returns the exact opposite, so that two writes in flight can fail independently.
 * @param rows the rows that are written: their change comes back through the feed; absent for figures that only follow.
 */
export async function beginOptimisticWrite(
  queryClient: QueryClient,
  keys: readonly QueryKey[],
  change: () => Undo,
  rows?: RowWrite,
): Promise<OptimisticWrite> {
  // At once: changes that arrive from now on wait for the answer.
  const pending = rows && pendingWritesOf(queryClient).begin(rows);
  const interrupted = keys.filter((queryKey) => queryClient.isFetching({ queryKey }) > 0);
  await Promise.all(
    interrupted.map((queryKey) =>
      queryClient.cancelQueries({ queryKey, predicate: (query) => query.state.data !== undefined }),
    ),
  );
  const takeBack = change();
  const undo = () => {
    takeBack();
    pending?.undo();
  };
  const settle = () => {
    pending?.settle();
    for (const queryKey of interrupted) void queryClient.invalidateQueries({ queryKey });
  };
  return { undo, settle };
}

/** Has a list and the counters read anew: what was there already may have been counted twice, by this screen and by the feed. */
export function recount(queryClient: QueryClient, list: 'folders' | 'categories'): void {
  for (const name of [list, 'library-counts']) void queryClient.invalidateQueries({ queryKey: [name] });
}

/** Begins what a write changes beyond its own list, such as counters. */
export type BeginAlongside = () => Promise<OptimisticWrite>;

/** Several writes as one: they are undone in reverse order and settle together. */
export function joinOptimisticWrites(...writes: readonly OptimisticWrite[]): OptimisticWrite {
  return {
    undo: () => {
      for (const write of writes.toReversed()) write.undo();
    },
    settle: () => {
      for (const write of writes) write.settle();
    },
  };
}
