import type { QueryClient } from '@tanstack/react-query';
import { beginOptimisticWrite, type OptimisticWrite } from '../../../shared/lib/optimistic-write.ts';
import type { LibraryCounts } from '../api/use-library-counts.ts';

/**
 * Shows changed counters ahead of the server, everywhere they stand. Taking it back subtracts what was added instead
 * of restoring old figures, because other writes may have counted in the meantime.
 */
export function beginCountLibrary(
  queryClient: QueryClient,
  userId: string,
  change: Partial<LibraryCounts>,
): Promise<OptimisticWrite> {
  const queryKey = ['library-counts', userId];
  const count = (sign: 1 | -1) =>
    queryClient.setQueryData<LibraryCounts>(
      queryKey,
      (counts) =>
        counts && {
          folders: add(counts.folders, change.folders, sign),
          categories: add(counts.categories, change.categories, sign),
          links: add(counts.links, change.links, sign),
        },
    );
  return beginOptimisticWrite(queryClient, [queryKey], () => {
    count(1);
    return () => count(-1);
  });
}

function add(figure: number, change: number | undefined, sign: 1 | -1): number {
  return Math.max(0, figure + sign * (change ?? 0));
}
