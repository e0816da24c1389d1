import { UNIQUE_VIOLATION } from '@linkoteca/domain/limits';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { type SavedSearch, savedSearchListKey, savedSearchRows } from '../model/saved-search-rows.ts';

interface Change {
  readonly kind: 'add' | 'rename' | 'remove';
  /** As it is to be, or was. */
  readonly search: SavedSearch;
}

/** Adds, renames or removes a saved search; the list shows it before the service has answered, which hears of one after the other. */
export function useWriteSavedSearch() {
  const database = useDatabase();
  const userId = useUserId();
  const queryClient = useQueryClient();
  const rows = savedSearchRows(queryClient, userId);
  return useMutation({
    mutationKey: ['saved_searches'],
    scope: { id: 'saved_searches' },
    mutationFn: (change: Change) => write(database, userId, change),
    onMutate: ({ kind, search }) => {
      if (kind === 'add') return rows.beginAdd(search);
      if (kind === 'rename') return rows.beginPatch(search.id, { name: search.name });
      return rows.beginDrop(({ id }) => id === search.id);
    },
    onError: (_error, _change, shown) => shown?.undo(),
    onSettled: (_data, error, { kind }, shown) => {
      shown?.settle();
      const queryKey = savedSearchListKey(userId);
      // What was refused, or is there under another id, is not what is shown.
      if (error !== null || kind !== 'remove') void queryClient.invalidateQueries({ queryKey });
    },
  });
}

async function write(database: DatabaseClient, userId: string, { kind, search }: Change): Promise<void> {
  const table = database.from('saved_searches');
  const { id, name, question } = search;
  if (kind === 'add') {
    const { error } = await table.insert({ id, name, question, user_id: userId });
    // Another device, or an attempt whose answer was lost, has saved the same.
    if (error && error.code !== UNIQUE_VIOLATION) throw error;
    return;
  }
  // Another device may have it under another id: no question is there twice.
  const change = kind === 'rename' ? table.update({ name }) : table.delete();
  const changed = change.eq('question', question).eq('user_id', userId);
  if (kind === 'rename') await changed.select('id').single().throwOnError();
  else await changed.throwOnError();
}
