import * as v from 'valibot';
import { readOffset, writeCursor } from '../../../library/cursor.ts';
import { readLinks } from '../../../library/read-links.ts';
import { readSearch, SEARCH_PAGE_SIZE, searchLinks } from '../../../library/search-links.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { cursor, presentPage, requireCursor } from '../paging.ts';
import { Problem } from '../problem.ts';
import { link, pageOf } from '../resources.ts';
import { presentLink } from './links.ts';

const search = defineOperation({
  name: 'searchLinks',
  method: 'GET',
  path: '/search',
  summary: 'Search links, best first',
  description: `Words are looked for in title, address and description, without regard to case and accents; all of them must occur. Operators narrow the search, alone or beside words: pasta:NAME (folder), em:NAME (category), tag:NAME, site:HOST, tipo:video|pdf|imagem, antes:DATE and depois:DATE (2024, 05/2024 or 31/05/2024; days of America/Sao_Paulo), e:favorito, e:quebrado (broken links), sem:tag, de:NAME (only what that person shares with this one). Names with blanks stand in quotation marks: pasta:"Minhas receitas". Pages of ${SEARCH_PAGE_SIZE}.`,
  query: v.strictObject({
    q: v.pipe(v.string(), v.minLength(1), v.maxLength(500), v.description('Words, operators or both.')),
    cursor,
  }),
  status: 200,
  answer: v.strictObject({
    ...pageOf(link).entries,
    ignored_operators: v.pipe(v.array(v.string()), v.description('Operators that could not be read.')),
  }),
  example: { query: 'q=bolo%20tag:receitas' },
  async run({ library, query }) {
    if (query.q.includes('\0')) throw new Problem('invalid_request');
    const { question, ignored, isEmpty } = readSearch(query.q.toWellFormed());
    if (isEmpty) throw new Problem('invalid_request', { detail: 'q: não há nada para buscar' });
    const offset = requireCursor(readOffset(query.cursor));
    const { rows, hasMore } = await searchLinks(library, question, offset);
    // One that goes meanwhile is left out; where to go on is counted by what was found.
    const links = await readLinks(
      library,
      rows.map(({ id }) => id),
    );
    const page = presentPage(links.map(presentLink), hasMore, (count) =>
      writeCursor([offset + (count === links.length ? rows.length : count)]),
    );
    return { body: { ...page, ignored_operators: ignored } };
  },
});

export const SEARCH_OPERATIONS: readonly Operation[] = [search];
