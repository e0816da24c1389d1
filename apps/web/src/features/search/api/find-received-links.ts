import { toReceivedParameters } from '@linkoteca/domain/search-filters';
import { readQuestion } from '@linkoteca/domain/search-question';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { SearchResult } from '../../../shared/lib/rows.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';

/** A found link of a category that somebody shares. */
export interface ReceivedLink extends SearchResult {
  readonly owner_name: string | null;
}

/** So few that one's own results stay in sight. */
export const QUICK_RECEIVED = 4;

/** Received links that the search page shows at first, and each time more are asked for. */
const RECEIVED_PAGE = 20;

interface Wanted {
  readonly max_results: number;
  /** From 1, which is the default. */
  readonly page?: number;
}

/** Links that others share with the caller and what was typed finds. Folders, tags and what is broken are one's own: who names one means none of these. */
async function findReceivedLinks(
  database: DatabaseClient,
  typed: string,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<readonly ReceivedLink[]> {
  const { words, filters, isFiltered } = readQuestion(typed);
  const isOfOwn = filters.folder !== null || filters.tags.length > 0 || filters.untagged || filters.broken;
  if ((!isFiltered && words === '') || isOfOwn) return [];
  const { data } = await database
    .rpc('search_received_links', { term: words, ...toReceivedParameters(filters), ...wanted })
    .abortSignal(signal)
    .throwOnError();
  return data;
}

/**
 * The first of them, for the dropdown.
 * @param term without blanks around it; '' asks nothing.
 * @param shares which categories are open to the person: with others the answer is another.
 */
export function useReceivedHits(term: string, shares: string) {
  const database = useDatabase();
  const userId = useUserId();
  return useQuery({
    queryKey: ['search', userId, 'received', shares, term],
    queryFn: ({ signal }) => findReceivedLinks(database, term, { max_results: QUICK_RECEIVED }, signal),
    enabled: term !== '',
    // It may be taken back at any moment, and is not kept.
    staleTime: 0,
    gcTime: 0,
  });
}

/** Page after page of them; term and shares as above. */
export function useReceivedPages(term: string, shares: string) {
  const database = useDatabase();
  const userId = useUserId();
  return useInfiniteQuery({
    queryKey: ['search', userId, 'received-pages', shares, term],
    queryFn: ({ signal, pageParam }) =>
      findReceivedLinks(database, term, { max_results: RECEIVED_PAGE, page: pageParam }, signal),
    initialPageParam: 1,
    getNextPageParam: (last, _all, page) => (last.length === RECEIVED_PAGE ? page + 1 : undefined),
    enabled: term !== '',
    staleTime: 0,
    gcTime: 0,
  });
}
