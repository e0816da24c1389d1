import { CATEGORY_MESSAGES } from '@linkoteca/domain/category-messages';
import type { Link } from '@linkoteca/domain/entities';
import { describeMove, describeMoveBack, LINK_MESSAGES } from '@linkoteca/domain/link-messages';
import { useQueryClient } from '@tanstack/react-query';
import { categoryListKey, categoryRows } from '../../features/categories/model/category-rows.ts';
import { useMoveLinks } from '../../features/links/api/move-links.ts';
import { describeError } from '../../shared/lib/describe-error.ts';
import { useUserId } from '../../shared/lib/session/session-context.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { rememberTarget } from './recent-targets.ts';
import { toastWithUndo } from './toast-with-undo.ts';
import { useLibraryCounting } from './use-library-counting.ts';

/** Moves links of one category to another, says so, and offers the way back. */
export function useLinkMoving(): (links: readonly Link[], targetId: string) => Promise<void> {
  const queryClient = useQueryClient();
  const userId = useUserId();
  const { mutateAsync } = useMoveLinks(useLibraryCounting().links);
  const nameOf = (categoryId: string) => categoryRows(queryClient, userId).find(categoryId)?.name ?? '';

  /** True when it went well; else the person has been told. */
  const send = async (links: readonly Link[], targetId: string, failure: string) => {
    try {
      await mutateAsync({ links, targetId });
      return true;
    } catch (error) {
      const gone = (error as { readonly code?: unknown } | null)?.code === 'PT404';
      if (gone) void queryClient.invalidateQueries({ queryKey: categoryListKey(userId) });
      toast.error(failure, gone ? CATEGORY_MESSAGES.notFound : describeError(error, 'Tente de novo.'));
      return false;
    }
  };
  const moveBack = async (links: readonly Link[], sourceId: string) => {
    if (await send(links, sourceId, LINK_MESSAGES.moveUndoFailed))
      toast.success(describeMoveBack(links.length, nameOf(sourceId)));
  };

  return async (links, targetId) => {
    const sourceId = links[0]?.category_id;
    if (sourceId === undefined || sourceId === targetId) return;
    const failure = links.length === 1 ? LINK_MESSAGES.moveFailed : LINK_MESSAGES.bulkMoveFailed;
    if (!(await send(links, targetId, failure))) return;
    rememberTarget(userId, targetId);
    const moved = links.map((link) => ({ ...link, category_id: targetId }));
    toastWithUndo(describeMove(links.length, nameOf(targetId)), () => void moveBack(moved, sourceId));
  };
}
