import { randomUUID } from 'node:crypto';
import { claimsOf } from '@linkoteca/test-kit/claims-of';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { setPlan } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';
import { snapshotLibrary } from './support/snapshot-library.ts';

let database: ThrowawayDatabase;
let mine: Library;
let importId: string;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  mine = await createLibrary(database, { plan: 'pro' });
  importId = randomUUID();
});

interface Place {
  readonly folder: string;
  readonly category?: string | null;
  readonly description?: string;
  readonly folder_id?: string;
  readonly category_id?: string;
}

interface FileLink {
  readonly url: unknown;
  readonly title?: string;
  readonly place?: number;
  readonly id?: string;
  readonly description?: string;
  readonly created_at?: unknown;
}

const IMPORT = `select import_library($1, $2, $3) as answer`;
const UNDO = `select undo_import($1) as answer`;
const content = (places: readonly Place[], links: readonly FileLink[], total?: object) =>
  JSON.stringify({
    places: places.map((place, n) => ({ n, category: null, ...place })),
    links: links.map((link, n) => ({ n, place: 0, title: `Link ${n}`, ...link })),
    ...(total && { total }),
  });
const write = async (body: string, part = 0, caller: TestCaller = mine.owner, id = importId) =>
  (await queryAs<{ answer: Record<string, number> }>(database, caller, IMPORT, [id, part, body])).rows[0]
    ?.answer;
const undo = async (id = importId, caller: TestCaller = mine.owner) =>
  (await queryAs<{ answer: Record<string, unknown> }>(database, caller, UNDO, [id])).rows[0]?.answer;
const many = (count: number, from = 0): FileLink[] =>
  Array.from({ length: count }, (_, n) => ({ url: `https://a.br/${from + n}` }));
const read = async (text: string, values: readonly unknown[] = []) =>
  (await queryAs(database, mine.owner, text, values)).rows;

const READINGS = { folder: 'Leituras', category: 'Artigos', description: 'Para o fim de semana' };

