import type { QueryClient } from '@tanstack/react-query';
import { supersedes } from '../../../shared/lib/realtime/row-versions.ts';
import type { TableChange } from '../../../shared/lib/realtime/table-change.ts';
import { type Link, parseRow } from '../../../shared/lib/rows.ts';
import { flattenLinks, insertLinks, type LinkPages, removeLinks, replaceLinks } from './link-pages.ts';

/**
 * Puts what was heard of links into every cached list: those that came, changed, went, or moved to another category. A
 * list that nothing concerns stays the very same.
 */
export function applyLinkChanges(queryClient: QueryClient, changes: readonly TableChange[]): void {
  const last = new Map(changes.map((change) => [change.id, change]));
  const lists = queryClient.getQueriesData<LinkPages>({ queryKey: ['links'] });
  for (const [key, pages] of lists) {
    const [, categoryId] = key;
    if (typeof categoryId !== 'string' || pages === undefined) continue;
    const next = applyToPages(pages, categoryId, last);
    if (next !== pages) queryClient.setQueryData<LinkPages>(key, next);
  }
}

/** The pages of one category after changes. @param last the last change of each link: the row is whole in each of them. */
export function applyToPages(
  pages: LinkPages,
  categoryId: string,
  last: ReadonlyMap<string, TableChange>,
): LinkPages {
  const gone = new Set<string>();
  const changed: Link[] = [];
  const arrived = new Map(
    [...last].filter(([, { operation, row }]) => operation !== 'DELETE' && row['category_id'] === categoryId),
  );
  for (const link of flattenLinks(pages)) {
    const change = last.get(link.id);
    if (change === undefined) continue;
    const next = change.operation === 'DELETE' ? null : parseRow('links', { ...link, ...change.row });
    if (change.operation === 'DELETE' || (next && next.category_id !== categoryId && supersedes(next, link)))
      gone.add(link.id);
    else if (next && next.category_id === categoryId && supersedes(next, link)) changed.push(next);
    arrived.delete(link.id);
  }
  const kept = gone.size > 0 ? removeLinks(pages, gone) : pages;
  const patched = changed.length > 0 ? replaceLinks(kept, changed) : kept;
  const added = [...arrived.values()].flatMap(({ row }) => parseRow('links', row) ?? []);
  return added.length > 0 ? insertLinks(patched, added) : patched;
}

/** Where each link stands, as far as the lists know: link id to category id. */
export function indexLinkHomes(queryClient: QueryClient): ReadonlyMap<string, string> {
  const lists = queryClient.getQueriesData<LinkPages>({ queryKey: ['links'] });
  return new Map(
    lists.flatMap(([, pages]) =>
      pages ? flattenLinks(pages).map((link) => [link.id, link.category_id] as const) : [],
    ),
  );
}
