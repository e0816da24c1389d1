import type { Link } from '@linkoteca/domain/entities';
import type { QueryClient } from '@tanstack/react-query';
import { beginOptimisticWrite, type OptimisticWrite } from '../../../shared/lib/optimistic-write.ts';
import {
  flattenLinks,
  insertLink,
  type LinkPages,
  patchLink,
  prependLink,
  removeLinks,
} from './link-pages.ts';

/** Cache key of one category's links. */
export function linkListKey(categoryId: string) {
  return ['links', categoryId] as const;
}

/** Shows changed link counts ahead of the server: category id to how many it gains (below zero: loses). */
export type BeginCountLinks = (change: ReadonlyMap<string, number>) => Promise<OptimisticWrite>;

/** Shows a new link at the top of its category before it is saved. */
export function beginAddLink(queryClient: QueryClient, link: Link): Promise<OptimisticWrite> {
  return begin(queryClient, [link.category_id], () => {
    edit(queryClient, link.category_id, (pages) => prependLink(pages, link));
    return () => edit(queryClient, link.category_id, (pages) => removeLinks(pages, new Set([link.id])));
  });
}

/** Shows a changed link, in another category if it moves, before it is saved. */
export function beginChangeLink(
  queryClient: QueryClient,
  before: Link,
  after: Link,
): Promise<OptimisticWrite> {
  return begin(queryClient, [before.category_id, after.category_id], () => {
    replace(queryClient, before, after);
    return () => replace(queryClient, after, before);
  });
}

/** Hides links of one category before they are deleted. */
export function beginDropLinks(queryClient: QueryClient, links: readonly Link[]): Promise<OptimisticWrite> {
  const categoryIds = [...new Set(links.map((link) => link.category_id))];
  const ids = new Set(links.map((link) => link.id));
  return begin(queryClient, categoryIds, () => {
    for (const categoryId of categoryIds) edit(queryClient, categoryId, (pages) => removeLinks(pages, ids));
    return () => {
      for (const link of links) edit(queryClient, link.category_id, (pages) => insertLink(pages, link));
    };
  });
}

/** Puts the row as the server stored it in place of the one shown ahead. */
export function storeLink(queryClient: QueryClient, link: Link): void {
  edit(queryClient, link.category_id, (pages) => patchLink(pages, link.id, link));
}

function replace(queryClient: QueryClient, before: Link, after: Link): void {
  if (before.category_id === after.category_id) {
    edit(queryClient, after.category_id, (pages) => patchLink(pages, after.id, after));
    return;
  }
  edit(queryClient, before.category_id, (pages) => removeLinks(pages, new Set([before.id])));
  edit(queryClient, after.category_id, (pages) => {
    const known = flattenLinks(pages).some((link) => link.id === after.id);
    return known ? pages : insertLink(pages, after);
  });
}

function begin(queryClient: QueryClient, categoryIds: readonly string[], change: () => () => void) {
  return beginOptimisticWrite(queryClient, [...new Set(categoryIds)].map(linkListKey), change);
}

function edit(queryClient: QueryClient, categoryId: string, change: (pages: LinkPages) => LinkPages): void {
  queryClient.setQueryData<LinkPages>(linkListKey(categoryId), (pages) => pages && change(pages));
}
