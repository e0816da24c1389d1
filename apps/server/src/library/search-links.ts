import { toParameters, toReceivedParameters } from '@linkoteca/domain/search-filters';
import { readQuestion, type SearchQuestion } from '@linkoteca/domain/search-question';
import type { Statement } from '../kernel/database.ts';
import type { Library } from './library.ts';

/** The last page of the search functions, which count pages of one size. */
export const SEARCH_PAGE_SIZE = 25;

/** The server does not know where the person is: days are Brasília's, as on what it draws. */
const ZONE = 'America/Sao_Paulo';

export type FoundRow = {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly description: string | null;
  readonly category_id: string;
  readonly category_name: string;
};

/** What a text asks for, and which of its operators cannot be read. Pure. */
export type ReadSearch = {
  readonly question: SearchQuestion;
  readonly ignored: readonly string[];
  /** Whether it asks for nothing. */
  readonly isEmpty: boolean;
};

/** Words, operators or both, as they are typed into the field of the app. Pure. */
export function readSearch(text: string): ReadSearch {
  const question = readQuestion(text);
  const ignored = question.operators.filter(({ state }) => state !== 'accepted').map((one) => one.text);
  return { question, ignored, isEmpty: !question.isFiltered && question.words.trim() === '' };
}

/** What a question finds, best first, behind so many of them. */
export async function searchLinks(
  library: Library,
  question: SearchQuestion,
  offset: number,
): Promise<{ readonly rows: readonly FoundRow[]; readonly hasMore: boolean }> {
  const statement = planSearch(question, Math.floor(offset / SEARCH_PAGE_SIZE) + 1);
  const { rows } = await library.read<FoundRow>(statement);
  return { rows: rows.slice(offset % SEARCH_PAGE_SIZE), hasMore: rows.length === SEARCH_PAGE_SIZE };
}

/** How many a question finds of the person's own, up to a thousand. */
export async function countFound(library: Library, { words, filters }: SearchQuestion): Promise<number> {
  const given: Readonly<Record<string, unknown>> = {
    term: words,
    ...toParameters(filters),
    ...toDays(filters),
  };
  const names = Object.keys(given).map((name, at) => `${name} => $${at + 1}`);
  const { rows } = await library.read<{ count: number }>({
    text: `select public.count_links_by(${names.join(', ')}) as count`,
    values: Object.values(given),
  });
  return rows[0]?.count ?? 0;
}

/** The search function that answers a question, with what it is given by name. Pure. */
function planSearch({ words, filters }: SearchQuestion, page: number): Statement {
  const isReceived = filters.owner !== null;
  const given: Readonly<Record<string, unknown>> = {
    term: words,
    ...(isReceived ? toReceivedParameters(filters) : toParameters(filters)),
    ...toDays(filters),
    max_results: SEARCH_PAGE_SIZE,
    page,
  };
  const names = Object.keys(given).map((name, at) => `${name} => $${at + 1}`);
  return {
    text: `select * from public.${isReceived ? 'search_received_links' : 'search_links_by'}(${names.join(', ')})`,
    values: Object.values(given),
  };
}

/** When the days of a question begin, as Postgres reads it. Pure. */
function toDays({ before, after }: SearchQuestion['filters']): Readonly<Record<string, string>> {
  return {
    ...(before === null ? {} : { saved_before: `${before} 00:00 ${ZONE}` }),
    ...(after === null ? {} : { saved_since: `${after} 00:00 ${ZONE}` }),
  };
}
