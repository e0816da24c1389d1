import { expect, test } from 'vitest';
import type { SearchResult } from '../../../shared/lib/rows.ts';
import { mergeResults } from './use-quick-search.ts';

const results = (ids: string, title = ''): SearchResult[] =>
  [...ids].map((id) => ({
    id,
    title: title + id,
    description: null,
    url: 'https://a.br',
    category_id: 'c',
    category_name: 'C',
  }));
const idsOf = (list: readonly SearchResult[]) => list.map(({ id }) => id).join('');

test.each<[string, string | null, number, string, string]>([
  ['abc', null, 5, 'abc', 'nothing answered yet'],
  ['', 'abc', 5, 'abc', 'nothing cached'],
  ['ca', 'abcd', 4, 'cabd', 'cached ones keep their place, each shows once'],
  ['xa', 'abc', 3, 'xab', 'a full answer may leave out what is cached'],
  ['xa', 'ab', 3, 'ab', 'a complete answer knows what has gone'],
  ['abc', 'defgh', 5, 'abcde', 'never more than the limit'],
  ['abcdef', null, 5, 'abcde', 'not even of what is cached'],
])('cached %j and answer %j of %i show %j: %s', (cached, answer, limit, expected) => {
  expect(idsOf(mergeResults(results(cached), answer === null ? null : results(answer), limit))).toBe(
    expected,
  );
});

test("the service's words replace cached ones", () => {
  expect(mergeResults(results('a', 'velho '), results('a', 'novo '), 10).map(({ title }) => title)).toEqual([
    'novo a',
  ]);
});
