import type { SearchResult } from '@linkoteca/domain/entities';
import { SEARCH } from '@linkoteca/domain/limits';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';

export interface SearchAnswer {
  /** The term these results belong to. */
  readonly term: string;
  readonly results: readonly SearchResult[];
}

/** The caller's links whose title, address or description contains the term, without regard to case and accents. */
async function searchLinks(
  database: DatabaseClient,
  term: string,
  maxResults: number,
  signal: AbortSignal,
): Promise<SearchAnswer> {
  const { data } = await database
    .rpc('search_links', { term, max_results: maxResults })
    .abortSignal(signal)
    .throwOnError();
  return { term, results: data };
}

/** Each term has its own cache entry, so an answer that comes late can never show below a newer term. */
function searchLinksQuery(database: DatabaseClient, userId: string, term: string) {
  return queryOptions({
    queryKey: ['search', userId, term],
    queryFn: ({ signal }) => searchLinks(database, term, SEARCH.quickLimit, signal),
    enabled: term !== '',
    // What is being typed must find what was saved a second ago.
    staleTime: 0,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  });
}

/** Results for a trimmed term; an empty one asks nothing. */
export function useSearchLinks(term: string) {
  return useQuery(searchLinksQuery(useDatabase(), useUserId(), term));
}
