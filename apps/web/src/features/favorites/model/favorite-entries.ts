import type { Favorite, StarredItem, StarredLink } from './favorite-rows.ts';

/** A favourite as the sidebar lists it. */
export type FavoriteEntry = CategoryEntry | LinkEntry;

export interface CategoryEntry {
  readonly kind: 'category';
  readonly id: string;
  readonly name: string;
  /** null for a category that somebody shares. */
  readonly folderId: string | null;
}

interface LinkEntry {
  readonly kind: 'link';
  readonly id: string;
  readonly name: string;
  readonly link: StarredLink;
}

/**
 * What the sidebar lists: categories, then links, each in the order in which they were starred. What the person may not read (any more)
 * is left out.
 * @param findCategory among one's own and the received ones; undefined for what is neither.
 */
export function listFavoriteEntries(
  favorites: readonly Favorite[],
  findCategory: (id: string) => Omit<CategoryEntry, 'kind' | 'id'> | undefined,
): readonly FavoriteEntry[] {
  const inOrder = favorites.toReversed();
  const categories = inOrder.flatMap(({ category_id: id }): FavoriteEntry[] => {
    const category = id === null ? undefined : findCategory(id);
    return id === null || category === undefined ? [] : [{ kind: 'category', id, ...category }];
  });
  const links = inOrder.flatMap(({ links: link }): FavoriteEntry[] =>
    link === null || findCategory(link.category_id) === undefined
      ? []
      : [{ kind: 'link', id: link.id, name: link.title, link }],
  );
  return [...categories, ...links];
}

/** What a press on the entry's star is about. */
export function starredItemOf(entry: FavoriteEntry): StarredItem {
  return entry.kind === 'link'
    ? { kind: 'link', id: entry.id, link: entry.link }
    : { kind: 'category', id: entry.id };
}
