import { CACHE_MS } from '@linkoteca/domain/limits';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { usePerson } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { type ReceivedShare, receivedSharesKey } from './list-received-shares.ts';

/** A folder that someone shares with the signed-in person. */
export interface ReceivedFolder {
  readonly id: string;
  readonly name: string;
  readonly ownerName: string | null;
  /** Whether links and categories may be added and changed in it now: the owner's plan may have lapsed. */
  readonly mayWrite: boolean;
  readonly mayManage: boolean;
  /** What is not held back of it, the newest first. */
  readonly categories: readonly ReceivedShare[];
}

/** The folders that are shared with the caller, the earliest first, each with its categories. */
async function listReceivedFolders(
  database: DatabaseClient,
  signal: AbortSignal,
): Promise<readonly ReceivedFolder[]> {
  const { data: folders } = await database.rpc('received_folders').abortSignal(signal).throwOnError();
  if (folders === null || folders.length === 0) return [];
  const { data: categories } = await database
    .from('categories')
    .select('id,name,description,folder_id,user_id,created_at,manual_order(category_id)')
    .in(
      'folder_id',
      folders.map((folder) => folder.folder_id),
    )
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .abortSignal(signal)
    .throwOnError();
  return folders.map((folder) => ({
    id: folder.folder_id,
    name: folder.name,
    ownerName: folder.owner_name,
    mayWrite: folder.may_write,
    mayManage: folder.may_write && folder.role === 'manager',
    categories: categories
      .filter((category) => category.folder_id === folder.folder_id)
      .map(({ id, name, description, manual_order }) => ({
        id,
        name,
        description,
        ownerId: folder.owner_id,
        ownerName: folder.owner_name,
        sharedAt: folder.shared_at,
        isChosen: false,
        isManual: Boolean(manual_order),
      })),
  }));
}

/** Cache key of the folders shared with an address: what makes other shares outdated makes these outdated, too. */
export function receivedFoldersKey(email: string) {
  return [...receivedSharesKey(email), 'folders'] as const;
}

function receivedFoldersQuery(database: DatabaseClient, email: string) {
  return queryOptions({
    queryKey: receivedFoldersKey(email),
    queryFn: ({ signal }) => listReceivedFolders(database, signal),
    enabled: email !== '',
    refetchInterval: CACHE_MS.sharedListRefresh,
  });
}

/** The folders that others share with the signed-in person; renewed every 10 s while shown. */
export function useReceivedFolders() {
  return useQuery(receivedFoldersQuery(useDatabase(), usePerson()?.email ?? ''));
}
