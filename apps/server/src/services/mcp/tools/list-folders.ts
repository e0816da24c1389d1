import { z } from 'zod';
import { writeCursor } from '../../../library/cursor.ts';
import type { Library } from '../../../library/library.ts';
import { readOffset } from '../cursor.ts';
import { showText } from '../saved-text.ts';
import { defineTool } from '../tool.ts';
import { fitPage } from '../tool-answer.ts';
import { cursor } from './arguments.ts';

/** More than fit into an answer. */
const MOST_ROWS = 250;

type Row = {
  readonly folder_id: string;
  readonly folder: string;
  /** Of a shared folder alone. */
  readonly owner_name: string | null;
  readonly may_write: boolean | null;
  readonly id: string | null;
  readonly name: string | null;
  readonly description: string | null;
  readonly is_public: boolean | null;
  readonly is_inbox: boolean | null;
  readonly link_count: number;
};

/** One row a category, and one for a folder without any; the person's own before those that others share with them. */
const TEXT = `select f.id as folder_id, f.name as folder, f.owner_name, f.may_write, c.id, c.name, c.description, c.is_public,
    public.is_inbox(c) as is_inbox,
    case when f.may_write is null then coalesce(n.link_count, 0)
      else (select s.link_count from public.shared_category(c.id) s) end as link_count
  from (
    select o.id, o.name, o.user_id, null::text as owner_name, null::boolean as may_write
    from public.folders o where o.user_id = (select auth.uid())
    union all
    select r.folder_id, r.name, r.owner_id, r.owner_name, r.may_write from public.received_folders() r
  ) f
  left join public.categories c on c.folder_id = f.id and c.user_id = f.user_id
  left join public.category_counts n on n.category_id = c.id
  order by f.may_write is not null, f.name, f.id, c.name, c.id
  offset $1 limit $2`;

export const listFolders = defineTool({
  name: 'list_folders',
  title: 'Listar pastas e categorias',
  description:
    'Lists the folders of the person and the categories in them, by name, with the number of links in each category. Links lie in categories, never in folders. The category with "is_inbox" receives what is saved without naming one. Folders with "shared" come last: they belong to the person it names, and "may_write" says whether links may be saved and changed in them. Whatever is saved there is seen by everybody with whom that person shares it.',
  input: z.strictObject({ cursor }),
  effect: 'reads',
  run: ({ library }, { cursor: after }) => showFolders(library, readOffset(after)),
});

/** Folders with their categories, behind so many of these, as far as an answer holds them. */
export async function showFolders(library: Library, offset: number) {
  const statement = { name: 'mcp_list_folders', text: TEXT, values: [offset, MOST_ROWS + 1] };
  const { rows } = await library.read<Row>(statement);
  const { items, next_cursor } = fitPage(
    rows.slice(0, MOST_ROWS).map(presentRow),
    rows.length > MOST_ROWS,
    (count) => writeCursor([offset + count]),
  );
  return { folders: groupByFolder(items), next_cursor };
}

function presentRow(row: Row) {
  return {
    folder: {
      id: row.folder_id,
      name: showText(row.folder),
      ...(row.may_write === null
        ? {}
        : {
            shared: {
              owner: row.owner_name === null ? null : showText(row.owner_name),
              may_write: row.may_write,
            },
          }),
    },
    category:
      row.id === null
        ? null
        : {
            id: row.id,
            name: showText(row.name ?? ''),
            description: row.description === null ? null : showText(row.description),
            links: row.link_count,
            is_public: row.is_public === true,
            ...(row.is_inbox === true ? { is_inbox: true } : {}),
          },
  };
}

type Presented = ReturnType<typeof presentRow>;

/** A folder goes on in the next answer where its categories do not fit into one. */
function groupByFolder(rows: readonly Presented[]) {
  const folders = new Map<
    string,
    Presented['folder'] & { categories: NonNullable<Presented['category']>[] }
  >();
  for (const { folder, category } of rows) {
    const known = folders.get(folder.id) ?? { ...folder, categories: [] };
    folders.set(folder.id, known);
    if (category !== null) known.categories.push(category);
  }
  return [...folders.values()];
}
