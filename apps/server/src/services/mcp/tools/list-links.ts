import { z } from 'zod';
import { type Place, writeCursor } from '../../../library/cursor.ts';
import type { Library } from '../../../library/library.ts';
import { listLinks as list, placeOf } from '../../../library/read-links.ts';
import { readPlace } from '../cursor.ts';
import { showText } from '../saved-text.ts';
import { defineTool } from '../tool.ts';
import { fitPage } from '../tool-answer.ts';
import { NO_SUCH_CATEGORY, ToolRefusal } from '../tool-refusal.ts';
import { categoryId, cursor } from './arguments.ts';
import { presentLink } from './present-link.ts';

const PAGE_SIZE = 50;

export const listLinks = defineTool({
  name: 'list_links',
  title: 'Listar links',
  description:
    'Lists links, newest first: those of a category, or without category_id the newest of the whole library. Long descriptions are cut; get_link shows the whole.',
  input: z.strictObject({ category_id: categoryId.optional(), cursor }),
  effect: 'reads',
  run: ({ library }, { category_id: category, cursor: after }) =>
    showLinks(library, { categoryId: category, after: readPlace(after) }),
});

/** Links, newest first, as far as an answer holds them. @throws ToolRefusal where there is no such category */
export async function showLinks(
  library: Library,
  { categoryId: category, after }: { readonly categoryId: string | undefined; readonly after: Place },
) {
  const page = await list(library, { categoryId: category, after, limit: PAGE_SIZE });
  if (page === undefined) throw new ToolRefusal(NO_SUCH_CATEGORY);
  const { rows, hasMore } = page;
  const shown = rows.map((row) => ({
    ...presentLink(row),
    category_id: row.category_id,
    tags: row.tags.map(showText),
    saved_at: row.created_at,
  }));
  const { items, next_cursor } = fitPage(shown, hasMore, (count) => writeCursor(placeOf(rows[count - 1])));
  return { links: items, next_cursor };
}
