import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { BinEntry } from '../model/bin-entry.ts';
import { hideEntries } from './hide-entries.ts';
import { binQuery } from './list-bin.ts';

interface Restoration {
  readonly entry: BinEntry;
  /** Where to, for what cannot go where it was: a folder of categories, a category of links. */
  readonly placeId?: string;
}

/**
 * Restores a deletion; it leaves the list at once and is back when that was refused. Resolves to a category to open, or null.
 * Everything else that is cached is read anew.
 */
export function useRestoreFromBin() {
  const database = useDatabase();
  const queryClient = useQueryClient();
  const { queryKey } = binQuery(database, useUserId());
  return useMutation({
    mutationKey: ['bin', 'restore'],
    mutationFn: async ({ entry, placeId }: Restoration): Promise<string | null> => {
      const { data } = await database
        .rpc('restore_from_bin', { deletion_id: entry.id, ...(placeId ? { place_id: placeId } : {}) })
        .throwOnError();
      const opened: unknown =
        typeof data === 'object' && data !== null ? Reflect.get(data, 'category_id') : null;
      return typeof opened === 'string' ? opened : null;
    },
    onMutate: ({ entry }) => hideEntries(queryClient, queryKey, ({ id }) => id === entry.id),
    onError: (_error, _restoration, showAgain) => showAgain?.(),
    // Not waited for: the word that it is back comes at once.
    onSuccess: () => void queryClient.invalidateQueries(),
    onSettled: () => void queryClient.invalidateQueries({ queryKey }),
  });
}
