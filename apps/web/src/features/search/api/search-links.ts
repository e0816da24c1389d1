import { SEARCH } from '@linkoteca/domain/limits';
import type { QueryClient } from '@tanstack/react-query';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SearchResult } from '../../../shared/lib/rows.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { findLinks } from './find-links.ts';

const answersKey = (userId: string) => ['search', userId, 'quick'] as const;

/** Each term has its own cache entry, so an answer that comes late can never show below a newer term. */
function searchLinksQuery(database: DatabaseClient, userId: string, term: string) {
  return queryOptions({
    queryKey: [...answersKey(userId), term],
    queryFn: ({ signal }) => findLinks(database, term, { max_results: SEARCH.quickLimit }, signal),
    enabled: term !== '',
    // What is being typed must find what was saved a second ago.
    staleTime: 0,
    gcTime: 60_000,
  });
}

/** Results for a trimmed term; an empty one asks nothing. */
export function useSearchLinks(term: string) {
  return useQuery(searchLinksQuery(useDatabase(), useUserId(), term));
}

/** The answers of one person's search, kept while they go on typing. */
export function useSearchAnswers() {
  const queryClient: QueryClient = useQueryClient();
  const queryKey = answersKey(useUserId());
  return {
    /** Everything that was answered so far. */
    read: (): readonly SearchResult[] =>
      queryClient
        .getQueriesData<readonly SearchResult[]>({ queryKey })
        .flatMap(([, results]) => results ?? []),
    /** Forgets them: what they name may change before the next search. */
    forget: () => queryClient.removeQueries({ queryKey }),
  };
}
