import { LINK_PAGE_SIZE } from '@linkoteca/domain/limits';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { type Link, parseRow } from '../../../shared/lib/rows.ts';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';

type Cursor = Pick<Link, 'created_at' | 'id'>;

interface SharedLinkPage {
  readonly links: readonly Link[];
  /** The last link, after which the next page starts; null on the last one. */
  readonly next: Cursor | null;
}

/** The first page is on the screen at once; the function gives no more than this many. */
const LATER_PAGE_SIZE = 100;

async function listSharedLinks(
  database: DatabaseClient,
  categoryId: string,
  after: Cursor | null,
  signal: AbortSignal,
): Promise<SharedLinkPage> {
  const size = after === null ? LINK_PAGE_SIZE : LATER_PAGE_SIZE;
  const { data } = await database
    .rpc('shared_links', {
      category_id: categoryId,
      max_results: size,
      ...(after === null ? {} : { before: after.created_at, before_id: after.id }),
    })
    .abortSignal(signal)
    .throwOnError();
  // Whose they are is nobody's business here.
  const links = data.flatMap((row): readonly Link[] => {
    const link = parseRow('links', { ...row, category_id: categoryId, user_id: '' });
    return link === null ? [] : [{ ...link, tag_names: row.tags }];
  });
  return { links, next: data.length < size ? null : (links.at(-1) ?? null) };
}

/** Cache key of the links that viewers see of a category. */
export function sharedLinksKey(categoryId: string) {
  return ['shared-links', categoryId] as const;
}

/** The links of a category as its viewers see them, newest first, page after page. */
export function useSharedLinks(categoryId: string) {
  const database = useDatabase();
  return useInfiniteQuery(
    infiniteQueryOptions({
      queryKey: sharedLinksKey(categoryId),
      queryFn: ({ pageParam, signal }) => listSharedLinks(database, categoryId, pageParam, signal),
      initialPageParam: null as Cursor | null,
      getNextPageParam: (page: SharedLinkPage) => page.next,
    }),
  );
}
