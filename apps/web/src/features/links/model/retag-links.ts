import type { QueryClient } from '@tanstack/react-query';
import type { Link } from '../../../shared/lib/rows.ts';
import type { LinkPages } from './link-pages.ts';

interface Retagging {
  readonly ids: ReadonlySet<string>;
  /** Ids of tags. */
  readonly given: readonly string[];
  readonly taken: readonly string[];
}

/** Gives the links of all cached lists tags and takes others from them; a list without any of them stays the very same. */
export function retagCachedLinks(queryClient: QueryClient, { ids, given, taken }: Retagging): void {
  const gone = new Set([...taken, ...given]);
  const change = (link: Link): Link =>
    ids.has(link.id)
      ? {
          ...link,
          link_tags: [
            ...(link.link_tags ?? []).filter(({ tag_id }) => !gone.has(tag_id)),
            ...given.map((tag_id) => ({ tag_id })),
          ],
        }
      : link;
  queryClient.setQueriesData<LinkPages>({ queryKey: ['links'] }, (list) =>
    list?.pages.some(({ links }) => links.some(({ id }) => ids.has(id)))
      ? { ...list, pages: list.pages.map((page) => ({ ...page, links: page.links.map(change) })) }
      : list,
  );
}
