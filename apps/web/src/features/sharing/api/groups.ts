import type { Json } from '@linkoteca/database-types/database';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';

/** A named list of addresses that the person keeps. */
export interface Group {
  readonly id: string;
  readonly name: string;
  readonly emails: readonly string[];
  /** Shared folders in which it has access. */
  readonly folderCount: number;
}

const groupsKey = ['groups'] as const;
/** What changes with a group: itself, where it has access, and who is in the folders by it. */
export const READS_OF_GROUPS = [groupsKey, ['folder-groups'], ['folder-members']] as const;

/** The person's groups by name; read anew for each opening. */
export function useGroups() {
  const database = useDatabase();
  return useQuery({
    queryKey: groupsKey,
    queryFn: async ({ signal }): Promise<readonly Group[]> => {
      const { data } = await database.rpc('list_groups').abortSignal(signal).throwOnError();
      return data.map(({ id, name, emails, folder_count }) => ({
        id,
        name,
        emails,
        folderCount: folder_count,
      }));
    },
    staleTime: 0,
  });
}

/** A write after which all that hangs on groups is read again. */
export function useGroupWrite<Input, Output>(write: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: ['groups', 'write'],
    mutationFn: write,
    onSettled: () =>
      Promise.all(READS_OF_GROUPS.map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  });
}

interface SavedGroup {
  readonly id: string;
  readonly name: string;
  /** Addresses that come to it and that leave it. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** A group that was deleted, with all that brings it back. */
export interface DeletedGroup {
  readonly id: string;
  readonly content: Json;
}

/** What changes the person's groups. Each throws the table API's error. */
export function useGroupWrites() {
  const database = useDatabase();
  return {
    save: useGroupWrite(async ({ id, name, added, removed }: SavedGroup) => {
      const change = { group_id: id, name, added: [...added], removed: [...removed] };
      await database.rpc('save_group', change).throwOnError();
    }),
    remove: useGroupWrite(async (id: string): Promise<DeletedGroup> => {
      const { data } = await database.rpc('delete_group', { group_id: id }).throwOnError();
      return { id, content: data };
    }),
    restore: useGroupWrite(async ({ id, content }: DeletedGroup) => {
      await database.rpc('restore_group', { group_id: id, content }).throwOnError();
    }),
  };
}
