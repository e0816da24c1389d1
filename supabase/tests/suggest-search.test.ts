import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';

let database: ThrowawayDatabase;
let library: Library;
const ask = async (term: string, caller: TestCaller = library.owner) => {
  const { rows } = await queryAs<{ found: string | null }>(
    database,
    caller,
    `select suggest_search($1) as found`,
    [term],
  );
  return rows[0]?.found;
};

beforeAll(async () => {
  database = await createThrowawayDatabase();
  library = await createLibrary(database, { plan: 'pro' });
  await queryAs(database, library.owner, `update categories set name = 'Favoritas' where id = $1`, [
    library.categoryId,
  ]);
  const insert = `insert into links (title, url, description, category_id) values ($1, $2, $3, $4)`;
  for (const [title, url, description] of [
    ['Receita de bolo', 'https://www.cozinha.com.br/fuba', 'Com Maçã e Açúcar'],
    ['Pão de queijo', 'https://a.br/', null],
    ['Biblioteca Garmin', 'https://a.br/', null],
  ])
    await queryAs(database, library.owner, insert, [title, url, description, library.categoryId]);
});
afterAll(() => database.drop());

test.each<[string, string | null]>([
  ['receta', 'receita'],
  ['Bibloteca', 'biblioteca'],
  ['assúcar', 'açúcar'],
  ['cozimha', 'cozinha'],
  ['Pão de quejo', 'Pão de queijo'],
  ['recieta bollo', 'receita bolo'],
  ['-garmin receta', '-garmin receita'],
  // What is found needs no suggestion, and neither does what is like nothing.
  ['receita', null],
  ['xyzwq', null],
  ['receta xyzwq', null],
  // Both words exist, together nowhere.
  ['garmin queijo', null],
  // The better spelling would find nothing either.
  ['receta garmin', null],
  ['"receta de bolo"', null],
  ['zz', null],
  ['', null],
  ['   ', null],
  ['-receta', null],
  // A place is named, too.
  ['favoritsa bolo', 'favoritas bolo'],
  ['favoritas bolo', null],
  ['%_\\', null],
  ['(((" or 1=1 --', null],
  [Array.from({ length: 12 }, (_, n) => `receta${n}`).join(' '), null],
])('%j suggests %j', async (term, expected) => {
  expect(await ask(term)).toBe(expected);
});

test('a suggestion finds something', async () => {
  const { rows } = await queryAs(
    database,
    library.owner,
    `select from search_links(suggest_search('recieta bollo'), 9)`,
  );
  expect(rows).toHaveLength(1);
});

test('nobody is suggested a word of somebody else', async () => {
  const stranger = await createLibrary(database, { plan: 'pro' });
  expect(await ask('receta', stranger.owner)).toBeNull();
  await queryAs(
    database,
    stranger.owner,
    `insert into links (title, url, category_id) values ('Recesso', 'https://a.br/', $1)`,
    [stranger.categoryId],
  );
  expect(await ask('receso', stranger.owner)).toBe('recesso');
  expect(await ask('bibloteca', stranger.owner)).toBeNull();
  await expect(ask('receta', 'anon')).rejects.toMatchObject({ code: '42501' });
});
