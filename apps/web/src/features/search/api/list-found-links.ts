import { SEARCH } from '@linkoteca/domain/limits';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { SearchResult } from '../../../shared/lib/rows.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';

interface FoundLinksRequest {
  readonly userId: string;
  /** Without blanks around it; '' stands for all links. */
  readonly term: string;
  /** From 1. */
  readonly page: number;
}

/** One page of the caller's links that contain the term, newest first; of all links when there is no term. */
async function listFoundLinks(
  database: DatabaseClient,
  { userId, term, page }: FoundLinksRequest,
  signal: AbortSignal,
): Promise<readonly SearchResult[]> {
  const size = SEARCH.serviceCap;
  if (term !== '') {
    const { data } = await database
      .rpc('search_links', { term, max_results: size, page })
      .abortSignal(signal)
      .throwOnError();
    return data;
  }
  const { data } = await database
    .from('links')
    .select('id,title,description,url,category_id,categories(name)')
    .eq('user_id', userId)
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .range((page - 1) * size, page * size - 1)
    .abortSignal(signal)
    .throwOnError();
  return data.map(({ categories, ...link }) => ({ ...link, category_name: categories.name }));
}

function foundLinksQuery(database: DatabaseClient, request: FoundLinksRequest) {
  const { userId, term, page } = request;
  return queryOptions({
    queryKey: ['search', userId, 'page', term, page],
    queryFn: ({ signal }) => listFoundLinks(database, request, signal),
    // Shown at once when someone comes back, and asked again: links come and go elsewhere.
    staleTime: 0,
  });
}

/** A page of results, and whether another follows; that one is fetched ahead, so that it opens at once. */
export function useFoundLinks(term: string, page: number) {
  const database = useDatabase();
  const request = { userId: useUserId(), term, page };
  const query = useQuery(foundLinksQuery(database, request));
  const full = query.data?.length === SEARCH.serviceCap;
  const next = useQuery({
    ...foundLinksQuery(database, { ...request, page: page + 1 }),
    enabled: full,
    staleTime: 60_000,
  });
  return { query, hasNext: full && next.data?.length !== 0 };
}
