import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
let library: Library;
let owner: TestUser;

beforeAll(async () => {
  database = await createThrowawayDatabase();
  library = await createLibrary(database, { plan: 'pro' });
  owner = library.owner;
});
afterAll(() => database.drop());

async function add(title: string, url = 'https://a.br/', description: string | null = null): Promise<string> {
  const { rows } = await queryAs<{ id: string }>(
    database,
    owner,
    `insert into links (title, url, description, category_id) values ($1, $2, $3, $4) returning id`,
    [title, url, description, library.categoryId],
  );
  return rows[0]?.id ?? '';
}

async function search(term: string | null, max?: number, caller: TestUser = owner): Promise<string[]> {
  const { rows } = await queryAs<{ title: string }>(
    database,
    caller,
    max === undefined ? `select title from search_links($1)` : `select title from search_links($1, ${max})`,
    [term],
  );
  return rows.map(({ title }) => title);
}

describe('what matches', () => {
  const long = `${'Início '.repeat(80)}MEIO${' fim'.repeat(140)} último`;
  beforeAll(async () => {
    await add('Ação e Coração', 'https://exemplo.com.br/Página', 'Descrição única');
    await add('100% grátis_\\o/', 'https://exemplo.com.br/100%25');
    await add('Straße der Æsop', 'https://exemplo.com.br/s');
    await add('Emoji 👩‍👩‍👧 aqui', 'https://exemplo.com.br/e');
    await add('Espaços', 'https://exemplo.com.br/x', 'linha um\n\tlinha   dois');
    await add('Longo', `https://exemplo.com.br/${'caminho/'.repeat(50)}ponta`, long.slice(0, 1200));
    await add('Campo a', 'https://campo-b.br/');
  });

  test.each<{ term: string; title: string }>([
    { term: 'acao', title: 'Ação e Coração' },
    { term: 'AÇÃO', title: 'Ação e Coração' },
    { term: 'orac', title: 'Ação e Coração' },
    { term: 'pagina', title: 'Ação e Coração' },
    { term: '  unica ', title: 'Ação e Coração' },
    { term: 'Descric\u0327a\u0303o', title: 'Ação e Coração' },
    { term: '0%', title: '100% grátis_\\o/' },
    { term: 's_\\', title: '100% grátis_\\o/' },
    { term: '\\o/', title: '100% grátis_\\o/' },
    { term: 'strasse', title: 'Straße der Æsop' },
    { term: 'aesop', title: 'Straße der Æsop' },
    { term: '👩‍👩‍👧', title: 'Emoji 👩‍👩‍👧 aqui' },
    { term: 'um linha dois', title: 'Espaços' },
    { term: 'caminho/ponta', title: 'Longo' },
    { term: 'meio', title: 'Longo' },
    { term: 'ultimo', title: 'Longo' },
  ])("'$term' finds '$title'", async ({ term, title }) => {
    expect(await search(term)).toEqual([title]);
  });

  test.each([
    'acaoe',
    '%%',
    '_0',
    'a\\c',
    'fim fim%',
    "'; drop table links; --",
    'coracaohttps',
    '"campo a https"',
    'campo ahttps',
  ])("'%s' finds nothing", async (term) => {
    expect(await search(term)).toEqual([]);
  });

  test.each(['', ' ', '\n\t ', null])('a blank term finds nothing (%j)', async (term) => {
    expect(await search(term)).toEqual([]);
  });

  test('every window of a long text finds its link, whatever its length', async () => {
    const text = long.slice(0, 1200).toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
    for (let start = 0; start + 300 < text.length; start += 37)
      for (const length of [3, 99, 100, 101, 250]) {
        const term = text.slice(start, start + length).trim();
        expect(await search(term), `${length} characters from ${start}`).toContain('Longo');
      }
  });

  test('a long term is compared to its end', async () => {
    const term = `exemplo.com.br/${'caminho/'.repeat(50)}`;
    expect(await search(`${term}ponta`)).toEqual(['Longo']);
    expect(await search(`${term}outra`)).toEqual([]);
  });
});

