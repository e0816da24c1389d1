import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { type ActCounts, readActCounts } from '../model/act-counts.ts';

/** Asks what undoing the act behind an entry would bring back, as the library is now. @throws PostgrestError */
export function useWeighAct() {
  const database = useDatabase();
  return useMutation({
    gcTime: 0,
    mutationFn: async (changeId: number): Promise<ActCounts> => {
      const { data } = await database.rpc('program_act', { change_id: changeId }).throwOnError();
      return readActCounts(data);
    },
  });
}

/** Undoes the act behind an entry; asked twice, it answers twice the same. Everything that is cached is read anew. @throws PostgrestError */
export function useUndoAct() {
  const database = useDatabase();
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: ['history', 'undo'],
    mutationFn: async (changeId: number): Promise<ActCounts> => {
      const { data } = await database.rpc('undo_program_act', { change_id: changeId }).throwOnError();
      return readActCounts(data);
    },
    // Not waited for: the word that it is undone comes at once.
    onSuccess: () => void queryClient.invalidateQueries(),
  });
}
