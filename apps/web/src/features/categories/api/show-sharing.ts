import type { SharingMode } from '@linkoteca/domain/sharing';
import { useQueryClient } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { beginOptimisticWrite, type OptimisticWrite } from '../../../shared/lib/writes/optimistic-write.ts';
import { categoryListKey, categoryRows } from '../model/category-rows.ts';

/** Shows how a category is shared ahead of the server, wherever categories are listed. */
export function useBeginShowSharing() {
  const queryClient = useQueryClient();
  const userId = useUserId();
  return async (categoryId: string, mode: SharingMode): Promise<OptimisticWrite> => {
    const rows = categoryRows(queryClient, userId);
    const queryKey = categoryListKey(userId);
    const was = rows.find(categoryId);
    const isPublic = mode === 'public';
    // The row itself is written, and comes back through the feed, only when it is published or no longer.
    const own =
      was && was.is_public !== isPublic
        ? ({ table: 'categories', kind: 'change', ids: [categoryId] } as const)
        : undefined;
    const show = () => {
      rows.store(categoryId, { is_public: isPublic, is_restricted: mode === 'restricted' });
      return () => {
        if (was) rows.store(categoryId, { is_public: was.is_public, is_restricted: was.is_restricted });
      };
    };
    const shown = await beginOptimisticWrite(queryClient, [queryKey], show, own);
    return {
      undo: shown.undo,
      settle: () => {
        shown.settle();
        // Its new version: the next edit of its name is made against that.
        void queryClient.invalidateQueries({ queryKey });
      },
    };
  };
}
