import { collectPages } from '@linkoteca/domain/collect-pages';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { columnsOf } from '../../../shared/lib/rows.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { folderListKey, type ListedFolder } from '../model/folder-rows.ts';

/** All folders of a user with their looks, newest first. */
function listFolders(
  database: DatabaseClient,
  userId: string,
  signal: AbortSignal,
): Promise<readonly ListedFolder[]> {
  return collectPages(async (from, to) => {
    const { data } = await database
      .from('folders')
      .select<string, ListedFolder>(`${columnsOf('folders')},folder_looks(color,emoji)`)
      .eq('user_id', userId)
      .order('created_at', { ascending: false })
      .order('id', { ascending: false })
      .range(from, to)
      .abortSignal(signal)
      .throwOnError();
    return data;
  });
}

/** How a person's folders are read. */
export function foldersQuery(database: DatabaseClient, userId: string) {
  return queryOptions({
    queryKey: folderListKey(userId),
    queryFn: ({ signal }) => listFolders(database, userId, signal),
  });
}

/** The signed-in person's folders. */
export function useFolders() {
  return useQuery(foldersQuery(useDatabase(), useUserId()));
}
