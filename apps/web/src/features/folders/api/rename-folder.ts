import type { Folder } from '@linkoteca/domain/entities';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { folderRows } from '../model/folder-rows.ts';

export interface FolderName {
  readonly id: string;
  readonly name: string;
}

/**
 * Gives a folder a new name.
 * @throws the table API's error; 23505 when the name is taken, PGRST116 when the folder is gone.
 */
async function renameFolder(
  database: DatabaseClient,
  userId: string,
  { id, name }: FolderName,
): Promise<Partial<Folder>> {
  const { data } = await database
    .from('folders')
    .update({ name })
    .eq('id', id)
    .eq('user_id', userId)
    .select('id,name,user_id,created_at,updated_at')
    .single()
    .throwOnError();
  return data;
}

/** Renames a folder; the list shows the new name before the server has answered. */
export function useRenameFolder() {
  const database = useDatabase();
  const userId = useUserId();
  const rows = folderRows(useQueryClient(), userId);
  return useMutation({
    mutationKey: ['folders', 'rename'],
    mutationFn: (folder: FolderName) => renameFolder(database, userId, folder),
    onMutate: ({ id, name }) => rows.beginPatch(id, { name }),
    onSuccess: (stored, { id }) => rows.store(id, stored),
    onError: (_error, _folder, shown) => shown?.undo(),
    onSettled: (_data, _error, _folder, shown) => shown?.settle(),
  });
}
