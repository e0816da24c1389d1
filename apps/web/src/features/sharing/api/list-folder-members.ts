import { type FolderRole, isFolderRole } from '@linkoteca/domain/folder-roles';
import { useQuery } from '@tanstack/react-query';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';

/** An address that a folder is shared with. */
export interface FolderMember {
  readonly id: string;
  readonly email: string;
  readonly role: FolderRole;
}

/** Cache key of the people a folder is shared with. */
export function folderMembersKey(folderId: string) {
  return ['folder-members', folderId] as const;
}

async function listFolderMembers(
  database: DatabaseClient,
  folderId: string,
  signal: AbortSignal,
): Promise<readonly FolderMember[]> {
  const { data } = await database
    .from('folder_members')
    .select('id,email,role')
    .eq('folder_id', folderId)
    .order('created_at', { ascending: true })
    .order('id', { ascending: true })
    .abortSignal(signal)
    .throwOnError();
  return data.flatMap(({ id, email, role }) => (isFolderRole(role) ? [{ id, email, role }] : []));
}

/** With whom a folder is shared, as its owner and managers see it; read anew for each opening. */
export function useFolderMembers(folderId: string) {
  const database = useDatabase();
  return useQuery({
    queryKey: folderMembersKey(folderId),
    queryFn: ({ signal }) => listFolderMembers(database, folderId, signal),
    staleTime: 0,
    gcTime: 0,
  });
}
