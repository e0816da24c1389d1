import { expect, test } from 'vitest';
import { findPlaces } from './find-places.ts';

const category = (name: string) => ({ id: `c-${name}`, name });
const folders = [
  { id: 'f1', name: 'Física', categories: [category('Óptica'), category('Ações da física')] },
  { id: 'f2', name: 'Vazia', categories: [] },
  { id: 'f3', name: 'Finanças', categories: [category('Ações'), category('Fundos'), category('Fiscal')] },
];
const found = (needle: string) => findPlaces(folders, needle).map(({ kind, name }) => `${kind} ${name}`);

test('names are found without case and accents; those that begin with the term come first', () => {
  expect(found('acoes')).toEqual(['category Ações da física', 'category Ações']);
  expect(found('fis')).toEqual(['folder Física', 'category Fiscal', 'category Ações da física']);
});

test('no more than three, none for an empty term, and no folder that has nothing to open', () => {
  expect(found('a')).toHaveLength(3);
  expect(found('')).toEqual([]);
  expect(found('vazia')).toEqual([]);
});

test('a folder opens its first category', () => {
  expect(findPlaces(folders, 'fisica')[0]).toMatchObject({ id: 'f1', categoryId: 'c-Óptica' });
});
