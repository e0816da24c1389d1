import { z } from 'zod';
import { queryAsCaller } from '../../../kernel/database.ts';
import { readPlace, writeCursor } from '../cursor.ts';
import { showText } from '../saved-text.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { fitPage } from '../tool-answer.ts';
import { NO_SUCH_CATEGORY, ToolRefusal } from '../tool-refusal.ts';
import { categoryId, cursor } from './arguments.ts';
import { type LinkRow, presentLink } from './present-link.ts';

const PAGE_SIZE = 50;

type ListedRow = LinkRow & {
  readonly category_id: string;
  readonly saved_at: string;
  readonly tags: readonly string[];
};

/** Newest first, behind a place. `$3` is a category, or null for all of the person's own. */
const textWhere = (condition: string) => `select l.id, l.url, l.title, l.description, l.category_id,
    to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as saved_at,
    array(
      select t.name from public.link_tags k join public.tags t on t.id = k.tag_id where k.link_id = l.id order by t.folded
    ) as tags
  from public.links l
  where ${condition} and (l.created_at, l.id) < ($1::timestamptz, $2::uuid)
  order by l.created_at desc, l.id desc
  limit ${PAGE_SIZE + 1}`;

export const listLinks = defineTool({
  name: 'list_links',
  title: 'Listar links',
  description:
    'Lists links, newest first: those of a category, or without category_id the newest of the whole library. Long descriptions are cut; get_link shows the whole.',
  input: z.strictObject({ category_id: categoryId.optional(), cursor }),
  effect: 'reads',
  async run(context, { category_id: category, cursor: after }) {
    const { at, id } = readPlace(after);
    const statement =
      category === undefined
        ? { name: 'mcp_newest_links', text: textWhere('l.user_id = (select auth.uid())'), values: [at, id] }
        : {
            name: 'mcp_links_of_category',
            text: textWhere('l.category_id = $3'),
            values: [at, id, category],
          };
    const { db, caller } = context;
    const { rows } = await queryAsCaller<ListedRow>(db, caller, statement, { readOnly: true });
    if (rows.length === 0 && category !== undefined) await requireCategory(context, category);
    const page = rows.slice(0, PAGE_SIZE);
    const shown = page.map((row) => ({
      ...presentLink(row),
      category_id: row.category_id,
      tags: row.tags.map(showText),
      saved_at: row.saved_at,
    }));
    const { items, next_cursor } = fitPage(shown, rows.length > PAGE_SIZE, (count) => {
      const last = page[count - 1];
      return writeCursor([last?.saved_at ?? '', last?.id ?? '']);
    });
    return { links: items, next_cursor };
  },
});

/** A category that nobody shows looks like an empty one to the query of its links. */
async function requireCategory({ db, caller }: ToolContext, id: string): Promise<void> {
  const { rows } = await queryAsCaller(
    db,
    caller,
    { name: 'mcp_find_category', text: 'select from public.categories c where c.id = $1', values: [id] },
    { readOnly: true },
  );
  if (rows.length === 0) throw new ToolRefusal(NO_SUCH_CATEGORY);
}