describe('a part of an import', () => {
  test('makes folders, categories and links in the order of the file, with its dates', async () => {
    const answer = await write(
      content(
        [READINGS, { folder: 'Leituras', category: 'Livros' }, { folder: 'Vazia' }],
        [
          { url: 'https://a.br/1', title: 'Ação', created_at: '2019-05-11T12:00:00Z' },
          { url: 'https://a.br/2', description: 'Dois', created_at: '2019-05-11T12:00:00Z' },
          { url: 'https://a.br/3' },
          { url: 'https://a.br/4' },
          { url: 'https://a.br/5', created_at: '2999-01-01T00:00:00Z' },
          { url: 'https://a.br/6', place: 1 },
        ],
      ),
    );
    expect(answer).toEqual({ folders: 2, categories: 2, links: 6, known: 0 });
    const links = await read(
      `select l.url, to_char(l.created_at at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS') as at, l.created_at > now() as late
       from links l join categories c on c.id = l.category_id where c.name = 'Artigos' order by l.created_at desc, l.id desc`,
    );
    expect(links.map(({ url }) => url)).toEqual(['3', '4', '5', '1', '2'].map((n) => `https://a.br/${n}`));
    expect(links.slice(3).map(({ at }) => at)).toEqual(['2019-05-11 12:00:00', '2019-05-11 12:00:00']);
    expect(links.every(({ late }) => late === false)).toBe(true);
    expect(
      await read(`select description, name_users, is_public from categories where name = 'Artigos'`),
    ).toEqual([{ description: 'Para o fim de semana', name_users: 'Maria', is_public: false }]);
    expect((await read(`select name from folders order by created_at desc`)).map(({ name }) => name)).toEqual(
      ['Leituras', 'Vazia', 'Trabalho'],
    );
    expect(await read('select folder_count, category_count, link_count from library_counts')).toEqual([
      { folder_count: 3, category_count: 3, link_count: 7 },
    ]);
    expect(await read(`select id from search_links('acao')`)).toHaveLength(1);
  });

  test('joins folders and categories of equal name and skips addresses that lie there already', async () => {
    const before = await snapshotLibrary(database, mine.owner);
    const file = content(
      [{ folder: 'Trabalho', category: 'Leituras', description: 'nova' }],
      [{ url: 'https://EXEMPLO.com.br' }, { url: 'https://novo.br' }, { url: 'https://novo.br/' }],
    );
    expect(await read(`select preview_import($1) as known`, [file])).toEqual([{ known: [0] }]);
    expect(await snapshotLibrary(database, mine.owner)).toEqual(before);
    expect(await write(file)).toEqual({ folders: 0, categories: 0, links: 1, known: 2 });
    expect(await read(`select description from categories`)).toEqual([{ description: null }]);
    // The same address in another category is another place for it.
    const elsewhere = content([{ folder: 'Trabalho', category: 'Outra' }], [{ url: 'https://novo.br' }]);
    expect(await write(elsewhere, 1)).toMatchObject({ categories: 1, links: 1 });
  });

  test('takes the blanks off addresses, and knows them again with and without', async () => {
    const file = content(
      [{ folder: 'Trabalho', category: 'Leituras' }],
      [
        { url: 'https://exemplo.com.br ' },
        { url: '\thttps://exemplo.com.br/\n' },
        { url: ' https://novo.br/a\t' },
      ],
    );
    expect(await read(`select preview_import($1) as known`, [file])).toEqual([{ known: [0, 1] }]);
    expect(await write(file)).toEqual({ folders: 0, categories: 0, links: 1, known: 2 });
    expect(await write(file, 1)).toEqual({ folders: 0, categories: 0, links: 0, known: 3 });
    expect(await read('select url from links order by url')).toEqual([
      { url: 'https://exemplo.com.br/' },
      { url: 'https://novo.br/a' },
    ]);
  });

  test('that is sent again, also at the same moment, answers the same and writes nothing', async () => {
    const file = content([READINGS], many(50));
    const [first, ...others] = await Promise.all([write(file), write(file), write(file)]);
    expect(first).toEqual({ folders: 1, categories: 1, links: 50, known: 0 });
    expect(others).toEqual([first, first]);
    expect(await write(content([READINGS], many(60)))).toEqual(first);
    expect(await write(content([READINGS], many(60)), 1)).toMatchObject({ links: 10, known: 50 });
    expect(await read('select link_count from library_counts')).toEqual([{ link_count: 61 }]);
  });

  test('uses the ids that the client chose for what is new', async () => {
    const [folder_id, category_id, id] = [randomUUID(), randomUUID(), randomUUID()];
    await write(content([{ ...READINGS, folder_id, category_id }], [{ url: 'https://a.br', id }]));
    expect(
      await read(
        `select l.id, c.id as category_id, c.folder_id from links l join categories c on c.id = l.category_id where l.id = $1`,
        [id],
      ),
    ).toEqual([{ id, category_id, folder_id }]);
  });

  test('goes on where a category and a folder that it has made have other names by now', async () => {
    const place = { ...READINGS, folder_id: randomUUID(), category_id: randomUUID() };
    await write(content([place], many(2)));
    await read(`update categories set name = 'Velhos' where id = $1`, [place.category_id]);
    expect(await write(content([place], many(2, 2)), 1)).toEqual({
      folders: 0,
      categories: 1,
      links: 2,
      known: 0,
    });
    await read(`update folders set name = 'Velhas' where id = $1`, [place.folder_id]);
    expect(await write(content([place], many(2, 4)), 2)).toEqual({
      folders: 1,
      categories: 1,
      links: 2,
      known: 0,
    });
    expect(
      await read(
        `select f.name as folder, c.name as category, count(*)::integer as links
         from links l join categories c on c.id = l.category_id join folders f on f.id = c.folder_id
         where l.url like 'https://a.br/%' group by 1, 2 order by 1, 2`,
      ),
    ).toEqual([
      { folder: 'Leituras', category: 'Artigos', links: 2 },
      { folder: 'Velhas', category: 'Artigos', links: 2 },
      { folder: 'Velhas', category: 'Velhos', links: 2 },
    ]);
    expect(await undo()).toEqual({ folders: 2, categories: 3, links: 6, done: true });
  });

  test('goes on where a category that it has made is in another folder by now', async () => {
    const place = { ...READINGS, folder_id: randomUUID(), category_id: randomUUID() };
    await write(content([place], many(1)));
    await read('update categories set folder_id = $2 where id = $1', [place.category_id, mine.folderId]);
    expect(await write(content([place], many(1, 1)), 1)).toMatchObject({ categories: 1, links: 1 });
    expect(await read(`select count(*)::integer from categories where name = 'Artigos'`)).toEqual([
      { count: 2 },
    ]);
  });

  test.each(['category', 'folder'] as const)(
    'makes another %s where the one that it has made is in the bin, so that it can come back',
    async (kind) => {
      const place = { ...READINGS, folder_id: randomUUID(), category_id: randomUUID() };
      await write(content([place], many(2)));
      const [table, id] =
        kind === 'folder' ? ['folders', place.folder_id] : ['categories', place.category_id];
      await read(`delete from ${table} where id = $1`, [id]);
      expect(await write(content([place], many(1, 2)), 1)).toMatchObject({ categories: 1, links: 1 });
      // No two folders have one name.
      await read(`update folders set name = 'Novas' where name = 'Leituras' and id <> $1`, [place.folder_id]);
      expect(await read('select undo_deletion($1, array[$2::uuid]) as given', [kind, id])).toEqual([
        { given: { folders: kind === 'folder' ? 1 : 0, categories: 1, links: 2 } },
      ]);
    },
  );
});

