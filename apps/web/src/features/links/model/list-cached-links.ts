import type { QueryClient } from '@tanstack/react-query';
import type { Link } from '../../../shared/lib/rows.ts';
import type { LinkPages } from './link-pages.ts';

/** The links that the browser holds of the given categories, in lists that are newest first. */
export function listCachedLinks(
  queryClient: QueryClient,
  categoryIds: ReadonlySet<string>,
): readonly (readonly Link[])[] {
  return queryClient
    .getQueriesData<LinkPages>({ queryKey: ['links'] })
    .filter(([[, categoryId]]) => typeof categoryId === 'string' && categoryIds.has(categoryId))
    .flatMap(([, pages]) => pages?.pages.map((page) => page.links) ?? []);
}
