import type { Library } from './library.ts';
import type { LinkChange, NewLink } from './link-fields.ts';

/**
 * Saves a link under an id that is made for it: into a category, or into the inbox.
 * @returns the category in which it is
 * @throws pg.DatabaseError `PT404` where the category is not the person's, `P0001` where the plan has no room
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

/** Changes what is given of a link of the person's. @returns undefined where there is none */
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
      where l.id = $1 and l.user_id = (select auth.uid())
      returning l.id, l.url, l.title, l.description`,
    values: [id, title ?? null, url ?? null, 'description' in change, description ?? null],
  });
  return rows[0];
}

/** @returns those that were the person's, each with the category in which it lay before. @throws pg.DatabaseError `23503` for no category of theirs */
export async function moveLinks(
  library: Library,
  ids: readonly string[],
  categoryId: string,
): Promise<readonly { readonly id: string; readonly category_id: string }[]> {
  const { rows } = await library.write<{ id: string; category_id: string }>({
    name: 'library_move_links',
    // In one order for everybody who writes, so that no two wait for each other.
    text: `with before as (
        select l.id, l.category_id from public.links l
        where l.id = any ($1::uuid[]) and l.user_id = (select auth.uid())
        order by l.id for update
      )
      update public.links l set category_id = $2 from before b where l.id = b.id
      returning b.id, b.category_id`,
    values: [ids, categoryId],
  });
  return rows;
}

/** Puts links of the person's into the bin. @returns the ids of those that were */
export async function deleteLinks(library: Library, ids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await library.write<{ id: string }>({
    name: 'library_delete_links',
    text: `delete from public.links l
      where l.id = any ($1::uuid[]) and l.user_id = (select auth.uid())
      returning l.id`,
    values: [ids],
  });
  return rows.map(({ id }) => id);
}

export type Tagging = {
  readonly ids: readonly string[];
  /** Names; those that do not exist are made. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
};

export type TaggedRow = {
  readonly tags: readonly { readonly name: string; readonly link_count: number }[];
  /** The links that are the person's. */
  readonly tagged: readonly string[];
};

/** Gives links of the person's tags, and takes tags from them. @throws pg.DatabaseError `PT404` where none of the links is theirs */
export async function tagLinks(library: Library, { ids, added, removed }: Tagging): Promise<TaggedRow> {
  const { rows } = await library.write<TaggedRow>({
    name: 'library_tag_links',
    text: `select public.tag_links($1::uuid[], $2, $3) -> 'tags' as tags,
        array(select l.id from public.links l where l.id = any ($1::uuid[]) and l.user_id = (select auth.uid())) as tagged`,
    values: [ids, added, removed],
  });
  return rows[0] ?? { tags: [], tagged: [] };
}