describe('limits', () => {
  test('a free plan is refused like sharing, and nothing is written', async () => {
    await setPlan(database.admin, mine.owner.id, 'free');
    const before = await snapshotLibrary(database, mine.owner);
    await expect(write(content([READINGS], many(1)))).rejects.toMatchObject({
      code: 'P0001',
      message: 'Recurso indisponível',
      hint: 'plan_sharing',
    });
    expect(await snapshotLibrary(database, mine.owner)).toEqual(before);
  });

  test('what does not fit as a whole is refused before its first part, what does not fit a part with it', async () => {
    await setPlan(database.admin, mine.owner.id, 'plus');
    const before = await snapshotLibrary(database, mine.owner);
    const attempt = (body: string, part = 0) =>
      readOutcome(database, mine.owner, IMPORT, [importId, part, body]);
    expect(await attempt(content([READINGS], many(1), { links: 500, categories: 1 }))).toEqual({
      code: 'P0001',
      hint: 'plan_limit_links',
    });
    expect(await attempt(content([READINGS], many(1), { links: 1, categories: 20 }))).toEqual({
      code: 'P0001',
      hint: 'plan_limit_categories',
    });
    expect(await attempt(content([READINGS], many(500)))).toMatchObject({ hint: 'plan_limit_links' });
    const categories = Array.from({ length: 20 }, (_, n) => ({ folder: 'F', category: `C${n}` }));
    expect(await attempt(content(categories, []))).toMatchObject({ hint: 'plan_limit_categories' });
    expect(await snapshotLibrary(database, mine.owner)).toEqual(before);
    expect(await write(content([READINGS], many(499), { links: 499, categories: 1 }))).toMatchObject({
      links: 499,
    });
    expect(await attempt(content([READINGS], many(1, 900)), 1)).toMatchObject({ hint: 'plan_limit_links' });
  });

  test('the last category of the plan comes with an import, one more does not', async () => {
    await setPlan(database.admin, mine.owner.id, 'plus');
    const places = (count: number, from = 0) =>
      Array.from({ length: count }, (_, n) => ({ folder: 'F', category: `C${from + n}` }));
    const full = { code: 'P0001', hint: 'plan_limit_categories' };
    expect(await write(content(places(19), [], { links: 0, categories: 19 }))).toMatchObject({
      categories: 19,
    });
    // Refused as a whole, and where the file says nothing of its size.
    for (const total of [{ links: 0, categories: 1 }, undefined])
      expect(
        await readOutcome(database, mine.owner, IMPORT, [randomUUID(), 0, content(places(1, 19), [], total)]),
      ).toEqual(full);
    // What is there already needs no place.
    expect(await write(content(places(19), many(1)), 1)).toMatchObject({ categories: 0, links: 1 });
    expect(await read('select category_count from library_counts')).toEqual([{ category_count: 20 }]);
  });

  test.each([
    ['no object', 'null'],
    ['no lists', '{"places": {}, "links": []}'],
    ['a place that is not named', content([READINGS], [{ url: 'https://a.br', place: 7 }])],
    ['a link in a folder without category', content([{ folder: 'F' }], many(1))],
    ['no address', content([READINGS], [{ url: null }])],
    ['a date that is none', content([READINGS], [{ url: 'https://a.br', created_at: 'ontem' }])],
    ['an id that is none', content([{ ...READINGS, folder_id: 'x' }], [])],
    ['more than a thousand links', content([READINGS], many(1001))],
  ])('%s is refused as a bad request', async (_, body) => {
    const before = await snapshotLibrary(database, mine.owner);
    expect(await readOutcome(database, mine.owner, IMPORT, [importId, 0, body])).toEqual({ code: 'PT400' });
    expect(await snapshotLibrary(database, mine.owner)).toEqual(before);
  });

  test.each([
    ['javascript:alert(1)', 'links_url_is_http'],
    [`https://a.br/${'x'.repeat(500)}`, 'links_url_length'],
  ])('%.30s is refused as by the table', async (url, constraint) => {
    expect(
      await readOutcome(database, mine.owner, IMPORT, [
        importId,
        0,
        content([READINGS], [{ url: 'https://a.br' }, { url }]),
      ]),
    ).toEqual({ code: '23514', constraint });
    expect(await read('select link_count from library_counts')).toEqual([{ link_count: 1 }]);
  });

  test('fifty imports in a day are enough, and the fiftieth is one of them', async () => {
    await database.admin.query(
      `insert into private.imports (user_id, id) select $1, gen_random_uuid() from generate_series(1, 49)`,
      [mine.owner.id],
    );
    const fiftieth = randomUUID();
    expect(await write(content([READINGS], many(1)), 0, mine.owner, fiftieth)).toMatchObject({ links: 1 });
    expect(await write(content([READINGS], many(1, 1)), 1, mine.owner, fiftieth)).toMatchObject({ links: 1 });
    expect(await readOutcome(database, mine.owner, IMPORT, [importId, 0, content([READINGS], [])])).toEqual({
      code: 'PT429',
    });
    expect(await undo(fiftieth)).toMatchObject({ links: 2, done: true });
    await database.admin.query(`update private.imports set started_at = now() - interval '25 hours'`);
    expect(await write(content([READINGS], []))).toMatchObject({ folders: 1 });
  });
});

