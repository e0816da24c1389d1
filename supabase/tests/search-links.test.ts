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
    'campo a https',
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

describe('a large library, whose text is summed up zone by zone', () => {
  let large: Library;
  const insert = `insert into links (title, url, description, category_id) select $1 || n, 'https://a.br/' || n, $2, $3 from generate_series(1, $4::int) n`;
  const addMany = (title: string, count: number, description: string | null = null) =>
    queryAs(database, large.owner, insert, [title, description, large.categoryId, count]);
  const find = (term: string, max = 10) => search(term, max, large.owner);

  beforeAll(async () => {
    large = await createLibrary(database, { plan: 'pro' });
    await addMany('Agulha antiga ', 1);
    await addMany('Palha seca ', 1200, 'Ração de 日本vue語 e C++');
    await addMany('Alfinete raro ', 3, '𝄞 coração');
    await addMany('Feno verde ', 1200);
  });

  async function countZones(): Promise<number> {
    const { rows } = await database.admin.query(
      `select count(*)::int as n from private.link_search_zones where user_id = $1`,
      [large.owner.id],
    );
    return rows[0].n;
  }

  test('has zones, and a small one has none', async () => {
    expect(await countZones()).toBeGreaterThan(100);
    const { rows } = await database.admin.query(
      `select count(*)::int as n from private.link_search_zones where user_id = $1`,
      [owner.id],
    );
    expect(rows[0].n).toBe(0);
  });

  test.each<{ term: string; count: number }>([
    { term: 'agulha antiga', count: 1 },
    { term: 'gulh', count: 1 },
    { term: 'lh', count: 50 },
    { term: 'alfinete', count: 3 },
    { term: '𝄞', count: 3 },
    { term: '𝄞 cor', count: 3 },
    { term: 'vue', count: 50 },
    { term: 'u', count: 50 },
    { term: '本v', count: 50 },
    { term: '日本VUE語 e c++', count: 50 },
    { term: '++', count: 50 },
    { term: 'feno verde 1200', count: 1 },
    { term: 'verde 77 ', count: 11 },
    { term: 'zz', count: 0 },
    { term: 'agulha verde', count: 0 },
    { term: '§', count: 0 },
    { term: 'ж', count: 0 },
  ])("'$term' finds $count", async ({ term, count }) => {
    expect(await find(term, 50)).toHaveLength(count);
  });

  test('finds every window of a text, wherever it begins and ends', async () => {
    const text = 'racao de 日本vue語 e c++';
    for (let start = 0; start < text.length; start += 1)
      for (let end = start + 1; end <= text.length; end += 1) {
        const term = text.slice(start, end).trim();
        if (term !== '') expect(await find(term, 1), `'${term}'`).toHaveLength(1);
      }
  });

  test('answers as a pass over every link would', async () => {
    for (const term of [
      'a',
      'e',
      '1',
      '11',
      '111',
      'seca 5',
      'de 9',
      'br/12',
      'ra',
      'al',
      'ver',
      '0',
      'c+',
      'antiga 1',
    ]) {
      const { rows } = await database.admin.query<{ title: string }>(
        `select title from links where user_id = $1
           and strpos(private.link_search_text(title, url, description), private.normalize_search_text($2)) > 0
         order by created_at desc, id desc limit 50`,
        [large.owner.id, term],
      );
      expect(await find(term, 50), term).toEqual(rows.map(({ title }) => title));
    }
  });

  test('an edit deep inside is found by its new text and not by its old', async () => {
    await queryAs(
      database,
      large.owner,
      `update links set title = 'Xilofone' where title = 'Agulha antiga 1'`,
    );
    expect(await find('xilofone')).toEqual(['Xilofone']);
    expect(await find('agulha')).toEqual([]);
  });

  test('a link written with an older date is found', async () => {
    for (const age of ['2 minutes', '1 year'])
      await database.admin.query(
        `insert into links (title, url, category_id, user_id, created_at)
         values ('Wyvern', 'https://a.br', $1, $2, (select min(created_at) from links where user_id = $2) + interval '1 microsecond' - $3::interval)`,
        [large.categoryId, large.owner.id, age],
      );
    expect(await find('wyvern')).toEqual(['Wyvern', 'Wyvern']);
  });

  test('an edit and the summing up of its moment do not miss each other', async () => {
    const racing = await createLibrary(database, { plan: 'pro' });
    const fill = (count: number) =>
      queryAs(database, racing.owner, insert, ['Palha ', null, racing.categoryId, count]);
    await fill(1990);
    await Promise.all([
      fill(200),
      ...Array.from({ length: 6 }, (_, n) =>
        queryAs(
          database,
          racing.owner,
          `update links set title = 'Quixote ' || title where title = 'Palha ' || $1::text`,
          [n * 300 + 300],
        ),
      ),
    ]);
    expect(await search('quixote', 50, racing.owner)).toHaveLength(6);
  });

  test('what is deleted leaves no zone behind', async () => {
    const before = await countZones();
    await queryAs(database, large.owner, `delete from links where title like 'Feno%'`);
    expect(await countZones()).toBeLessThan(before / 1.5);
    expect(await find('feno')).toEqual([]);
    expect(await find('alfinete')).toHaveLength(3);
    await addMany('Outono ', 200);
    expect(await find('outono 7', 50)).toHaveLength(11);
  });
});
