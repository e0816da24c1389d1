import { useMutation, useQueryClient } from '@tanstack/react-query';
import { usePerson } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { receivedFoldersKey } from './list-received-folders.ts';

/** Gives up one's own place in somebody's folder. @throws the table API's error. */
export function useLeaveFolder() {
  const database = useDatabase();
  const email = (usePerson()?.email ?? '').toLowerCase();
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: ['received-shares', 'leave-folder'],
    mutationFn: async (folderId: string) =>
      void (await database
        .from('folder_members')
        .delete()
        .eq('folder_id', folderId)
        .eq('email', email)
        .throwOnError()),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: receivedFoldersKey(email) }),
  });
}
