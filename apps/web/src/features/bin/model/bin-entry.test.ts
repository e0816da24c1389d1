import { expect, test } from 'vitest';
import { type BinEntry, describeEntry, describeTime, nameEntry } from './bin-entry.ts';

const NOW = new Date('2026-03-10T12:00:00Z');
const HOUR = 3_600_000;

const entry = (more: Partial<BinEntry>): BinEntry => ({
  id: 1,
  itemType: 'link',
  name: 'Roteador',
  folderCount: 0,
  categoryCount: 0,
  linkCount: 1,
  folderName: null,
  categoryName: null,
  deletedAt: NOW,
  purgeAfter: NOW,
  ...more,
});

test.each([
  [entry({}), 'Roteador'],
  [entry({ linkCount: 2 }), 'Roteador e mais 1 link'],
  [entry({ linkCount: 1201 }), 'Roteador e mais 1.200 links'],
  [entry({ itemType: 'category', name: 'Redes', categoryCount: 1, linkCount: 9 }), 'Redes'],
  [entry({ itemType: 'folder', name: 'Estudos', folderCount: 3 }), 'Estudos e mais 2 pastas'],
])('%o is called %s', (given, name) => {
  expect(nameEntry(given)).toBe(name);
});

test.each([
  [entry({ folderName: 'Estudos', categoryName: 'Redes' }), 'Estudos › Redes'],
  [entry({}), 'Link'],
  [
    entry({ itemType: 'category', categoryCount: 1, linkCount: 0, folderName: 'Estudos' }),
    'Categoria em Estudos',
  ],
  [
    entry({ itemType: 'category', categoryCount: 1, linkCount: 3, folderName: 'Estudos' }),
    'Categoria em Estudos, com 3 links',
  ],
  [entry({ itemType: 'folder', folderCount: 1, categoryCount: 0, linkCount: 0 }), 'Pasta'],
  [entry({ itemType: 'folder', folderCount: 1, categoryCount: 1, linkCount: 0 }), 'Pasta, com 1 categoria'],
  [
    entry({ itemType: 'folder', folderCount: 1, categoryCount: 2, linkCount: 8 }),
    'Pasta, com 2 categorias e 8 links',
  ],
])('%o is described as %s', (given, words) => {
  expect(describeEntry(given)).toBe(words);
});

test.each([
  [0, 720, {}, 'Excluído agora · sai em 30 dias'],
  [0.5, 719.5, { linkCount: 2 }, 'Excluídos há 30 minutos · sai em 30 dias'],
  [5, 715, { itemType: 'folder', folderCount: 1 }, 'Excluída há 5 horas · sai em 30 dias'],
  [82, 638, { itemType: 'category', categoryCount: 2 }, 'Excluídas há 3 dias · sai em 27 dias'],
  [25, 24, {}, 'Excluído há 1 dia · sai em 24 horas'],
  [719.2, 0.8, {}, 'Excluído há 29 dias · sai em menos de uma hora'],
  [-1, 721, {}, 'Excluído agora · sai em 31 dias'],
] as const)('deleted %d hours ago and gone in %d', (age, rest, more, words) => {
  const given = entry({
    ...more,
    deletedAt: new Date(NOW.getTime() - age * HOUR),
    purgeAfter: new Date(NOW.getTime() + rest * HOUR),
  });
  expect(describeTime(given, NOW)).toBe(words);
});
