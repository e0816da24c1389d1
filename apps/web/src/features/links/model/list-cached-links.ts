import type { QueryClient } from '@tanstack/react-query';
import { compareNewestFirst } from '../../../shared/lib/newest-first.ts';
import type { Link } from '../../../shared/lib/rows.ts';
import { flattenLinks, type LinkPages } from './link-pages.ts';

/** The links that the browser holds of the given categories, in lists that are newest first. */
export function listCachedLinks(
  queryClient: QueryClient,
  categoryIds: ReadonlySet<string>,
): readonly (readonly Link[])[] {
  const lists = queryClient
    .getQueriesData<LinkPages>({ queryKey: ['links'] })
    .filter(([[, categoryId]]) => typeof categoryId === 'string' && categoryIds.has(categoryId));
  // A category may be held in two orders, one of them further than the other: each of its links counts once.
  return [...Map.groupBy(lists, ([[, categoryId]]) => categoryId).values()].flatMap((held) => {
    const [longest] = held
      .flatMap(([, pages]) => pages ?? [])
      .toSorted((a, b) => b.pages.length - a.pages.length);
    if (longest === undefined) return [];
    if (longest.pages[0]?.ranks === undefined) return longest.pages.map((page) => page.links);
    return [flattenLinks(longest).toSorted(compareNewestFirst)];
  });
}
