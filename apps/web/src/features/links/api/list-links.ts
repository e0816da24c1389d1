import { isUuid } from '@linkoteca/domain/uuid';
import {
  infiniteQueryOptions,
  type QueryClient,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { columnsOfTaggedLinks, type Link } from '../../../shared/lib/rows.ts';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import {
  FIRST_PAGE_SIZE,
  type LinkCursor,
  type LinkPage,
  type LinkPages,
  linkPage,
} from '../model/link-pages.ts';
import { arrangedListKey, linkListKey } from '../model/link-rows.ts';

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
  let query = database
    .from('links')
    .select<string, Link>(columnsOfTaggedLinks())
    .eq('category_id', categoryId);
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

/** The same in the order that its owner gave the category, which the database keeps and sorts by. */
async function listArrangedLinks(
  database: DatabaseClient,
  categoryId: string,
  cursor: LinkCursor | null,
  signal: AbortSignal,
): Promise<LinkPage> {
  const size = cursor?.size ?? FIRST_PAGE_SIZE;
  const { data } = await database
    .rpc('arranged_links', {
      category_id: categoryId,
      max_results: size,
      ...(cursor?.rank === undefined ? {} : { below: cursor.rank }),
    })
    .abortSignal(signal)
    .throwOnError();
  const links = data.map(({ rank: _rank, tag_ids, ...link }) => ({
    ...link,
    category_id: categoryId,
    link_tags: (tag_ids ?? []).map((tag_id) => ({ tag_id })),
  }));
  return linkPage(
    links,
    size,
    Object.fromEntries(data.flatMap(({ id, rank }) => (rank === null ? [] : [[id, rank]]))),
  );
}

/** @param arranged in the category's own order; else newest first. */
function linksQuery(database: DatabaseClient, categoryId: string, arranged: boolean) {
  const list = arranged ? listArrangedLinks : listLinks;
  return infiniteQueryOptions({
    queryKey: arranged ? arrangedListKey(categoryId) : linkListKey(categoryId),
    queryFn: ({ pageParam, signal }) => list(database, categoryId, pageParam, signal),
    initialPageParam: null as LinkCursor | null,
    getNextPageParam: (page: LinkPage) => page.next,
  });
}

/** Asks for a category's first links ahead; an address that is no id asks nothing. */
export function prefetchLinks(
  queryClient: QueryClient,
  database: DatabaseClient,
  categoryId: string,
  arranged = false,
): void {
  if (isUuid(categoryId)) void queryClient.prefetchInfiniteQuery(linksQuery(database, categoryId, arranged));
}

/** The same while the category's name is still on the way. */
export function usePrefetchLinks(categoryId: string, arranged: boolean): void {
  const database = useDatabase();
  const queryClient = useQueryClient();
  const known = queryClient.getQueryState(linksQuery(database, categoryId, arranged).queryKey) !== undefined;
  useEffect(() => {
    if (!known) prefetchLinks(queryClient, database, categoryId, arranged);
  }, [known, categoryId, arranged, queryClient, database]);
}

/** Asks for the first links of any category ahead of a visit, unless they are fresh or on their way. */
export function usePrefetchLinksOf(): (categoryId: string, arranged: boolean) => void {
  const database = useDatabase();
  const queryClient = useQueryClient();
  return useCallback(
    (categoryId, arranged) => {
      const { queryKey } = linksQuery(database, categoryId, arranged);
      // A list that somebody has scrolled far into is not read again in full for a passing pointer.
      if (queryClient.getQueryData(queryKey) === undefined)
        prefetchLinks(queryClient, database, categoryId, arranged);
    },
    [database, queryClient],
  );
}

/** The links of a category, page after page, newest first or in its own order. */
export function useLinks(categoryId: string, arranged: boolean) {
  const queryClient = useQueryClient();
  return useInfiniteQuery({
    ...linksQuery(useDatabase(), categoryId, arranged),
    // Who gives the category an order begins with what is on the screen.
    placeholderData: () => queryClient.getQueryData<LinkPages>(linkListKey(categoryId)),
  });
}
