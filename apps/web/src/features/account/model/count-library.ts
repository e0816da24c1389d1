import type { QueryClient } from '@tanstack/react-query';
import { beginOptimisticWrite, type OptimisticWrite } from '../../../shared/lib/writes/optimistic-write.ts';
import type { LibraryCounts } from '../api/usage.ts';

/**
 * Shows changed counters ahead of the server, everywhere they stand. Taking it back subtracts what was added instead
 * of restoring old figures, because other writes may have counted in the meantime.
 */
export function beginCountLibrary(
  queryClient: QueryClient,
  userId: string,
  change: Partial<LibraryCounts>,
): Promise<OptimisticWrite> {
  return beginOptimisticWrite(queryClient, [countsKey(userId)], () => {
    shiftLibraryCounts(queryClient, userId, change);
    return () => shiftLibraryCounts(queryClient, userId, change, -1);
  });
}

/** Changes the counters by figures; below nothing they do not go. */
function shiftLibraryCounts(
  queryClient: QueryClient,
  userId: string,
  change: Partial<LibraryCounts>,
  sign: 1 | -1 = 1,
): void {
  queryClient.setQueryData<LibraryCounts>(
    countsKey(userId),
    (counts) =>
      counts && {
        folders: add(counts.folders, change.folders, sign),
        categories: add(counts.categories, change.categories, sign),
        links: add(counts.links, change.links, sign),
      },
  );
}

function countsKey(userId: string) {
  return ['library-counts', userId] as const;
}

function add(figure: number, change: number | undefined, sign: 1 | -1): number {
  return Math.max(0, figure + sign * (change ?? 0));
}
