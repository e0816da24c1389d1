import { CATEGORY_MESSAGES } from '@linkoteca/domain/category-messages';
import { formatCount } from '@linkoteca/domain/format-number';
import { useNavigate } from '@tanstack/react-router';
import { useDeleteCategory } from '../../features/categories/api/delete-category.ts';
import type { ListedCategory } from '../../features/categories/model/category-rows.ts';
import { describeError } from '../../shared/lib/describe-error.ts';
import { DeleteConfirmation } from '../../shared/ui/delete-confirmation.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { useLibraryCounting } from './use-library-counting.ts';
import { useOpenCategoryId } from './use-open-category.ts';

interface DeleteCategoryDialogProps {
  readonly open: boolean;
  readonly category: ListedCategory;
  readonly onClose: () => void;
}

/** Deletes a category with its links; leaves it if it is on the screen. */
export function DeleteCategoryDialog({ open, category, onClose }: DeleteCategoryDialogProps) {
  const openCategoryId = useOpenCategoryId();
  const navigate = useNavigate();
  const remove = useDeleteCategory(useLibraryCounting().droppedCategory);
  const { link_count: links } = category;

  const confirm = async () => {
    onClose();
    const removal = remove.mutateAsync(category.id);
    if (category.id === openCategoryId) void navigate({ to: '/dashboard' });
    try {
      await removal;
    } catch (error) {
      toast.error(CATEGORY_MESSAGES.deleteFailed, describeError(error, 'Tente de novo.'));
      return;
    }
    toast.success(CATEGORY_MESSAGES.deleted);
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
      onConfirm={() => void confirm()}
    />
  );
}
