import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { pendingWritesOf } from '../../shared/lib/writes/pending-writes.ts';

/** Where everything ends that makes cached reads outdated: what the feed tells, what other tabs tell, gaps. */
export interface InvalidationBus {
  /** @param keys first words of keys, or whole ones: prefixes match. */
  readonly add: (keys: Iterable<QueryKey>) => void;
  readonly stop: () => void;
}

/** While changes go on, reads are renewed at most this often. Milliseconds. */
const INTERVAL_MS = 400;

/**
 * Has outdated reads refetched where they are on the screen, and the others when somebody looks at them: the first at
 * once, those of a burst together. It waits while something is written, which an answer would take back on the screen, and
 * for a read that is under way: its answer may be from before.
 */
export function createInvalidationBus(queryClient: QueryClient): InvalidationBus {
  const writes = pendingWritesOf(queryClient);
  const outdated = new Map<string, QueryKey>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let restUntil = 0;

  const run = () => {
    timer = undefined;
    if (queryClient.isMutating() > 0 || !writes.isIdle()) return;
    for (const [hash, queryKey] of outdated) {
      if (queryClient.isFetching({ queryKey }) > 0) continue;
      outdated.delete(hash);
      restUntil = performance.now() + INTERVAL_MS;
      // A page that nobody sees reads on the return to it.
      const refetchType = document.visibilityState === 'hidden' ? 'none' : 'active';
      void queryClient.invalidateQueries({ queryKey, refetchType });
    }
  };
  const schedule = () => {
    if (outdated.size > 0) timer ??= setTimeout(run, Math.max(0, restUntil - performance.now()));
  };
  // Each of these may have been what it waited for.
  const unsubscribe = [
    writes.onSettled(schedule),
    queryClient.getMutationCache().subscribe(({ type }) => type === 'updated' && schedule()),
    queryClient.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && ['success', 'error'].includes(event.action.type)) schedule();
    }),
  ];
  return {
    add: (keys) => {
      for (const key of keys) outdated.set(hashKey(key), key);
      schedule();
    },
    stop: () => {
      clearTimeout(timer);
      outdated.clear();
      for (const stop of unsubscribe) stop();
    },
  };
}