describe('undoing', () => {
  test('takes exactly what the import made, and nothing twice', async () => {
    const before = await snapshotLibrary(database, mine.owner);
    const places = [
      READINGS,
      { folder: 'Trabalho', category: 'Leituras' },
      { folder: 'Trabalho', category: 'Nova' },
    ];
    await write(
      content(places, [
        ...many(3),
        { url: 'https://b.br', place: 1 },
        { url: 'https://exemplo.com.br', place: 1 },
      ]),
    );
    await write(content(places, many(3, 10)), 1);
    expect(await read('select last_import() as last')).toEqual([
      { last: expect.objectContaining({ id: importId, folders: 1, categories: 2, links: 7 }) },
    ]);
    expect(await undo()).toEqual({ folders: 1, categories: 2, links: 7, done: true });
    expect(await snapshotLibrary(database, mine.owner)).toEqual(before);
    expect(await undo()).toEqual({ folders: 0, categories: 0, links: 0, done: true });
    expect(await read('select last_import() as last')).toEqual([{ last: null }]);
    // A part that was on its way comes too late.
    expect(await readOutcome(database, mine.owner, IMPORT, [importId, 2, content(places, many(1))])).toEqual({
      code: 'PT409',
    });
  });

  test('leaves a category in which something else lies by now, on every plan', async () => {
    await write(content([READINGS, { folder: 'Leituras', category: 'Livros' }], many(2)));
    await read(
      `insert into links (url, title, category_id) select 'https://meu.br', 'Meu', id from categories where name = 'Livros'`,
    );
    await setPlan(database.admin, mine.owner.id, 'free');
    expect(await undo()).toEqual({ folders: 0, categories: 1, links: 2, done: true });
    expect(await read(`select title from links order by title`)).toEqual([
      { title: 'Exemplo' },
      { title: 'Meu' },
    ]);
  });

  test('of a large import goes on call by call', async () => {
    for (let part = 0; part < 12; part += 1) await write(content([READINGS], many(20, part * 20)), part);
    expect(await undo()).toEqual({ folders: 0, categories: 0, links: 200, done: false });
    expect(await undo()).toEqual({ folders: 1, categories: 1, links: 40, done: true });
  });

  test('is over after a day', async () => {
    await write(content([READINGS], many(1)));
    await database.admin.query(
      `update private.imports set started_at = now() - interval '25 hours' where user_id = $1`,
      [mine.owner.id],
    );
    expect(await readOutcome(database, mine.owner, UNDO, [importId])).toEqual({ code: 'PT404' });
    expect(await read('select last_import() as last')).toEqual([{ last: null }]);
  });
});

