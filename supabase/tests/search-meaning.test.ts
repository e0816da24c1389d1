import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';

let database: ThrowawayDatabase;
let library: Library;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  library = await createLibrary(database, { plan: 'pro' });
});

/** One after the other, so that the last one is the newest. */
async function add(title: string, url = 'https://a.br/', description: string | null = null) {
  const { rows } = await queryAs<{ id: string }>(
    database,
    library.owner,
    `insert into links (title, url, description, category_id) values ($1, $2, $3, $4) returning id`,
    [title, url, description, library.categoryId],
  );
  return rows[0]?.id;
}

async function search(term: string, max = 50, page = 1, by = 'search_links') {
  const call =
    by === 'search_links' ? 'search_links($1, $2, $3)' : 'search_links_by($1, max_results => $2, page => $3)';
  const { rows } = await queryAs<{ title: string }>(database, library.owner, `select title from ${call}`, [
    term,
    max,
    page,
  ]);
  return rows.map(({ title }) => title);
}

describe.each(['search_links', 'search_links_by'])('%s: by meaning', (by) => {
  test('the beginning of the title, of a word of it, the site, elsewhere; older ones before newer', async () => {
    await add('Cafés do Brasil');
    await add('Um bom (café)');
    await add('Torra', 'https://www.Cafe.com.br/x');
    await add('Grãos', 'https://a.br/cafe');
    await add('Descafeinado');
    await add('Notas', 'https://b.br/', 'Moer o café');
    expect(await search('café', 50, 1, by)).toEqual([
      'Cafés do Brasil',
      'Um bom (café)',
      'Torra',
      'Notas',
      'Descafeinado',
      'Grãos',
    ]);
  });

  test('of several words the one that says least; the whole term before them', async () => {
    await add('Bolo de milho', 'https://receitas.br/');
    await add('Receitas: bolo');
    await add('Bolo', 'https://c.br/', 'Das melhores receitas');
    await add('Livro', 'https://c.br/', 'Bolo receitas');
    expect(await search('bolo receitas', 50, 1, by)).toEqual([
      'Livro',
      'Receitas: bolo',
      'Bolo de milho',
      'Bolo',
    ]);
  });

  test('a favourite before the others of its meaning, never before a nearer one', async () => {
    const starred = await add('Guia de trilhas');
    await add('Mapa de trilhas');
    await add('Trilhas');
    await queryAs(database, library.owner, `insert into favorites (link_id) values ($1)`, [starred]);
    expect(await search('trilhas', 50, 1, by)).toEqual(['Trilhas', 'Guia de trilhas', 'Mapa de trilhas']);
  });

  test('page by page, each link once, the hundred newest by meaning and the others after them', async () => {
    await add('velho milho');
    for (let n = 0; n < 60; n += 1) await add(`canjica de milho ${n}`);
    for (let n = 0; n < 60; n += 1) await add(`milho ${n}`);
    const pages = [];
    for (let page = 1; page <= 5; page += 1) pages.push(...(await search('milho', 30, page, by)));
    expect(pages).toHaveLength(121);
    expect(new Set(pages).size).toBe(121);
    expect(pages.slice(0, 60).every((title) => title.startsWith('milho'))).toBe(true);
    expect(pages.at(-1)).toBe('velho milho');
  });
});

test('a page behind everything is empty, and as quick', async () => {
  await add('milho');
  expect(await search('milho', 50, 2_000_000_000)).toEqual([]);
  expect(await search('milho', 50, 2_000_000_000, 'search_links_by')).toEqual([]);
});

test('what a stranger has found is theirs alone: their favourites order nothing here', async () => {
  const own = await add('Guia de trilhas');
  await add('Mapa de trilhas');
  const other = await createLibrary(database, { plan: 'pro' });
  await queryAs(database, other.owner, `insert into favorites (link_id) values ($1)`, [own]).catch(
    () => undefined,
  );
  expect(await search('trilhas')).toEqual(['Mapa de trilhas', 'Guia de trilhas']);
  const { rows } = await queryAs(database, other.owner, `select from search_links('trilhas')`);
  expect(rows).toEqual([]);
});
