import { CATEGORY_MESSAGES } from '@linkoteca/domain/messages/category-messages';
import {
  describeLeftOver,
  describeMove,
  describeMoveBack,
  LINK_MESSAGES,
} from '@linkoteca/domain/messages/link-messages';
import { useQueryClient } from '@tanstack/react-query';
import {
  type ReceivedFolder,
  receivedFoldersKey,
} from '../../../features/categories/api/list-received-folders.ts';
import { categoryListKey, categoryRows } from '../../../features/categories/model/category-rows.ts';
import { useMoveLinks } from '../../../features/links/api/move-links.ts';
import { rememberCategory } from '../../../features/links/model/recent-categories.ts';
import { describeError, readError } from '../../../shared/lib/describe-error.ts';
import type { Link } from '../../../shared/lib/rows.ts';
import { usePerson, useUserId } from '../../../shared/lib/session/session-context.tsx';
import { PartlyDone } from '../../../shared/lib/writes/call-in-parts.ts';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { followWithUndo } from '../../../shared/ui/feedback/toast-with-undo.ts';
import { useLibraryCounting } from '../use-library-counting.ts';

/** Moves links to another category, says so, and offers the way back to where each was. */
export function useLinkMoving(): (links: readonly Link[], targetId: string) => Promise<void> {
  const queryClient = useQueryClient();
  const userId = useUserId();
  const { mutateAsync } = useMoveLinks(useLibraryCounting().links);
  const foldersKey = receivedFoldersKey(usePerson()?.email ?? '');
  const nameOf = (categoryId: string) => {
    const own = categoryRows(queryClient, userId).find(categoryId);
    const folders = queryClient.getQueryData<readonly ReceivedFolder[]>(foldersKey) ?? [];
    const received = () =>
      folders.flatMap(({ categories }) => categories).find(({ id }) => id === categoryId);
    return (own ?? received())?.name ?? '';
  };

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
      const gone = readError(cause).code === 'PT404';
      if (gone) void queryClient.invalidateQueries({ queryKey: categoryListKey(userId) });
      const reason = gone ? CATEGORY_MESSAGES.notFound : describeError(cause, 'Tente de novo.');
      toast.error(failure, partly ? `${describeLeftOver(links.length - went.length)} ${reason}` : reason);
      return went;
    }
  };
  const moveBack = async (links: readonly Link[], targetId: string) => {
    const homes = Map.groupBy(links, (link) => link.category_id);
    let count = 0;
    for (const [homeId, moved] of homes) {
      const here = moved.map((link) => ({ ...link, category_id: targetId }));
      count += (await send(here, homeId, LINK_MESSAGES.moveUndoFailed)).length;
    }
    const [homeId = ''] = homes.keys();
    if (count > 0) toast.success(describeMoveBack(count, homes.size === 1 ? nameOf(homeId) : null));
  };

  return async (chosen, targetId) => {
    const links = chosen.filter((link) => link.category_id !== targetId);
    if (links.length === 0) return;
    const failure = links.length === 1 ? LINK_MESSAGES.moveFailed : LINK_MESSAGES.bulkMoveFailed;
    const moved = send(links, targetId, failure).then((went) => (went.length > 0 ? went : null));
    const went = await followWithUndo(moved, {
      describe: ({ length }) => describeMove(length, nameOf(targetId)),
      undo: (gone) => void moveBack(gone, targetId),
    });
    if (went) rememberCategory(userId, targetId);
  };
}
