import {
  CATEGORY_MESSAGES,
  describeCategoryMove,
  describeCategoryMoveBack,
} from '@linkoteca/domain/messages/category-messages';
import { useQueryClient } from '@tanstack/react-query';
import { type CategoryMove, useMoveCategory } from '../../../features/categories/api/move-category.ts';
import { categoryRows } from '../../../features/categories/model/category-rows.ts';
import { folderRows } from '../../../features/folders/model/folder-rows.ts';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { followWithUndo } from '../../../shared/ui/feedback/toast-with-undo.ts';

/** Moves a category to another folder, says so, and offers the way back. */
export function useCategoryMoving(): (categoryId: string, toFolderId: string) => Promise<void> {
  const queryClient = useQueryClient();
  const userId = useUserId();
  const { mutateAsync } = useMoveCategory();
  const nameOf = (folderId: string) => folderRows(queryClient, userId).find(folderId)?.name ?? '';

  /** True when it went well; else the person has been told. */
  const send = async (move: CategoryMove, failure: string) => {
    try {
      await mutateAsync(move);
      return true;
    } catch (error) {
      toast.error(failure, describeError(error, 'Tente de novo.'));
      return false;
    }
  };
  const moveBack = async ({ id, fromFolderId, toFolderId }: CategoryMove) => {
    const back = { id, fromFolderId: toFolderId, toFolderId: fromFolderId };
    if (await send(back, CATEGORY_MESSAGES.moveUndoFailed))
      toast.success(describeCategoryMoveBack(nameOf(fromFolderId)));
  };

  return async (categoryId, toFolderId) => {
    const fromFolderId = categoryRows(queryClient, userId).find(categoryId)?.folder_id;
    if (fromFolderId === undefined || fromFolderId === toFolderId) return;
    const move = { id: categoryId, fromFolderId, toFolderId };
    const moved = send(move, CATEGORY_MESSAGES.moveFailed).then((went) => (went ? move : null));
    await followWithUndo(moved, {
      describe: () => describeCategoryMove(nameOf(toFolderId)),
      undo: (gone) => void moveBack(gone),
    });
  };
}
