import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { joinOptimisticWrites, type OptimisticWrite } from '../../../shared/lib/writes/optimistic-write.ts';
import { folderRows } from '../model/folder-rows.ts';

/** Deletes a folder. The database takes its categories and their links with it, all or nothing. */
async function deleteFolder(database: DatabaseClient, userId: string, id: string): Promise<void> {
  await database.from('folders').delete().eq('id', id).eq('user_id', userId).throwOnError();
}

/**
 * Deletes a folder; it leaves the list before the server has answered.
 * @param beginDropContent hides what goes with the folder, wherever that is cached.
 */
export function useDeleteFolder(beginDropContent: (folderId: string) => Promise<OptimisticWrite>) {
  const database = useDatabase();
  const userId = useUserId();
  const rows = folderRows(useQueryClient(), userId);
  return useMutation({
    mutationKey: ['folders', 'delete'],
    mutationFn: (id: string) => deleteFolder(database, userId, id),
    onMutate: async (id) =>
      joinOptimisticWrites(await rows.beginDrop((row) => row.id === id), await beginDropContent(id)),
    onError: (_error, _id, shown) => shown?.undo(),
    onSettled: (_data, _error, _id, shown) => shown?.settle(),
  });
}
