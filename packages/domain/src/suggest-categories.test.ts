import { describe, expect, test } from 'vitest';
import { suggestCategories } from './suggest-categories.ts';

const groups = [
  {
    folderId: 'f1',
    folderName: 'Cozinha',
    categories: [
      { id: 'doces', name: 'Doces' },
      { id: 'paes', name: 'Pães' },
    ],
  },
  {
    folderId: 'f2',
    folderName: 'Trabalho',
    categories: [
      { id: 'design', name: 'Design' },
      { id: 'codigo', name: 'Código' },
      { id: 'vagas', name: 'Vagas' },
      { id: 'entrada', name: 'Entrada' },
    ],
  },
];
const known = [
  { url: 'https://www.padaria.com.br/1', title: 'Massa madre', category_id: 'paes' },
  { url: 'https://padaria.com.br/2', title: 'Broa', category_id: 'paes' },
  { url: 'https://github.com/a', title: 'Biblioteca de grades', category_id: 'codigo' },
];
const suggest = (url: string, title: string, recentIds: readonly string[] = []) =>
  suggestCategories({ url, title }, { groups, known, recentIds, closedId: 'entrada' });

describe('a link fits', () => {
  test('where other links of its site are, with www or without', () => {
    expect(suggest('https://padaria.com.br/9', 'Sem nome')[0]).toBe('paes');
  });
  test('where its title names the category, whatever accents and case', () => {
    expect(suggest('https://a.br', 'CODIGO aberto')[0]).toBe('codigo');
    expect(suggest('https://a.br', 'Curso de design')[0]).toBe('design');
  });
  test('where the titles of links share a word with its own', () => {
    expect(suggest('https://a.br', 'Uma biblioteca nova')[0]).toBe('codigo');
  });
  test('by nothing: then those used last come first, then the others', () => {
    expect(suggest('https://a.br', 'Xyz', ['vagas', 'doces'])).toEqual([
      'vagas',
      'doces',
      'paes',
      'design',
      'codigo',
    ]);
  });
});

test('the place where it is now is never suggested, and no more than five are', () => {
  const ids = suggest('https://a.br', 'Entrada', ['entrada']);
  expect(ids).toHaveLength(5);
  expect(ids).not.toContain('entrada');
});

test('words that stand in any title say nothing', () => {
  const alike = [{ url: 'https://x.br', title: 'Como fazer para você', category_id: 'vagas' }];
  const ids = suggestCategories(
    { url: 'https://a.br', title: 'Como fugir para longe' },
    { groups, known: alike, recentIds: [], closedId: 'entrada' },
  );
  expect(ids[0]).toBe('doces');
});

test('an address that cannot be read breaks nothing', () => {
  expect(suggest('nada', '')).toHaveLength(5);
});
