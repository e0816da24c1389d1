import type { Library } from './library.ts';
import type { LinkChange, NewLink } from './link-fields.ts';

// What a person may write in is theirs, or lies in a folder that somebody shares with them as an editor or a manager. No statement here
// compares owners to find that out: the policies of `links` do, also for rows that are read `for update`.

/**
 * Saves a link under an id that is made for it: into a category, or into the inbox.
 * @returns the category in which it is
 * @throws pg.DatabaseError `PT404` where the person may not write in the category, `P0001` where its owner's plan has no room
 */
export async function saveLink(
  library: Library,
  id: string,
  link: NewLink,
  categoryId: string | undefined,
): Promise<string> {
  const { rows } = await library.write<{ place: string }>({
    name: 'library_save_link',
    text: 'select public.capture_link($1, $2, $3, $4, $5) as place',
    values: [id, link.url, link.title, link.description, categoryId ?? null],
  });
  return rows[0]?.place ?? '';
}

export type EditedRow = {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly description: string | null;
};

/** Holds a link for a change until the transaction ends. @returns whether there is one that the person may change */
export async function lockLink(library: Library, id: string): Promise<boolean> {
  const { rows } = await library.write({
    name: 'library_lock_link',
    text: 'select from public.links l where l.id = $1 for update',
    values: [id],
  });
  return rows.length > 0;
}

/** Changes what is given of a link. @returns undefined where there is none that the person may change */
export async function editLink(
  library: Library,
  id: string,
  change: LinkChange,
): Promise<EditedRow | undefined> {
  const { title, url, description } = change;
  const { rows } = await library.write<EditedRow>({
    name: 'library_edit_link',
    text: `update public.links l
      set title = coalesce($2, l.title), url = coalesce($3, l.url), description = case when $4 then $5 else l.description end
      where l.id = $1
      returning l.id, l.url, l.title, l.description`,
    values: [id, title ?? null, url ?? null, 'description' in change, description ?? null],
  });
  return rows[0];
}

/** What became of links that were to be moved. */
export type Moving = {
  /** Whether the category is the person's own. */
  readonly isOwn: boolean;
  /** Each with the category in which it lay before. */
  readonly moved: readonly { readonly id: string; readonly category_id: string }[];
};

/**
 * Moves links into a category, within one library: a link of somebody else's stays theirs, and one's own stays one's own.
 * @returns undefined where the person may not write in the category
 * @throws pg.DatabaseError `23503` where the category went meanwhile
 */
export async function moveLinks(
  library: Library,
  ids: readonly string[],
  categoryId: string,
): Promise<Moving | undefined> {
  const place = await findWritableCategory(library, categoryId);
  if (place === undefined) return undefined;
  const { rows } = await library.write<{ id: string; category_id: string }>({
    name: 'library_move_links',
    // In one order for everybody who writes, so that no two wait for each other.
    text: `with before as (
        select l.id, l.category_id from public.links l
        where l.id = any ($1::uuid[]) and l.user_id = $3
        order by l.id for update
      )
      update public.links l set category_id = $2 from before b where l.id = b.id
      returning b.id, b.category_id`,
    values: [ids, categoryId, place.owner_id],
  });
  return { isOwn: place.is_own, moved: rows };
}

type WritableCategory = { readonly owner_id: string; readonly is_own: boolean };

async function findWritableCategory(library: Library, id: string): Promise<WritableCategory | undefined> {
  const { rows } = await library.read<WritableCategory>({
    name: 'library_find_writable_category',
    text: `select c.user_id as owner_id, c.user_id = (select auth.uid()) as is_own from public.categories c
      where c.id = $1 and (c.user_id = (select auth.uid()) or c.id = any ((select private.writable_category_ids())::uuid[]))`,
    values: [id],
  });
  return rows[0];
}

export type DeletedRow = {
  readonly id: string;
  /** False for what lies in somebody else's bin now. */
  readonly is_own: boolean;
};

/** Puts links into the bin of whoever owns them. @returns those that the person might delete */
export async function deleteLinks(library: Library, ids: readonly string[]): Promise<readonly DeletedRow[]> {
  const { rows } = await library.write<DeletedRow>({
    name: 'library_delete_links',
    text: `delete from public.links l where l.id = any ($1::uuid[])
      returning l.id, l.user_id = (select auth.uid()) as is_own`,
    values: [ids],
  });
  return rows;
}

export type Tagging = {
  readonly ids: readonly string[];
  /** Names; those that do not exist are made. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
};

export type TaggedRow = {
  /** How many links have it is told of the person's own tags alone. */
  readonly tags: readonly { readonly name: string; readonly link_count?: number }[];
  /** The links that the person might tag. */
  readonly tagged: readonly string[];
};

/**
 * Gives links tags of whoever owns them, and takes tags from them: the person's own links, and those of shared folders in which they may
 * write, owner by owner.
 * @throws pg.DatabaseError `PT404` where the person may tag none of them.
 */
export async function tagLinks(library: Library, { ids, added, removed }: Tagging): Promise<TaggedRow> {
  const { rows } = await library.write<TaggedRow>({
    name: 'library_tag_links',
    text: `with mine as (
        select l.id, l.user_id from public.links l
        where l.id = any ($1::uuid[])
          and (l.user_id = (select auth.uid()) or l.category_id = any ((select private.writable_category_ids())::uuid[]))
      )
      select public.tag_links(g.ids, $2, $3) -> 'tags' as tags, g.ids as tagged
      from (
        select array_agg(id) as ids from mine group by user_id
        -- None at all: the function says so.
        union all select $1::uuid[] where not exists (select from mine)
      ) as g`,
    values: [ids, added, removed],
  });
  return { tags: rows.flatMap(({ tags }) => tags), tagged: rows.flatMap(({ tagged }) => tagged) };
}
