import type { QueryClient } from '@tanstack/react-query';
import type { Link } from '../../../shared/lib/rows.ts';
import { beginOptimisticWrite, type OptimisticWrite } from '../../../shared/lib/writes/optimistic-write.ts';
import type { RowWrite } from '../../../shared/lib/writes/pending-writes.ts';
import {
  flattenLinks,
  insertLinks,
  type LinkPages,
  patchLink,
  prependLinks,
  removeLinks,
  replaceLinks,
} from './link-pages.ts';

/** Cache key of one category's links. */
export function linkListKey(categoryId: string) {
  return ['links', categoryId] as const;
}

/** Cache key of the same in the order that somebody gave the category; what makes the first outdated makes this outdated, too. */
export function arrangedListKey(categoryId: string) {
  return [...linkListKey(categoryId), 'arranged'] as const;
}

/** Shows changed link counts ahead of the server: category id to how many it gains (below zero: loses). */
export type BeginCountLinks = (change: ReadonlyMap<string, number>) => Promise<OptimisticWrite>;

/** Shows new links at the top of their category, the first one first, before they are saved. */
export function beginAddLinks(queryClient: QueryClient, links: readonly Link[]): Promise<OptimisticWrite> {
  const categoryIds = [...new Set(links.map((link) => link.category_id))];
  const ids = new Set(links.map((link) => link.id));
  return begin(queryClient, categoryIds, own('add', ids), () => {
    const before = categoryIds.flatMap((categoryId) => findLoadedLinks(queryClient, categoryId, [...ids]));
    for (const categoryId of categoryIds) {
      const added = links.filter((link) => link.category_id === categoryId);
      edit(queryClient, categoryId, (pages) => prependLinks(pages, added));
    }
    return () => {
      for (const categoryId of categoryIds) edit(queryClient, categoryId, (pages) => removeLinks(pages, ids));
      insertByCategory(queryClient, before);
    };
  });
}

/** Shows a changed link, in another category if it moves, before it is saved. */
export function beginChangeLink(
  queryClient: QueryClient,
  before: Link,
  after: Link,
): Promise<OptimisticWrite> {
  return begin(
    queryClient,
    [before.category_id, after.category_id],
    own('change', new Set([before.id])),
    () => {
      replaceLink(queryClient, before, after);
      return () => replaceLink(queryClient, after, before);
    },
  );
}

/** Hides links of one category before they are deleted. */
export function beginDropLinks(queryClient: QueryClient, links: readonly Link[]): Promise<OptimisticWrite> {
  const categoryIds = [...new Set(links.map((link) => link.category_id))];
  const ids = new Set(links.map((link) => link.id));
  return begin(queryClient, categoryIds, own('drop', ids), () => {
    for (const categoryId of categoryIds) edit(queryClient, categoryId, (pages) => removeLinks(pages, ids));
    return () => insertByCategory(queryClient, links);
  });
}

/** Shows deleted links again before the server has brought them back. */
export function beginRestoreLinks(
  queryClient: QueryClient,
  links: readonly Link[],
): Promise<OptimisticWrite> {
  const categoryIds = [...new Set(links.map((link) => link.category_id))];
  const ids = new Set(links.map((link) => link.id));
  return begin(queryClient, categoryIds, own('add', ids), () => {
    insertByCategory(queryClient, links);
    return () => {
      for (const categoryId of categoryIds) edit(queryClient, categoryId, (pages) => removeLinks(pages, ids));
    };
  });
}

/** Shows links of one category in another before they are moved. */
export function beginMoveLinks(
  queryClient: QueryClient,
  links: readonly Link[],
  targetId: string,
): Promise<OptimisticWrite> {
  const sources = Map.groupBy(links, (link) => link.category_id);
  const ids = new Set(links.map((link) => link.id));
  return begin(queryClient, [...sources.keys(), targetId], own('change', ids), () => {
    for (const sourceId of sources.keys()) edit(queryClient, sourceId, (pages) => removeLinks(pages, ids));
    const moved = links.map((link) => ({ ...link, category_id: targetId }));
    edit(queryClient, targetId, (pages) => insertLinks(pages, moved));
    return () => {
      edit(queryClient, targetId, (pages) => removeLinks(pages, ids));
      for (const [sourceId, rows] of sources)
        edit(queryClient, sourceId, (pages) => insertLinks(pages, rows));
    };
  });
}

/** The loaded links of a category that have one of these ids. */
export function findLoadedLinks(
  queryClient: QueryClient,
  categoryId: string,
  ids: readonly string[],
): readonly Link[] {
  const wanted = new Set(ids);
  const lists = queryClient.getQueriesData<LinkPages>({ queryKey: linkListKey(categoryId) });
  const found = lists.map(([, pages]) =>
    pages ? flattenLinks(pages).filter((link) => wanted.has(link.id)) : [],
  );
  return found.toSorted((a, b) => b.length - a.length)[0] ?? [];
}

/** Puts the row as the server stored it in place of the one shown ahead. */
export function storeLink(queryClient: QueryClient, link: Link): void {
  edit(queryClient, link.category_id, (pages) => patchLink(pages, link.id, link));
}

/** As storeLink, for many. */
export function storeLinks(queryClient: QueryClient, links: readonly Link[]): void {
  for (const [categoryId, stored] of Map.groupBy(links, (link) => link.category_id)) {
    edit(queryClient, categoryId, (pages) => replaceLinks(pages, stored));
  }
}

/** Puts one version of a link in place of another, in another category if it moved. */
export function replaceLink(queryClient: QueryClient, before: Link, after: Link): void {
  if (before.category_id === after.category_id) {
    edit(queryClient, after.category_id, (pages) => patchLink(pages, after.id, after));
    return;
  }
  edit(queryClient, before.category_id, (pages) => removeLinks(pages, new Set([before.id])));
  edit(queryClient, after.category_id, (pages) => insertLinks(pages, [after]));
}

function insertByCategory(queryClient: QueryClient, links: readonly Link[]): void {
  for (const [categoryId, rows] of Map.groupBy(links, (link) => link.category_id))
    edit(queryClient, categoryId, (pages) => insertLinks(pages, rows));
}

function begin(
  queryClient: QueryClient,
  categoryIds: readonly string[],
  own: RowWrite,
  change: () => () => void,
) {
  return beginOptimisticWrite(queryClient, [...new Set(categoryIds)].map(linkListKey), change, own);
}

function own(kind: RowWrite['kind'], ids: ReadonlySet<string>): RowWrite {
  return { table: 'links', kind, ids: [...ids] };
}

function edit(queryClient: QueryClient, categoryId: string, change: (pages: LinkPages) => LinkPages): void {
  queryClient.setQueriesData<LinkPages>(
    { queryKey: linkListKey(categoryId) },
    (pages) => pages && change(pages),
  );
}
