import { useQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';

/**
 * For a term that finds nothing: the same with misspelt words replaced by the caller's own likest, which does find something. Null
 * where there is none, while it is on its way, and when it does not come: nobody waits for it, so no failure is told.
 * @param term '' asks nothing.
 */
export function useSuggestion(term: string): string | null {
  const database = useDatabase();
  const userId = useUserId();
  const { data } = useQuery({
    queryKey: ['search', userId, 'suggestion', term],
    queryFn: async ({ signal }) => {
      const { data: suggestion } = await database
        .rpc('suggest_search', { term })
        .abortSignal(signal)
        .throwOnError();
      return suggestion;
    },
    enabled: term !== '',
    retry: false,
  });
  return data ?? null;
}
