import { expect, test } from 'vitest';
import type { Link } from '../../../shared/lib/rows.ts';
import { sampleLink } from '../../../shared/test/sample-rows.ts';
import { arrangeLinks, type LinkOrder, needsWholeList } from './arrange-links.ts';

let age = 0;
const link = (title: string, url: string, description: string | null = null): Link => {
  age += 1;
  const created_at = new Date(Date.UTC(2025, 0, 100 - age)).toISOString();
  return sampleLink({ id: `${age}`, title, url, description, created_at });
};

/** Newest first, as they arrive. */
const LINKS = [
  link('Receita de Pão', 'https://www.tudogostoso.com.br/pao', 'Fermentação lenta'),
  link('aula 10', 'https://usp.br/10'),
  link('Água de coco', 'https://exemplo.com/agua'),
  link('Aula 9', 'https://usp.br/9'),
];

const titles = (order: LinkOrder, filter = '') =>
  arrangeLinks(LINKS, { order, filter }).map(({ title }) => title);

test.each<[LinkOrder, readonly string[]]>([
  ['newest', ['Receita de Pão', 'aula 10', 'Água de coco', 'Aula 9']],
  ['oldest', ['Aula 9', 'Água de coco', 'aula 10', 'Receita de Pão']],
  ['title', ['Água de coco', 'Aula 9', 'aula 10', 'Receita de Pão']],
  ['site', ['Água de coco', 'Receita de Pão', 'aula 10', 'Aula 9']],
])('by %s', (order, expected) => {
  expect(titles(order)).toEqual(expected);
});

test.each([
  ['pao', ['Receita de Pão']],
  ['AGUA', ['Água de coco']],
  ['lenta receita', ['Receita de Pão']],
  ['usp 9', ['Aula 9']],
  ['  ', ['Receita de Pão', 'aula 10', 'Água de coco', 'Aula 9']],
  ['receita aula', []],
])('only those with every word of %j, wherever it stands', (filter, expected) => {
  expect(titles('newest', filter)).toEqual(expected);
});

test('where nothing is asked the list stays the same one, and need not be whole', () => {
  expect(arrangeLinks(LINKS, { order: 'newest', filter: ' ' })).toBe(LINKS);
  expect(needsWholeList({ order: 'newest', filter: ' ' })).toBe(false);
  expect(needsWholeList({ order: 'title', filter: '' })).toBe(true);
  expect(needsWholeList({ order: 'newest', filter: 'a' })).toBe(true);
});
