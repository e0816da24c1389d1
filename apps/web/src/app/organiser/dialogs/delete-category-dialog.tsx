import { formatCount } from '@linkoteca/domain/formats';
import { CATEGORY_MESSAGES } from '@linkoteca/domain/messages/category-messages';
import { useDeleteCategory } from '../../../features/categories/api/delete-category.ts';
import type { ListedCategory } from '../../../features/categories/model/category-rows.ts';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { DeleteConfirmation } from '../../../shared/ui/dialogs/delete-confirmation.tsx';
import { useLeaveCategory } from '../use-leave-category.ts';
import { useLibraryCounting } from '../use-library-counting.ts';
import { useTreeNeighbour } from '../use-tree-neighbour.ts';
import { useUndoableDeletion } from '../use-undoable-deletion.ts';

interface DeleteCategoryDialogProps {
  readonly open: boolean;
  readonly category: ListedCategory;
  readonly onClose: () => void;
}

/** Deletes a category with its links; leaves it if it is on the screen. */
export function DeleteCategoryDialog({ open, category, onClose }: DeleteCategoryDialogProps) {
  const leaveCategory = useLeaveCategory();
  const counting = useLibraryCounting();
  const remove = useDeleteCategory(counting.droppedCategory);
  const follow = useUndoableDeletion();
  const neighbour = useTreeNeighbour();
  const { link_count: links } = category;

  const confirm = () => {
    neighbour.remember([category.id]);
    onClose();
    const done = remove.mutateAsync(category.id);
    const comeBack = leaveCategory([category.id]);
    void follow({
      itemType: 'category',
      ids: [category.id],
      what: category.name,
      done,
      going: CATEGORY_MESSAGES.deleting,
      gone: CATEGORY_MESSAGES.deleted,
      describeFailure: (error) => ({
        title: CATEGORY_MESSAGES.deleteFailed,
        description: describeError(error, 'Tente de novo.'),
      }),
      beginRestore: () => counting.restoredCategory(category),
      onRestored: comeBack,
    });
  };

  return (
    <DeleteConfirmation
      open={open}
      itemType="Categoria"
      itemName={category.name}
      consequence={
        links === 0
          ? undefined
          : `Com ela ${links === 1 ? 'vai' : 'vão'} ${formatCount(links, 'link', 'links')}.`
      }
      onCancel={onClose}
      focusAfterDeletion={neighbour.find}
      onConfirm={confirm}
    />
  );
}
