import { countCharacters } from '@linkoteca/domain/text';
import { expect, test } from 'vitest';
import { fitName, joinCategories, listChanged, renameCategory, renameFolder } from './amend-import.ts';
import { arrangeImport } from './arrange-import.ts';
import { dropKey, followRename, keepChosen } from './dropped-places.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const arrange = (...links: readonly (readonly [path: string, url: string])[]) =>
  arrangeImport(
    {
      folders: [],
      links: links.map(([path, url]) => ({
        path: path.split('/'),
        url,
        title: `${path} ${url}`,
        description: '',
        tags: [],
        addedAt: null,
      })),
    },
    NOW,
    NOW,
  );
const shape = ({ folders }: ReturnType<typeof arrange>) =>
  folders.map(({ name, categories }) => [
    name,
    categories.map((category) => [category.name, category.links.map(({ url }) => url).join(' ')]),
  ]);
const FILE = arrange(
  ['A/x', 'https://1.br'],
  ['A/y', 'https://2.br'],
  ['B/x', 'https://1.br/'],
  ['B/x', 'https://3.br'],
);

test('renames one folder or one category and nothing else', () => {
  expect(shape(renameFolder(FILE, 'B', 'C'))).toEqual([
    shape(FILE)[0],
    ['C', [['x', 'https://1.br/ https://3.br']]],
  ]);
  expect(shape(renameCategory(FILE, { folder: 'A', category: 'x' }, 'z'))[0]?.[1]).toEqual([
    ['z', 'https://1.br'],
    ['y', 'https://2.br'],
  ]);
});

test('joins categories across folders: an address of both stays once and is told, and an emptied folder goes', () => {
  const joined = joinCategories(FILE, { folder: 'B', category: 'x' }, { folder: 'A', category: 'x' });
  expect(shape(joined)).toEqual([
    [
      'A',
      [
        ['x', 'https://1.br https://3.br'],
        ['y', 'https://2.br'],
      ],
    ],
  ]);
  expect(joined.leftOut).toEqual([{ title: 'B/x https://1.br/', url: 'https://1.br/', reason: 'repeated' }]);
  // Every link of the file is in one of the two.
  const kept = joined.folders.flatMap(({ categories }) => categories.flatMap(({ links }) => links));
  expect(kept.length + joined.leftOut.length).toBe(4);
});

test('joins within a folder, which keeps the others; with itself, or with what is not there, nothing changes', () => {
  const [x, y] = ['x', 'y'].map((category) => ({ folder: 'A', category })) as [
    { folder: string; category: string },
    { folder: string; category: string },
  ];
  expect(shape(joinCategories(FILE, x, y))[0]).toEqual(['A', [['y', 'https://1.br https://2.br']]]);
  expect(joinCategories(FILE, x, x)).toBe(FILE);
  expect(joinCategories(FILE, x, { folder: 'A', category: 'nada' })).toBe(FILE);
});

test('says which categories have another place or other links than before', () => {
  const names = (after: ReturnType<typeof arrange>) =>
    listChanged(FILE.folders, after.folders).map(({ name, categories }) => [
      name,
      categories.map((c) => c.name),
    ]);
  expect(names(FILE)).toEqual([]);
  expect(names(renameFolder(FILE, 'A', 'C'))).toEqual([['C', ['x', 'y']]]);
  expect(names(joinCategories(FILE, { folder: 'A', category: 'x' }, { folder: 'A', category: 'y' }))).toEqual(
    [['A', ['y']]],
  );
});

test('a name that somebody chose is no shortened one', () => {
  const long = 'Relatórios trimestrais da diretoria de investimentos de 2023';
  const file = arrange([`${long}/${long}`, 'https://1.br']);
  const [folder] = file.folders;
  const name = folder?.name ?? '';
  const renamed = renameFolder(file, name, 'R');
  expect(file.shortened).toHaveLength(2);
  expect(renamed.shortened.map((each) => each.folder)).toEqual(['R']);
  const category = folder?.categories[0]?.name ?? '';
  expect(renameCategory(renamed, { folder: 'R', category }, 'x').shortened).toEqual([]);
});

test.each([
  ['\u200B  Casa nova ', 'Casa nova'],
  ['\u200B', 'Sem nome'],
  ['Receitas da família que ainda não foram experimentadas', 'Receitas da família que ainda não foram…'],
])('a typed name %j becomes %j', (typed, name) => {
  expect(fitName(typed, 'folder')).toBe(name);
  expect(countCharacters(fitName('á'.repeat(99), 'category'))).toBe(50);
});

test('what nobody wants of a folder stays unwanted under its new name', () => {
  const dropped = new Set([dropKey('A', 'y'), dropKey('AB', 'y')]);
  const after = followRename(dropped, 'A', 'C');
  expect([...after]).toEqual([dropKey('C', 'y'), dropKey('AB', 'y')]);
  expect(
    keepChosen(renameFolder(FILE, 'A', 'C').folders, after)[0]?.categories.map(({ name }) => name),
  ).toEqual(['x']);
});
