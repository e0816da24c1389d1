import {
  infiniteQueryOptions,
  type QueryClient,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { columnsOf, type Link } from '../../../shared/lib/rows.ts';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { FIRST_PAGE_SIZE, type LinkCursor, type LinkPage, linkPage } from '../model/link-pages.ts';
import { linkListKey } from '../model/link-rows.ts';

/**
 * One page of a category's links, newest first.
 * @param cursor the link the page starts after; null for the first page. A position counted in rows would skip or
 * repeat links whenever one is added or deleted while someone scrolls.
 */
export async function listLinks(
  database: DatabaseClient,
  categoryId: string,
  cursor: LinkCursor | null,
  signal: AbortSignal,
): Promise<LinkPage> {
  const size = cursor?.size ?? FIRST_PAGE_SIZE;
  let query = database.from('links').select<string, Link>(columnsOf('links')).eq('category_id', categoryId);
  if (cursor) {
    const { created_at: at, id } = cursor;
    // The first condition lets the index start there; the second leaves out what the page before has shown.
    query = query.lte('created_at', at).or(`created_at.lt."${at}",id.lt.${id}`);
  }
  const { data } = await query
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(size)
    .abortSignal(signal)
    .throwOnError();
  return linkPage(data, size);
}

function linksQuery(database: DatabaseClient, categoryId: string) {
  return infiniteQueryOptions({
    queryKey: linkListKey(categoryId),
    queryFn: ({ pageParam, signal }) => listLinks(database, categoryId, pageParam, signal),
    initialPageParam: null as LinkCursor | null,
    getNextPageParam: (page: LinkPage) => page.next,
  });
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Asks for a category's first links ahead; an address that is no id asks nothing. */
export function prefetchLinks(queryClient: QueryClient, database: DatabaseClient, categoryId: string): void {
  if (UUID.test(categoryId)) void queryClient.prefetchInfiniteQuery(linksQuery(database, categoryId));
}

/** The same while the category's name is still on the way. */
export function usePrefetchLinks(categoryId: string): void {
  const database = useDatabase();
  const queryClient = useQueryClient();
  const known = queryClient.getQueryState(linksQuery(database, categoryId).queryKey) !== undefined;
  useEffect(() => {
    if (!known) prefetchLinks(queryClient, database, categoryId);
  }, [known, categoryId, queryClient, database]);
}

/** Asks for the first links of any category ahead of a visit, unless they are fresh or on their way. */
export function usePrefetchLinksOf(): (categoryId: string) => void {
  const database = useDatabase();
  const queryClient = useQueryClient();
  return useCallback(
    (categoryId) => {
      const { queryKey } = linksQuery(database, categoryId);
      // A list that somebody has scrolled far into is not read again in full for a passing pointer.
      if (queryClient.getQueryData(queryKey) === undefined) prefetchLinks(queryClient, database, categoryId);
    },
    [database, queryClient],
  );
}

/** The links of a category, page after page. */
export function useLinks(categoryId: string) {
  return useInfiniteQuery(linksQuery(useDatabase(), categoryId));
}
