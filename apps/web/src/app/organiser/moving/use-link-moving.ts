import { CATEGORY_MESSAGES } from '@linkoteca/domain/messages/category-messages';
import {
  describeLeftOver,
  describeMove,
  describeMoveBack,
  LINK_MESSAGES,
} from '@linkoteca/domain/messages/link-messages';
import { useQueryClient } from '@tanstack/react-query';
import { categoryListKey, categoryRows } from '../../../features/categories/model/category-rows.ts';
import { useMoveLinks } from '../../../features/links/api/move-links.ts';
import { describeError } from '../../../shared/lib/describe-error.ts';
import type { Link } from '../../../shared/lib/rows.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { PartlyDone } from '../../../shared/lib/writes/call-in-parts.ts';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { rememberTarget } from '../dialogs/recent-targets.ts';
import { toastWithUndo } from '../toast-with-undo.ts';
import { useLibraryCounting } from '../use-library-counting.ts';

/** Moves links of one category to another, says so, and offers the way back. */
export function useLinkMoving(): (links: readonly Link[], targetId: string) => Promise<void> {
  const queryClient = useQueryClient();
  const userId = useUserId();
  const { mutateAsync } = useMoveLinks(useLibraryCounting().links);
  const nameOf = (categoryId: string) => categoryRows(queryClient, userId).find(categoryId)?.name ?? '';

  /** The links that went; where not all did, the person has been told. */
  const send = async (
    links: readonly Link[],
    targetId: string,
    failure: string,
  ): Promise<readonly Link[]> => {
    try {
      await mutateAsync({ links, targetId });
      return links;
    } catch (error) {
      const partly = error instanceof PartlyDone ? error : null;
      const went = partly ? links.filter((link) => partly.doneIds.has(link.id)) : [];
      const cause = partly ? partly.cause : error;
      const gone = (cause as { readonly code?: unknown } | null)?.code === 'PT404';
      if (gone) void queryClient.invalidateQueries({ queryKey: categoryListKey(userId) });
      const reason = gone ? CATEGORY_MESSAGES.notFound : describeError(cause, 'Tente de novo.');
      toast.error(failure, partly ? `${describeLeftOver(links.length - went.length)} ${reason}` : reason);
      return went;
    }
  };
  const moveBack = async (links: readonly Link[], sourceId: string) => {
    const back = await send(links, sourceId, LINK_MESSAGES.moveUndoFailed);
    if (back.length > 0) toast.success(describeMoveBack(back.length, nameOf(sourceId)));
  };

  return async (links, targetId) => {
    const sourceId = links[0]?.category_id;
    if (sourceId === undefined || sourceId === targetId) return;
    const failure = links.length === 1 ? LINK_MESSAGES.moveFailed : LINK_MESSAGES.bulkMoveFailed;
    const went = await send(links, targetId, failure);
    if (went.length === 0) return;
    rememberTarget(userId, targetId);
    const moved = went.map((link) => ({ ...link, category_id: targetId }));
    toastWithUndo(describeMove(went.length, nameOf(targetId)), () => void moveBack(moved, sourceId));
  };
}
