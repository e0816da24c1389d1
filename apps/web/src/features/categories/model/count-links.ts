import type { QueryClient } from '@tanstack/react-query';
import { beginOptimisticWrite, type OptimisticWrite } from '../../../shared/lib/writes/optimistic-write.ts';
import { categoryListKey, type ListedCategory } from './category-rows.ts';

/** How many links each category gains (or, below zero, loses). */
export type LinkCountChange = ReadonlyMap<string, number>;

/**
 * Shows changed link counts ahead of the server. Taking it back subtracts what was added instead of restoring old
 * figures, because other writes may have counted in the meantime.
 */
export function beginCountLinks(
  queryClient: QueryClient,
  userId: string,
  change: LinkCountChange,
): Promise<OptimisticWrite> {
  const queryKey = categoryListKey(userId);
  const count = (sign: 1 | -1) =>
    queryClient.setQueryData<readonly ListedCategory[]>(queryKey, (rows) =>
      rows?.map((row) => {
        const delta = change.get(row.id);
        return delta ? { ...row, link_count: Math.max(0, row.link_count + sign * delta) } : row;
      }),
    );
  return beginOptimisticWrite(queryClient, [queryKey], () => {
    count(1);
    return () => count(-1);
  });
}
