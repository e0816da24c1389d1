import { type FolderRole, isFolderRole } from '@linkoteca/domain/folder-roles';
import { useQuery } from '@tanstack/react-query';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { useGroupWrite } from './groups.ts';

/** A group that has access to a folder. */
export interface FolderGroup {
  readonly id: string;
  readonly name: string;
  readonly role: FolderRole;
  /** How many of it are in the folder: whoever left it is not counted. */
  readonly memberCount: number;
}

/** The groups with which one's own folder is shared; read anew for each opening. */
export function useFolderGroups(folderId: string) {
  const database = useDatabase();
  return useQuery({
    queryKey: ['folder-groups', folderId],
    queryFn: async ({ signal }): Promise<readonly FolderGroup[]> => {
      const { data } = await database
        .rpc('list_folder_groups', { folder_id: folderId })
        .abortSignal(signal)
        .throwOnError();
      return data.flatMap(({ group_id: id, name, role, member_count: memberCount }) =>
        isFolderRole(role) ? [{ id, name, role, memberCount }] : [],
      );
    },
    staleTime: 0,
    gcTime: 0,
  });
}

/** What changes the groups of a folder. Each throws the table API's error. */
export function useFolderGroupWrites(folderId: string) {
  const database = useDatabase();
  return {
    /** Also changes the role of one that has access. */
    share: useGroupWrite(async ({ id, role }: Pick<FolderGroup, 'id' | 'role'>) => {
      const share = { folder_id: folderId, group_id: id, role };
      await database.rpc('share_folder_with_group', share).throwOnError();
    }),
    end: useGroupWrite(async ({ id, role }: Pick<FolderGroup, 'id' | 'role'>) => {
      await database.rpc('end_group_share', { folder_id: folderId, group_id: id }).throwOnError();
      return { id, role };
    }),
  };
}
