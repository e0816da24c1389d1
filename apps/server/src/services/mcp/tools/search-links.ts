import { z } from 'zod';
import { writeCursor } from '../../../library/cursor.ts';
import { readSearch, searchLinks as search } from '../../../library/search-links.ts';
import { readOffset } from '../cursor.ts';
import { showText } from '../saved-text.ts';
import { defineTool } from '../tool.ts';
import { fitPage } from '../tool-answer.ts';
import { ToolRefusal } from '../tool-refusal.ts';
import { cursor } from './arguments.ts';
import { presentLink } from './present-link.ts';

export const searchLinks = defineTool({
  name: 'search_links',
  title: 'Buscar links',
  description: `Finds saved links, best first. Words are looked for in title, address and description, without regard to case and accents; all of them must occur.
Operators narrow the search, alone or beside words: pasta:NAME (folder), em:NAME (category), tag:NAME, site:HOST, tipo:video|pdf|imagem, antes:DATE and depois:DATE (2024, 05/2024 or 31/05/2024; days of America/Sao_Paulo), e:favorito, e:quebrado (broken links), sem:tag, de:NAME (only what that person shares with this one). Names with blanks stand in quotation marks: pasta:"Minhas receitas".
Example: bolo tag:receitas depois:2023`,
  input: z.strictObject({
    query: z.string().min(1).max(500).describe('Words, operators or both.'),
    cursor,
  }),
  effect: 'reads',
  async run({ library }, { query, cursor: after }) {
    const { question, ignored, isEmpty } = readSearch(query);
    if (isEmpty)
      throw new ToolRefusal(
        ignored.length > 0
          ? `These operators cannot be read: ${ignored.join(' ')}`
          : 'There is nothing to look for.',
      );
    const offset = readOffset(after);
    const { rows, hasMore } = await search(library, question, offset);
    const found = rows.map((row) => ({
      ...presentLink(row),
      category_id: row.category_id,
      category: showText(row.category_name),
    }));
    const { items, next_cursor } = fitPage(found, hasMore, (count) => writeCursor([offset + count]));
    return { links: items, next_cursor, ...(ignored.length > 0 ? { ignored_operators: ignored } : {}) };
  },
});
