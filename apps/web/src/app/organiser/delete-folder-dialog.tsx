import type { Folder } from '@linkoteca/domain/entities';
import { FOLDER_MESSAGES } from '@linkoteca/domain/folder-messages';
import { formatCount } from '@linkoteca/domain/format-number';
import { useNavigate } from '@tanstack/react-router';
import { useDeleteFolder } from '../../features/folders/api/delete-folder.ts';
import { describeError } from '../../shared/lib/describe-error.ts';
import { DeleteConfirmation } from '../../shared/ui/delete-confirmation.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { useLibrary } from './use-library.ts';
import { useLibraryCounting } from './use-library-counting.ts';
import { useOpenCategoryId } from './use-open-category.ts';

interface DeleteFolderDialogProps {
  readonly open: boolean;
  readonly folder: Folder;
  readonly onClose: () => void;
}

/** Deletes a folder with all that is in it; leaves the category on the screen if it goes too. */
export function DeleteFolderDialog({ open, folder, onClose }: DeleteFolderDialogProps) {
  const { categories } = useLibrary();
  const openCategoryId = useOpenCategoryId();
  const navigate = useNavigate();
  const remove = useDeleteFolder(useLibraryCounting().droppedFolder);
  const inside = categories.filter((category) => category.folder_id === folder.id);
  const links = inside.reduce((total, category) => total + category.link_count, 0);

  const confirm = async () => {
    onClose();
    const leaving = inside.some((category) => category.id === openCategoryId);
    const removal = remove.mutateAsync(folder.id);
    if (leaving) void navigate({ to: '/dashboard' });
    try {
      await removal;
    } catch (error) {
      toast.error(FOLDER_MESSAGES.deleteFailed, describeError(error, 'Tente de novo.'));
      return;
    }
    toast.success(FOLDER_MESSAGES.deleted);
  };

  return (
    <DeleteConfirmation
      open={open}
      itemType="Pasta"
      itemName={folder.name}
      consequence={describeContent(inside.length, links)}
      onCancel={onClose}
      onConfirm={() => void confirm()}
    />
  );
}

function describeContent(categories: number, links: number): string | undefined {
  if (categories === 0) return undefined;
  const content = formatCount(categories, 'categoria', 'categorias');
  if (links === 0) return `Com ela vai ${content}.`;
  return `Com ela vão ${content} e ${formatCount(links, 'link', 'links')}.`;
}
