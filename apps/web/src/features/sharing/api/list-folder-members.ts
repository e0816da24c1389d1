import { FOLDER_ROLES, type FolderRole, isFolderRole } from '@linkoteca/domain/folder-roles';
import { useQuery } from '@tanstack/react-query';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';

/** An address that a folder is shared with. */
export interface FolderMember {
  readonly id: string;
  readonly email: string;
  readonly role: FolderRole;
  /** There by a group alone: what they may do follows the group. */
  readonly isByGroup: boolean;
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
    .select('id,email,role,group_id')
    .eq('folder_id', folderId)
    .order('created_at', { ascending: true })
    .order('id', { ascending: true })
    .abortSignal(signal)
    .throwOnError();
  return joinPlaces(
    data.flatMap(({ id, email, role, group_id }) =>
      isFolderRole(role) ? [{ id, email, role, isByGroup: group_id !== null }] : [],
    ),
  );
}

/** Each person once: by their own invitation, if they have one, or else by the group that gives them most. */
function joinPlaces(places: readonly FolderMember[]): readonly FolderMember[] {
  const people = new Map<string, FolderMember>();
  for (const place of places) {
    const known = people.get(place.email);
    if (known === undefined || (known.isByGroup && (!place.isByGroup || isHigher(place.role, known.role))))
      people.set(place.email, place);
  }
  return [...people.values()];
}

const isHigher = (role: FolderRole, other: FolderRole) =>
  FOLDER_ROLES.indexOf(role) > FOLDER_ROLES.indexOf(other);

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
