import { useInfiniteQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { CategoryChange } from '../model/history-messages.ts';

/** A change with its place: the newest has the highest id. */
export interface ListedChange extends CategoryChange {
  readonly id: number;
  readonly changed_at: string;
  /** Of what a program did: whether it can be undone ('possible'), was ('undone'), or why not. */
  readonly undo: string | null;
}

const PAGE_SIZE = 50;

/** What changed in a category of one's own, the newest first, a page of fifty at a time. */
export function useCategoryHistory(categoryId: string) {
  const database = useDatabase();
  return useInfiniteQuery({
    queryKey: ['category-history', useUserId(), categoryId],
    staleTime: 0,
    gcTime: 0,
    initialPageParam: null as number | null,
    getNextPageParam: (page: readonly ListedChange[]) =>
      page.length < PAGE_SIZE ? undefined : page.at(-1)?.id,
    queryFn: async ({ pageParam, signal }): Promise<readonly ListedChange[]> => {
      const { data } = await database
        .rpc('category_history', {
          category_id: categoryId,
          ...(pageParam === null ? {} : { before: pageParam }),
        })
        .abortSignal(signal)
        .throwOnError();
      return data;
    },
  });
}
