import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { type OwnWrite, ownWritesOf } from './own-writes.ts';

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
 * @param own the rows that are written, for whoever hears of them from outside; absent for figures that only follow.
 */
export async function beginOptimisticWrite(
  queryClient: QueryClient,
  keys: readonly QueryKey[],
  change: () => Undo,
  own?: OwnWrite,
): Promise<OptimisticWrite> {
  // At once: what is heard of these rows from now on waits for the answer.
  const underWay = own && ownWritesOf(queryClient).begin(own);
  const interrupted = keys.filter((queryKey) => queryClient.isFetching({ queryKey }) > 0);
  await Promise.all(
    interrupted.map((queryKey) =>
      queryClient.cancelQueries({ queryKey, predicate: (query) => query.state.data !== undefined }),
    ),
  );
  const takeBack = change();
  const undo = () => {
    takeBack();
    underWay?.undo();
  };
  const settle = () => {
    underWay?.settle();
    for (const queryKey of interrupted) void queryClient.invalidateQueries({ queryKey });
  };
  return { undo, settle };
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
