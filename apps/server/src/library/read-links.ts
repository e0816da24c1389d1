import type { Place } from './cursor.ts';
import type { Library } from './library.ts';

/** A link as programs read it. Moments are UTC, to the microsecond. */
export type LinkRow = {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly description: string | null;
  readonly category_id: string;
  /** False for what somebody else shares with the person. */
  readonly is_own: boolean;
  readonly tags: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
};

/** A moment as text, so that none of its digits is lost on the way. */
export const momentText = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const COLUMNS = `l.id, l.url, l.title, l.description, l.category_id, l.user_id = (select auth.uid()) as is_own,
    case
      when l.user_id = (select auth.uid()) then array(
        select t.name from public.link_tags k join public.tags t on t.id = k.tag_id where k.link_id = l.id order by t.folded
      )
      else coalesce((select s.names from public.shared_tags(array[l.id]) as s), '{}')
    end as tags,
    ${momentText('l.created_at')} as created_at, ${momentText('l.updated_at')} as updated_at`;

/** Newest first, behind a place. */
const textWhere = (condition: string) => `select ${COLUMNS}
  from public.links l
  where ${condition} and (l.created_at, l.id) < ($1::timestamptz, $2::uuid)
  order by l.created_at desc, l.id desc
  limit $3`;

export type Listing = {
  /** Left out: all of the person's own. */
  readonly categoryId?: string | undefined;
  readonly after: Place;
  readonly limit: number;
};

/** Where a list of links goes on behind this one. */
export function placeOf(row: LinkRow | undefined): readonly string[] {
  return [row?.created_at ?? '', row?.id ?? ''];
}

/**
 * Links, newest first.
 * @returns undefined where there is no such category, or it is not shown to the person
 */
export async function listLinks(
  library: Library,
  { categoryId, after, limit }: Listing,
): Promise<{ readonly rows: readonly LinkRow[]; readonly hasMore: boolean } | undefined> {
  const values = [after.at, after.id, limit + 1];
  const { rows } = await library.read<LinkRow>(
    categoryId === undefined
      ? { name: 'library_newest_links', text: textWhere('l.user_id = (select auth.uid())'), values }
      : {
          name: 'library_links_of_category',
          text: textWhere('l.category_id = $4'),
          values: [...values, categoryId],
        },
  );
  // A category that nobody shows looks like an empty one to the query of its links.
  if (rows.length === 0 && categoryId !== undefined && !(await isCategoryShown(library, categoryId)))
    return undefined;
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

async function isCategoryShown(library: Library, id: string): Promise<boolean> {
  const { rows } = await library.read({
    name: 'library_find_category',
    text: 'select from public.categories c where c.id = $1',
    values: [id],
  });
  return rows.length > 0;
}

/** The person's own links, newest first, behind so many of them: for programs that count instead of keeping a cursor. */
export async function listLinksFrom(
  library: Library,
  offset: number,
  limit: number,
): Promise<readonly LinkRow[]> {
  const { rows } = await library.read<LinkRow>({
    name: 'library_links_from',
    text: `select ${COLUMNS} from public.links l where l.user_id = (select auth.uid())
      order by l.created_at desc, l.id desc offset $1 limit $2`,
    values: [offset, limit],
  });
  return rows;
}

/** Links by their ids, in the order of the ids; those that are not shown to the person are left out. */
export async function readLinks(library: Library, ids: readonly string[]): Promise<readonly LinkRow[]> {
  const { rows } = await library.read<LinkRow>({
    name: 'library_links_by_id',
    text: `select ${COLUMNS} from unnest($1::uuid[]) with ordinality as asked(id, place)
      join public.links l on l.id = asked.id order by asked.place`,
    values: [ids],
  });
  return rows;
}

/** A link with the names of where it lies. In whose folder that is its owner alone sees: for others the name is null. */
export type PlacedLinkRow = LinkRow & { readonly category: string | null; readonly folder: string | null };

/** @returns undefined where there is no such link, or it is not shown to the person */
export async function getLink(library: Library, id: string): Promise<PlacedLinkRow | undefined> {
  const { rows } = await library.read<PlacedLinkRow>({
    name: 'library_get_link',
    text: `select ${COLUMNS}, c.name as category, f.name as folder
      from public.links l
      left join public.categories c on c.id = l.category_id
      left join public.folders f on f.id = c.folder_id and f.user_id = (select auth.uid())
      where l.id = $1`,
    values: [id],
  });
  return rows[0];
}

/** Where an address is already. */
export type KnownLinkRow = {
  /** As it was asked. */
  readonly url: string;
  readonly link_id: string;
  readonly category_id: string;
  readonly category_name: string;
};

/** The person's own links with these addresses, however they are spelt: up to five each, newest first. At most 200 addresses. */
export async function findKnownLinks(
  library: Library,
  urls: readonly string[],
): Promise<readonly KnownLinkRow[]> {
  const { rows } = await library.read<KnownLinkRow>({
    name: 'library_find_known',
    text: 'select url, link_id, category_id, category_name from public.find_links_by_url($1)',
    values: [urls],
  });
  return rows;
}

/** The person's own links with this address, however it is spelt, in one category or in any: up to five, newest first. */
export async function findLinksOfAddress(
  library: Library,
  url: string,
  categoryId: string | undefined,
): Promise<readonly string[]> {
  const { rows } = await library.read<{ id: string }>({
    name: 'library_links_of_address',
    text: 'select id from private.links_of_address($1, $2) with ordinality as found(id, place) order by place',
    values: [url, categoryId ?? null],
  });
  return rows.map(({ id }) => id);
}
