import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { FIRST_PAGE_SIZE, type LinkCursor, type LinkPage, linkPage } from '../model/link-pages.ts';
import { linkListKey } from '../model/link-rows.ts';

export const LINK_COLUMNS = 'id,title,url,description,category_id,user_id,created_at,updated_at';

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
  let query = database.from('links').select(LINK_COLUMNS).eq('category_id', categoryId);
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

export function linksQuery(database: DatabaseClient, categoryId: string) {
  return infiniteQueryOptions({
    queryKey: linkListKey(categoryId),
    queryFn: ({ pageParam, signal }) => listLinks(database, categoryId, pageParam, signal),
    initialPageParam: null as LinkCursor | null,
    getNextPageParam: (page: LinkPage) => page.next,
  });
}

/** The links of a category, page after page. */
export function useLinks(categoryId: string) {
  return useInfiniteQuery(linksQuery(useDatabase(), categoryId));
}
