import { expect, test } from 'vitest';
import type { CategoryGroup } from './category-groups.ts';
import { chooseFirstPlace, findNameFault, readNewPlace } from './new-category.ts';

const groups: readonly CategoryGroup[] = [
  { folderId: 'f1', folderName: 'Estudos', categories: [{ id: 'c1', name: 'Redes' }] },
  { folderId: 'f2', folderName: 'Viagens', categories: [{ id: 'c2', name: 'Chapada' }] },
];
const inFolder = (name: string, folderId: string | null, folderName: string) => ({
  name,
  folderId,
  folderName,
});

test('a name goes to the folder at hand, else to the first, else to one that is made with it', () => {
  expect(readNewPlace(' Artes ', groups, 'c2')).toEqual(inFolder('Artes', 'f2', 'Viagens'));
  expect(readNewPlace('Artes', groups, null)).toEqual(inFolder('Artes', 'f1', 'Estudos'));
  expect(readNewPlace('Artes', groups, 'gone')).toEqual(inFolder('Artes', 'f1', 'Estudos'));
  expect(readNewPlace('Artes', [], null)).toEqual(inFolder('Artes', null, 'Minha biblioteca'));
  expect(chooseFirstPlace([])).toEqual(inFolder('Geral', null, 'Minha biblioteca'));
});

test('a folder can be named before it; a slash after anything else is part of the name', () => {
  expect(readNewPlace('viagens / Serra', groups, 'c1')).toEqual(inFolder('Serra', 'f2', 'Viagens'));
  expect(readNewPlace('C/C++', groups, 'c1')).toEqual(inFolder('C/C++', 'f1', 'Estudos'));
});

test('nothing is made without a name, nor what is there already: another one of that name is asked for with its folder', () => {
  expect(readNewPlace('  ', groups, 'c1')).toBeNull();
  expect(readNewPlace('Viagens /', groups, 'c1')).toBeNull();
  expect(readNewPlace('REDES', groups, 'c1')).toBeNull();
  expect(readNewPlace('redes', groups, 'c2')).toBeNull();
  expect(readNewPlace('Estudos / Redes', groups, 'c2')).toBeNull();
  expect(readNewPlace('Viagens / Redes', groups, 'c1')).toEqual(inFolder('Redes', 'f2', 'Viagens'));
});

test('a name that is too long says so', () => {
  expect(findNameFault('x'.repeat(50))).toBeNull();
  expect(findNameFault('x'.repeat(51))).toBe('O nome da categoria deve ter no máximo 50 caracteres');
});
