import { updateFolderSchema } from '@linkoteca/domain/library-schemas';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { checkRow } from '../../../shared/lib/check-row.ts';
import { columnsOf, type Folder } from '../../../shared/lib/rows.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { EditConflict, RowGone } from '../../../shared/lib/writes/edit-conflict.ts';
import { writeAgainstVersion } from '../../../shared/lib/writes/write-against-version.ts';
import { folderListKey, folderRows } from '../model/folder-rows.ts';

export interface FolderRename {
  /** The folder as it was when the edit began. */
  readonly before: Folder;
  readonly name: string;
}

/**
 * Gives a folder a new name, unless it got another one elsewhere.
 * @throws the table API's error (23505 when the name is taken), EditConflict, RowGone, RowUnread.
 */
function renameFolder(
  database: DatabaseClient,
  userId: string,
  { before, name }: FolderRename,
): Promise<Folder> {
  return writeAgainstVersion<Folder>({
    base: before,
    wanted: { name },
    write: async (updatedAt) => {
      const { data } = await database
        .from('folders')
        .update(checkRow(updateFolderSchema, { name }))
        .eq('id', before.id)
        .eq('user_id', userId)
        .eq('updated_at', updatedAt)
        .select<string, Folder>(columnsOf('folders'))
        .maybeSingle()
        .throwOnError();
      return data;
    },
    read: async () => {
      const { data } = await database
        .from('folders')
        .select<string, Folder>(columnsOf('folders'))
        .eq('id', before.id)
        .eq('user_id', userId)
        .maybeSingle()
        .throwOnError();
      return data;
    },
  });
}

/** Renames a folder; the list shows the new name before the server has answered. */
export function useRenameFolder() {
  const database = useDatabase();
  const userId = useUserId();
  const queryClient = useQueryClient();
  const rows = folderRows(queryClient, userId);
  return useMutation({
    mutationKey: ['folders', 'rename'],
    mutationFn: (rename: FolderRename) => renameFolder(database, userId, rename),
    onMutate: ({ before, name }) => rows.beginPatch(before.id, { name }),
    onSuccess: (stored) => rows.store(stored.id, stored),
    onError: (error, { before }, shown) => {
      shown?.undo();
      if (error instanceof EditConflict) rows.store(before.id, error.current);
      if (error instanceof RowGone) void queryClient.invalidateQueries({ queryKey: folderListKey(userId) });
    },
    onSettled: (_data, _error, _rename, shown) => shown?.settle(),
  });
}
