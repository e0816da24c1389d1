import type { FolderRole } from '@linkoteca/domain/folder-roles';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { type FolderMember, folderMembersKey } from './list-folder-members.ts';

type Edit = (members: readonly FolderMember[]) => readonly FolderMember[];

/** Shows a change of the list before it is stored, and reads the list again afterwards. */
function useListWrite<Input>(
  folderId: string,
  write: (input: Input) => PromiseLike<unknown>,
  edit: (input: Input) => Edit,
) {
  const queryClient = useQueryClient();
  const queryKey = folderMembersKey(folderId);
  return useMutation({
    mutationKey: ['folder-members', 'write'],
    mutationFn: async (input: Input) => void (await write(input)),
    onMutate: async (input) => {
      await queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueryData<readonly FolderMember[]>(queryKey);
      if (before) queryClient.setQueryData(queryKey, edit(input)(before));
      return before;
    },
    onError: (_error, _input, before) => queryClient.setQueryData(queryKey, before),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}

/** What changes the list of a folder's people. Each throws the table API's error. */
export function useFolderMemberWrites(folderId: string) {
  const database = useDatabase();
  const table = () => database.from('folder_members');
  return {
    /** All of them or, refused, none. */
    invite: useListWrite(
      folderId,
      ({ emails, role }: { readonly emails: readonly string[]; readonly role: FolderRole }) =>
        table()
          .insert(emails.map((email) => ({ folder_id: folderId, email, role })))
          .throwOnError(),
      // Shown when they are on the list: who may be refused is not there yet.
      () => (members) => members,
    ),
    changeRole: useListWrite(
      folderId,
      ({ id, role }: Pick<FolderMember, 'id' | 'role'>) =>
        table().update({ role }).eq('id', id).throwOnError(),
      ({ id, role }) =>
        (members) =>
          members.map((member) => (member.id === id ? { ...member, role } : member)),
    ),
    remove: useListWrite(
      folderId,
      // However they came to it, by their address or by groups.
      ({ email }: FolderMember) =>
        table().delete().eq('folder_id', folderId).eq('email', email).throwOnError(),
      ({ email }) =>
        (members) =>
          members.filter((member) => member.email !== email),
    ),
  };
}