describe('what comes back', () => {
  let other: Library;
  beforeAll(async () => {
    other = await createLibrary(database, { plan: 'pro' });
    await queryAs(
      database,
      other.owner,
      `insert into links (title, url, category_id) select 'Série ' || n, 'https://a.br/' || n, $1 from generate_series(1, 120) n`,
      [other.categoryId],
    );
  });

  test('ten by default, newest first', async () => {
    expect(await search('serie', undefined, other.owner)).toEqual(
      [120, 119, 118, 117, 116, 115, 114, 113, 112, 111].map((n) => `Série ${n}`),
    );
  });
  test.each([
    { max: 3, count: 3 },
    { max: 50, count: 50 },
    { max: 1000, count: 50 },
    { max: 0, count: 0 },
    { max: -1, count: 0 },
  ])('$max asked for, $count given', async ({ max, count }) => {
    expect(await search('serie', max, other.owner)).toHaveLength(count);
  });
  test('page by page, each link once, and nothing after the last', async () => {
    const page = async (max: number, n: number | null) => {
      const text = `select title from search_links('serie', $1, $2)`;
      const { rows } = await queryAs<{ title: string }>(database, other.owner, text, [max, n]);
      return rows.map(({ title }) => title);
    };
    const all = Array.from({ length: 120 }, (_, n) => `Série ${120 - n}`);
    expect([...(await page(50, 1)), ...(await page(50, 2)), ...(await page(50, 3))]).toEqual(all);
    expect(await page(50, 4)).toEqual([]);
    expect(await page(7, 3)).toEqual(all.slice(14, 21));
    expect(await page(1000, 2)).toEqual(all.slice(50, 100));
    for (const first of [null, 0, -5]) expect(await page(50, first)).toEqual(all.slice(0, 50));
    expect(await page(50, 2_147_483_647)).toEqual([]);
  });
  test('terms longer than a piece’s overlap page as well', async () => {
    const long = 'palavra '.repeat(20).trim();
    const write = `insert into links (title, url, description, category_id) select 'Longo ' || n, 'https://a.br', $1, $2 from generate_series(1, 5) n`;
    await queryAs(database, other.owner, write, [long, other.categoryId]);
    const text = `select title from search_links($1, 2, $2)`;
    const pages = await Promise.all([1, 2, 3].map((n) => queryAs(database, other.owner, text, [long, n])));
    expect(pages.flatMap(({ rows }) => rows.map(({ title }) => title))).toEqual(
      [5, 4, 3, 2, 1].map((n) => `Longo ${n}`),
    );
  });
  test('there is one function of the name, so that a call without a page is not ambiguous', async () => {
    const { rows } = await database.admin.query(
      `select pronargs::int as args from pg_proc where proname = 'search_links'`,
    );
    expect(rows).toEqual([{ args: 3 }]);
  });
  test('with the category’s name', async () => {
    const { rows } = await queryAs(database, other.owner, `select * from search_links('serie 77')`);
    expect(rows).toEqual([
      {
        id: expect.any(String),
        title: 'Série 77',
        description: null,
        url: 'https://a.br/77',
        category_id: other.categoryId,
        category_name: 'Leituras',
      },
    ]);
  });
  test('never a link of someone else', async () => {
    expect(await search('serie')).toEqual([]);
    const stranger = await createUser(database.admin);
    expect(await search('serie', 50, stranger)).toEqual([]);
  });
  test('a visitor may not search, and the server without a user finds nothing', async () => {
    expect(await readOutcome(database, 'anon', `select from search_links('serie')`)).toMatchObject({
      code: '42501',
    });
    expect(await readOutcome(database, 'service_role', `select from search_links('serie')`)).toEqual({
      rows: 0,
    });
  });
});

describe('the index follows the links', () => {
  test('an edit is found by its new text and not by its old', async () => {
    const id = await add('Primeira versão');
    await readOutcome(database, owner, `update links set title = 'Segunda versão' where id = $1`, [id]);
    expect(await search('primeira versao')).toEqual([]);
    expect(await search('segunda versao')).toEqual(['Segunda versão']);
    await readOutcome(database, owner, `delete from links where id = $1`, [id]);
    expect(await search('segunda versao')).toEqual([]);
  });

  test('text of four bytes a character fits, at every length', async () => {
    for (const length of [50, 590, 600, 610, 1200]) {
      const id = await add('𝄞'.repeat(100), `https://a.br/${'𝄞'.repeat(400)}`, '𝄞'.repeat(length));
      expect(id).not.toBe('');
    }
    expect(await search('𝄞𝄞', 50)).toHaveLength(5);
  });
});
