import { readQuestion } from '@linkoteca/domain/search-question';
import { useQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { loadFilters } from './find-links.ts';

/** How many links a term finds in all, up to where counting ends; null while unknown. @param wanted false asks nothing. */
export function useFoundTotal(term: string, wanted: boolean): number | null {
  const database = useDatabase();
  const userId = useUserId();
  const { data } = useQuery({
    queryKey: ['search', userId, 'total', term],
    queryFn: async ({ signal }) => {
      const { words, filters } = readQuestion(term);
      const { toParameters } = await loadFilters();
      const { data: total } = await database
        .rpc('count_links_by', { term: words, ...toParameters(filters) })
        .abortSignal(signal)
        .throwOnError();
      return total;
    },
    enabled: wanted,
    // The page says less without it, and nothing is missing.
    retry: false,
    staleTime: 0,
  });
  return wanted ? (data ?? null) : null;
}
