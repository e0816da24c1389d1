import { useFolderNews } from '../../../features/categories/api/folder-news.ts';
import { ReceivedFolders } from '../../../features/categories/components/received-folders.tsx';
import { useOrganiserDialogs } from '../dialogs/organiser-dialogs-context.ts';
import { useReceivedAccess } from './use-received-access.ts';

interface ReceivedFoldersHostProps {
  readonly activeCategoryId: string | null;
  readonly onOpen: (categoryId: string) => void;
}

/** The folders that others share, with what one can do with them. */
export function ReceivedFoldersHost(props: ReceivedFoldersHostProps) {
  const { folders } = useReceivedAccess();
  const ask = useOrganiserDialogs();
  return (
    <ReceivedFolders
      {...props}
      folders={folders}
      onAddCategory={(folder) => ask({ kind: 'shared-category', folder })}
      news={useFolderNews()}
      onShare={({ id, name }) => ask({ kind: 'share-folder', folder: { id, name }, isOwn: false })}
      onLeave={(folder) => ask({ kind: 'leave-folder', folder })}
    />
  );
}
