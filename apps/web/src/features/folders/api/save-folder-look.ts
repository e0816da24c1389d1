import type { FolderLook } from '@linkoteca/domain/folder-look';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { folderRows } from '../model/folder-rows.ts';

interface SavedLook {
  readonly folderId: string;
  readonly look: FolderLook;
}

/** Saves how a folder looks; it looks so before the server has answered. Saves reach the service one after the other: the last one holds. */
export function useSaveFolderLook() {
  const database = useDatabase();
  const userId = useUserId();
  const rows = folderRows(useQueryClient(), userId);
  return useMutation({
    mutationKey: ['folders', 'look'],
    scope: { id: 'folder-looks' },
    mutationFn: async ({ folderId, look }: SavedLook) => {
      const { color, emoji } = look;
      await database
        .from('folder_looks')
        .upsert({ folder_id: folderId, user_id: userId, color, emoji })
        .throwOnError();
    },
    onMutate: ({ folderId, look }) => rows.beginPatch(folderId, { folder_looks: look }),
    onError: (_error, _saved, shown) => shown?.undo(),
    onSettled: (_data, _error, _saved, shown) => shown?.settle(),
  });
}
