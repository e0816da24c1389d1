import { formatCount } from '@linkoteca/domain/formats';
import { FOLDER_MESSAGES } from '@linkoteca/domain/messages/folder-messages';
import { SERVICE_WORDS } from '@linkoteca/domain/messages/service-messages';
import { useDeleteFolder } from '../../../features/folders/api/delete-folder.ts';
import type { ListedFolder } from '../../../features/folders/model/folder-rows.ts';
import { describeServiceFailure } from '../../../shared/lib/describe-service-failure.ts';
import { DeleteConfirmation } from '../../../shared/ui/dialogs/delete-confirmation.tsx';
import { useLeaveCategory } from '../use-leave-category.ts';
import { useLibrary } from '../use-library.ts';
import { useLibraryCounting } from '../use-library-counting.ts';
import { useTreeNeighbour } from '../use-tree-neighbour.ts';
import { useUndoableDeletion } from '../use-undoable-deletion.ts';

interface DeleteFolderDialogProps {
  readonly open: boolean;
  readonly folder: ListedFolder;
  readonly onClose: () => void;
}

/** Deletes a folder with all that is in it; leaves the category on the screen if it goes too. */
export function DeleteFolderDialog({ open, folder, onClose }: DeleteFolderDialogProps) {
  const { categories } = useLibrary();
  const leaveCategory = useLeaveCategory();
  const counting = useLibraryCounting();
  const remove = useDeleteFolder(counting.droppedFolder);
  const follow = useUndoableDeletion();
  const neighbour = useTreeNeighbour();
  const inside = categories.filter((category) => category.folder_id === folder.id);
  const links = inside.reduce((total, category) => total + category.link_count, 0);

  const confirm = () => {
    neighbour.remember([folder.id, ...inside.map((category) => category.id)]);
    onClose();
    const done = remove.mutateAsync(folder.id);
    const comeBack = leaveCategory(inside.map((category) => category.id));
    void follow({
      itemType: 'folder',
      ids: [folder.id],
      what: folder.name,
      done,
      going: FOLDER_MESSAGES.deleting,
      gone: FOLDER_MESSAGES.deleted,
      describeFailure: (error) => ({
        title: FOLDER_MESSAGES.deleteFailed,
        description: describeServiceFailure(error, SERVICE_WORDS.folder.delete, 'Tente de novo.'),
      }),
      beginRestore: () => counting.restoredFolder(folder, inside),
      onRestored: comeBack,
    });
  };

  return (
    <DeleteConfirmation
      open={open}
      itemType="Pasta"
      itemName={folder.name}
      consequence={describeContent(inside.length, links)}
      onCancel={onClose}
      focusAfterDeletion={neighbour.find}
      onConfirm={confirm}
    />
  );
}

function describeContent(categories: number, links: number): string | undefined {
  if (categories === 0) return undefined;
  const content = formatCount(categories, 'categoria', 'categorias');
  if (links === 0) return `Com ela vai ${content}.`;
  return `Com ela vão ${content} e ${formatCount(links, 'link', 'links')}.`;
}