describe('the moment at which undoing is over', () => {
  test.each([
    { when: 'at it', age: 'private.import_window()', outcome: 'PT404' },
    { when: 'before it', age: `private.import_window() - interval '1 microsecond'`, outcome: 'undone' },
  ])('$when: $outcome', async ({ age, outcome }) => {
    await write(content([READINGS], many(1)));
    const client = await database.admin.connect();
    try {
      // In one transaction time stands still.
      await client.query('begin');
      await client.query(`select set_config('request.jwt.claims', $1, true)`, [
        JSON.stringify(claimsOf(mine.owner)),
      ]);
      await client.query(`update private.imports set started_at = now() - (${age}) where user_id = $1`, [
        mine.owner.id,
      ]);
      const last = await client.query('select public.last_import() is not null as there');
      expect(last.rows).toEqual([{ there: outcome === 'undone' }]);
      const answer = client.query('select public.undo_import($1)', [importId]);
      expect(
        await answer.then(
          () => 'undone',
          (error) => error.code,
        ),
      ).toBe(outcome);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});

describe('strangers', () => {
  test('touch nothing of others by the same names, the same import or the same ids', async () => {
    const stranger = await createLibrary(database, { plan: 'pro' });
    const file = content([{ folder: 'Trabalho', category: 'Leituras' }], many(2));
    await write(file);
    const before = await snapshotLibrary(database, mine.owner);
    // Their own import of that id, into their own folder of that name.
    expect(await write(file, 0, stranger.owner)).toMatchObject({ links: 2 });
    expect(await undo(importId, stranger.owner)).toMatchObject({ links: 2 });
    const ids = { folder_id: mine.folderId, category_id: mine.categoryId };
    const places = content([{ folder: 'F', category: 'C', ...ids }], []);
    expect(await write(places, 0, stranger.owner, randomUUID())).toMatchObject({ folders: 1, categories: 1 });
    const body = content([{ folder: 'F', category: 'C' }], [{ url: 'https://a.br', id: mine.linkId }]);
    expect(await readOutcome(database, stranger.owner, IMPORT, [randomUUID(), 0, body])).toMatchObject({
      code: '23505',
    });
    expect(await readOutcome(database, stranger.owner, UNDO, [randomUUID()])).toEqual({ code: 'PT404' });
    expect(
      (await queryAs(database, stranger.owner, `select preview_import($1) as known`, [file])).rows,
    ).toEqual([{ known: [] }]);
    expect(await snapshotLibrary(database, mine.owner)).toEqual(before);
  });

  test('keep what they made under the ids of an import, when it is undone', async () => {
    const stranger = await createLibrary(database, { plan: 'pro' });
    const [folder_id, category_id, id] = [randomUUID(), randomUUID(), randomUUID()];
    await write(content([{ ...READINGS, folder_id, category_id }], [{ url: 'https://a.br', id }]));
    await read('delete from folders where id = $1', [folder_id]);
    for (const [text, values] of [
      [`insert into folders (id, name) values ($1, 'Delas')`, [folder_id]],
      [
        `insert into categories (id, name, folder_id) values ($1, 'Delas', $2)`,
        [category_id, stranger.folderId],
      ],
      [
        `insert into links (id, url, title, category_id) values ($1, 'https://delas.br', 'Delas', $2)`,
        [id, stranger.categoryId],
      ],
    ] as const)
      await queryAs(database, stranger.owner, text, values);
    const theirs = await snapshotLibrary(database, stranger.owner);
    expect(await undo()).toEqual({ folders: 0, categories: 0, links: 0, done: true });
    expect(await snapshotLibrary(database, stranger.owner)).toEqual(theirs);
  });

  test('cannot undo an import whose id they know', async () => {
    const stranger = await createLibrary(database, { plan: 'pro' });
    await write(content([READINGS], many(2)));
    const before = await snapshotLibrary(database, mine.owner);
    expect(await readOutcome(database, stranger.owner, UNDO, [importId])).toEqual({ code: 'PT404' });
    expect(await snapshotLibrary(database, mine.owner)).toEqual(before);
    // It goes on as if nobody had asked.
    expect(await write(content([READINGS], many(1, 2)), 1)).toMatchObject({ links: 1 });
    expect(await undo()).toEqual({ folders: 1, categories: 1, links: 3, done: true });
  });

  test('without an account may call none of it', async () => {
    for (const caller of ['anon', 'service_role'] as const)
      for (const text of [
        `select import_library(gen_random_uuid(), 0, '{"places": [], "links": []}')`,
        `select preview_import('{"places": [], "links": []}')`,
        `select undo_import(gen_random_uuid())`,
        `select last_import()`,
      ])
        expect(await readOutcome(database, caller, text), text).toMatchObject({ code: '42501' });
  });

  test('with the token of a closed account write nothing and read nothing', async () => {
    await write(content([READINGS], many(1)));
    const before = await snapshotLibrary(database, mine.owner);
    await queryAs(database, 'service_role', 'select close_account($1)', [mine.owner.id]);
    expect(
      await readOutcome(database, mine.owner, IMPORT, [importId, 1, content([READINGS], many(1, 9))]),
    ).toEqual({ code: '42501' });
    expect(await readOutcome(database, mine.owner, UNDO, [importId])).toEqual({ code: 'PT404' });
    expect(await read('select last_import() as last')).toEqual([{ last: null }]);
    expect((await snapshotLibrary(database, mine.owner))['links']).toEqual(before['links']);
  });
});

test('a large library is found by search as a whole after old links came into it', async () => {
  for (const [part, year] of [2024, 2024, 2024, 2012, 2018].entries())
    await write(
      content(
        [READINGS],
        many(900, part * 900).map((link, n) => ({
          ...link,
          title: `Título ${year} ${n === 450 ? `agulha${part}` : ''}`,
          created_at: new Date(Date.UTC(year, 3, 1, 0, part, n)).toISOString(),
        })),
      ),
      part,
    );
  for (let part = 0; part < 5; part += 1)
    expect(await read(`select title from search_links($1)`, [`agulha${part}`])).toHaveLength(1);
  expect(await read(`select title from search_links('nada')`)).toEqual([]);
}, 30_000);
