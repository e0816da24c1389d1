import type { FolderLook } from '@linkoteca/domain/folder-look';
import type { QueryClient } from '@tanstack/react-query';
import type { Folder } from '../../../shared/lib/rows.ts';
import { optimisticRowList } from '../../../shared/lib/writes/optimistic-row-list.ts';

/** A folder with how its person wants it to look; null: nothing was chosen. */
export interface ListedFolder extends Folder {
  readonly folder_looks: FolderLook | null;
}

/** Cache key of a user's folders. */
export function folderListKey(userId: string) {
  return ['folders', userId] as const;
}

/** The cached folders of a user, to be changed ahead of the server. */
export function folderRows(queryClient: QueryClient, userId: string) {
  return optimisticRowList<ListedFolder>(queryClient, folderListKey(userId));
}
