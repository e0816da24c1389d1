import { expect, test } from 'vitest';
import type { Link } from '../../../shared/lib/rows.ts';
import { sampleLink } from '../../../shared/test/sample-rows.ts';
import { arrangeLinks, type LinkOrder, needsWholeList, recogniseOrder } from './arrange-links.ts';

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
  arrangeLinks(LINKS, { order, filter }, 'newest').map(({ title }) => title);

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

test('also by what a link is tagged with, together with what it says', () => {
  const namesOf = ({ title }: Link) => (title === 'Aula 9' ? ['Química orgânica', 'Prova'] : []);
  const found = (filter: string) =>
    arrangeLinks(LINKS, { order: 'newest', filter }, 'newest', namesOf).map(({ title }) => title);
  expect(found('quimica prova aula')).toEqual(['Aula 9']);
  expect(found('organica 10')).toEqual([]);
});

test('where nothing is asked the list stays the same one, and need not be whole', () => {
  expect(arrangeLinks(LINKS, { order: 'newest', filter: ' ' }, 'newest')).toBe(LINKS);
  expect(needsWholeList({ order: 'newest', filter: ' ' }, 'newest')).toBe(false);
  expect(needsWholeList({ order: 'title', filter: '' }, 'newest')).toBe(true);
  expect(needsWholeList({ order: 'newest', filter: 'a' }, 'newest')).toBe(true);
});

test('what was read by hand stays as it is, and newest first is a matter of sorting all of it', () => {
  const byHand = [2, 0, 3, 1].flatMap((at) => LINKS[at] ?? []);
  expect(recogniseOrder(byHand)).toBe('manual');
  expect(recogniseOrder(LINKS)).toBe('newest');
  expect(arrangeLinks(byHand, { order: 'manual', filter: '' }, 'manual')).toBe(byHand);
  expect(arrangeLinks(byHand, { order: 'newest', filter: '' }, 'manual')).toEqual(LINKS);
  expect(needsWholeList({ order: 'manual', filter: '' }, 'manual')).toBe(false);
  expect(needsWholeList({ order: 'newest', filter: '' }, 'manual')).toBe(true);
  expect(needsWholeList({ order: 'manual', filter: 'a' }, 'manual')).toBe(true);
});
