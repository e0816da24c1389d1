import { type KnownLink, suggestCategories } from '@linkoteca/domain/suggest-categories';
import { readHost } from '@linkoteca/domain/urls';
import type { Row } from '../kernel/database.ts';
import type { Library } from './library.ts';
import { readSearch, searchLinks } from './search-links.ts';

/** A link to find a place for. */
export type PlacedLink = {
  readonly url: string;
  readonly title: string;
  /** Where it is now; null for one that is not saved. */
  readonly category_id: string | null;
};

/** A category that may suit a link. */
export type SuggestedPlace = {
  readonly category_id: string;
  readonly category: string;
  readonly folder: string;
};

/** Of a library, what suggestions look at: more changes little of what is suggested. */
const MOST_CATEGORIES = 1000;
const MOST_LINKS = 2000;

type Category = { readonly id: string; readonly name: string; readonly folder: string };

const CATEGORIES = `select c.id, c.name, f.name as folder
  from public.categories c join public.folders f on f.id = c.folder_id
  where c.user_id = (select auth.uid()) and public.is_inbox(c) is not true
  order by c.created_at desc, c.id limit $1`;

const LINKS = `select l.url, l.title, l.category_id from public.links l
  where l.user_id = (select auth.uid()) order by l.created_at desc, l.id desc limit $1`;

/**
 * Where links may belong by the person's own library, as the inbox of the app suggests it: by the names of categories and folders, by
 * where other links of the site are, by words that titles share. No page is asked.
 * @returns for each link the categories that suit it, best first; the inbox is none of them
 */
export async function suggestPlaces(
  library: Library,
  links: readonly PlacedLink[],
): Promise<readonly (readonly SuggestedPlace[])[]> {
  const [categories, newest, ofSites] = await Promise.all([
    library.read<Category>({ name: 'library_places', text: CATEGORIES, values: [MOST_CATEGORIES] }),
    library.read<KnownLink & Row>({ name: 'library_newest_places', text: LINKS, values: [MOST_LINKS] }),
    findLinksOfSites(library, links),
  ]);
  const byId = new Map(categories.rows.map((one) => [one.id, one]));
  const groups = [...Map.groupBy(categories.rows, ({ folder }) => folder)].map(([folderName, inside]) => ({
    folderName,
    categories: inside,
  }));
  const known = [
    ...new Map([...newest.rows, ...ofSites].map((one) => [`${one.category_id} ${one.url}`, one])).values(),
  ];
  const recentIds = [...new Set(newest.rows.map((one) => one.category_id))];
  return links.map((link) =>
    suggestCategories(link, { groups, known, recentIds, closedId: link.category_id }).flatMap((id) => {
      const place = byId.get(id);
      return place ? [{ category_id: id, category: place.name, folder: place.folder }] : [];
    }),
  );
}

/** Those of the same sites, which may be older than the newest. */
async function findLinksOfSites(
  library: Library,
  links: readonly PlacedLink[],
): Promise<readonly KnownLink[]> {
  const hosts = new Set(links.map(({ url }) => readHost(url)).filter((host) => host !== ''));
  const found = await Promise.all(
    [...hosts].map((host) => searchLinks(library, readSearch(`site:${host}`).question, 0)),
  );
  return found.flatMap(({ rows }) => rows);
}
