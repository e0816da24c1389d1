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
  /** Whether it is the person's, or will be. */
  readonly is_own: boolean;
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

type Category = {
  readonly id: string;
  readonly name: string;
  readonly folder: string;
  readonly is_own: boolean;
  readonly owner_id: string;
};

/**
 * The person's own, and what the owners of the categories asked about share with them to write in: the newest of each library, as there
 * is a bound, and those asked about always.
 */
const CATEGORIES = `select p.id, p.name, p.folder, p.is_own, p.owner_id
  from (
    select c.id, c.name, f.name as folder, c.user_id = (select auth.uid()) as is_own, c.user_id as owner_id, c.created_at,
      row_number() over (partition by c.user_id order by c.id = any ($2::uuid[]) desc, c.created_at desc, c.id) as place
    from public.categories c join (
      select o.id, o.name from public.folders o where o.user_id = (select auth.uid())
      union all
      select r.folder_id, r.name from public.received_folders() r where r.may_write
    ) f on f.id = c.folder_id
    where public.is_inbox(c) is not true
      and (c.user_id = (select auth.uid())
        or c.user_id in (select a.user_id from public.categories a where a.id = any ($2::uuid[])))
  ) p
  where p.place <= $1
  order by p.is_own desc, p.created_at desc, p.id`;

const LINKS = `select l.url, l.title, l.category_id from public.links l
  where l.user_id = (select auth.uid()) order by l.created_at desc, l.id desc limit $1`;

const LINKS_OF_OTHERS = `select l.url, l.title, l.category_id from public.links l
  where l.category_id = any ($2::uuid[]) order by l.created_at desc, l.id desc limit $1`;

/**
 * Where links may belong by the library in which they lie, as the inbox of the app suggests it: by the names of categories and folders, by
 * where other links of the site are, by words that titles share. No page is asked. What is not saved yet belongs to the person's own
 * library: nothing suggests to show it to others.
 * @returns for each link the categories that suit it, best first; the inbox is none of them. Undefined for a link of somebody else's
 *   where the person may not write
 */
export async function suggestPlaces(
  library: Library,
  links: readonly PlacedLink[],
): Promise<readonly (readonly SuggestedPlace[] | undefined)[]> {
  const { rows: categories } = await library.read<Category>({
    name: 'library_places',
    text: CATEGORIES,
    values: [
      MOST_CATEGORIES,
      links.flatMap(({ category_id, is_own }) => (is_own ? [] : (category_id ?? []))),
    ],
  });
  const own = links.filter(({ is_own }) => is_own);
  const [newest, ofSites, ofOthers] = await Promise.all([
    library.read<KnownLink & Row>({ name: 'library_newest_places', text: LINKS, values: [MOST_LINKS] }),
    findLinksOfSites(library, own),
    own.length === links.length ? [] : findLinksOfOthers(library, categories),
  ]);
  const mine = readSources(
    categories.filter(({ is_own }) => is_own),
    newest.rows,
    ofSites,
  );
  return links.map((link) => {
    if (link.is_own) return suggest(link, mine);
    const home = categories.find(({ id, is_own }) => id === link.category_id && !is_own);
    if (home === undefined) return undefined;
    const inside = categories.filter(({ owner_id }) => owner_id === home.owner_id);
    const ids = new Set(inside.map(({ id }) => id));
    return suggest(
      link,
      readSources(
        inside,
        ofOthers.filter(({ category_id }) => ids.has(category_id)),
        [],
      ),
    );
  });
}

type Sources = {
  readonly categories: readonly Category[];
  readonly known: readonly KnownLink[];
  readonly recentIds: readonly string[];
};

/** What suggestions within one library look at. Pure. */
function readSources(
  categories: readonly Category[],
  newest: readonly KnownLink[],
  ofSites: readonly KnownLink[],
): Sources {
  const known = [
    ...new Map([...newest, ...ofSites].map((one) => [`${one.category_id} ${one.url}`, one])).values(),
  ];
  return { categories, known, recentIds: [...new Set(newest.map((one) => one.category_id))] };
}

/** Pure. */
function suggest(link: PlacedLink, { categories, known, recentIds }: Sources): readonly SuggestedPlace[] {
  const byId = new Map(categories.map((one) => [one.id, one]));
  const groups = [...Map.groupBy(categories, ({ folder }) => folder)].map(([folderName, inside]) => ({
    folderName,
    categories: inside,
  }));
  return suggestCategories(link, { groups, known, recentIds, closedId: link.category_id }).flatMap((id) => {
    const place = byId.get(id);
    return place ? [{ category_id: id, category: place.name, folder: place.folder }] : [];
  });
}

async function findLinksOfOthers(
  library: Library,
  categories: readonly Category[],
): Promise<readonly KnownLink[]> {
  const ids = categories.flatMap(({ id, is_own }) => (is_own ? [] : [id]));
  const { rows } = await library.read<KnownLink & Row>({
    name: 'library_newest_places_of_others',
    text: LINKS_OF_OTHERS,
    values: [MOST_LINKS, ids],
  });
  return rows;
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
