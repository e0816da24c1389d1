import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { BinEntry } from '../model/bin-entry.ts';
import { hideEntries } from './hide-entries.ts';
import { binQuery } from './list-bin.ts';

/** Deletes one of the bin's deletions for good, or all of them where null is named; the list shows it at once. */
export function useDeleteFromBin() {
  const database = useDatabase();
  const queryClient = useQueryClient();
  const { queryKey } = binQuery(database, useUserId());
  return useMutation({
    mutationKey: ['bin', 'delete'],
    mutationFn: async (entry: BinEntry | null): Promise<void> => {
      if (entry === null) await database.rpc('empty_bin').throwOnError();
      else await database.rpc('delete_from_bin', { deletion_id: entry.id }).throwOnError();
    },
    onMutate: (entry) => hideEntries(queryClient, queryKey, ({ id }) => entry === null || id === entry.id),
    onError: (_error, _entry, showAgain) => showAgain?.(),
    onSettled: () => void queryClient.invalidateQueries({ queryKey }),
  });
}
