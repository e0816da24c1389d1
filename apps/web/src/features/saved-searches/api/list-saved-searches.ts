import { useQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { type SavedSearch, savedSearchListKey, sortByName } from '../model/saved-search-rows.ts';

/** The signed-in person's saved searches, by name; there are a hundred at most. */
export function useSavedSearches() {
  const database = useDatabase();
  const userId = useUserId();
  return useQuery({
    queryKey: savedSearchListKey(userId),
    queryFn: async ({ signal }): Promise<readonly SavedSearch[]> => {
      const { data } = await database
        .from('saved_searches')
        .select('id,name,question,created_at')
        .eq('user_id', userId)
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .abortSignal(signal)
        .throwOnError();
      return data;
    },
    select: sortByName,
  });
}
