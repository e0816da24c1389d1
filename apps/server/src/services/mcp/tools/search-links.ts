import { toParameters, toReceivedParameters } from '@linkoteca/domain/search-filters';
import { readQuestion, type SearchQuestion } from '@linkoteca/domain/search-question';
import { z } from 'zod';
import { queryAsCaller, type Statement } from '../../../kernel/database.ts';
import { readOffset, writeCursor } from '../cursor.ts';
import { showText } from '../saved-text.ts';
import { defineTool } from '../tool.ts';
import { fitPage } from '../tool-answer.ts';
import { ToolRefusal } from '../tool-refusal.ts';
import { cursor } from './arguments.ts';
import { type LinkRow, presentLink } from './present-link.ts';

/** The last page of the search functions, which count pages of one size. */
const PAGE_SIZE = 25;

type FoundRow = LinkRow & { readonly category_id: string; readonly category_name: string };

export const searchLinks = defineTool({
  name: 'search_links',
  title: 'Buscar links',
  description: `Finds saved links, best first. Words are looked for in title, address and description, without regard to case and accents; all of them must occur.
Operators narrow the search, alone or beside words: pasta:NAME (folder), em:NAME (category), tag:NAME, site:HOST, tipo:video|pdf|imagem, antes:DATE and depois:DATE (2024, 05/2024 or 31/05/2024), e:favorito, e:quebrado (broken links), sem:tag, de:NAME (only what that person shares with this one). Names with blanks stand in quotation marks: pasta:"Minhas receitas".
Example: bolo tag:receitas depois:2023`,
  input: z.strictObject({
    query: z.string().min(1).max(500).describe('Words, operators or both.'),
    cursor,
  }),
  effect: 'reads',
  async run({ db, caller }, { query, cursor: after }) {
    const question = readQuestion(query);
    const { words, operators, isFiltered } = question;
    const ignored = operators.filter(({ state }) => state !== 'accepted').map(({ text }) => text);
    if (!isFiltered && words.trim() === '')
      throw new ToolRefusal(
        ignored.length > 0
          ? `These operators cannot be read: ${ignored.join(' ')}`
          : 'There is nothing to look for.',
      );
    const offset = readOffset(after);
    const statement = planSearch(question, Math.floor(offset / PAGE_SIZE) + 1);
    const { rows } = await queryAsCaller<FoundRow>(db, caller, statement, { readOnly: true });
    const found = rows.slice(offset % PAGE_SIZE).map((row) => ({
      ...presentLink(row),
      category_id: row.category_id,
      category: showText(row.category_name),
    }));
    const { items, next_cursor } = fitPage(found, rows.length === PAGE_SIZE, (count) =>
      writeCursor([offset + count]),
    );
    return { links: items, next_cursor, ...(ignored.length > 0 ? { ignored_operators: ignored } : {}) };
  },
});

/** The search function that answers a question, with what it is given by name. Pure. */
function planSearch({ words, filters }: SearchQuestion, page: number): Statement {
  const isReceived = filters.owner !== null;
  const given: Readonly<Record<string, unknown>> = {
    term: words,
    ...(isReceived ? toReceivedParameters(filters) : toParameters(filters)),
    max_results: PAGE_SIZE,
    page,
  };
  const names = Object.keys(given).map((name, at) => `${name} => $${at + 1}`);
  return {
    text: `select * from public.${isReceived ? 'search_received_links' : 'search_links_by'}(${names.join(', ')})`,
    values: Object.values(given),
  };
}
