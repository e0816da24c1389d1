import { normalizeUrl } from '@linkoteca/domain/urls';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';
import { nameRows } from './support/name-rows.ts';
import { readOutcome } from './support/read-outcome.ts';
import { createSharedFolder } from './support/share-folder.ts';

type Found = {
  url: string;
  link_id: string;
  title: string;
  category_id: string;
  category_name: string;
  folder_name: string;
  is_own: boolean;
  owner_name: string | null;
};

let database: ThrowawayDatabase;
let mine: Library;

beforeAll(async () => {
  database = await createThrowawayDatabase();
  mine = await createLibrary(database, { plan: 'pro' });
});
afterAll(() => database.drop());

async function add(url: string, title = 'Guardado'): Promise<string> {
  const { rows } = await queryAs<{ id: string }>(
    database,
    mine.owner,
    `insert into links (url, title, category_id) values ($1, $2, $3) returning id`,
    [url, title, mine.categoryId],
  );
  return rows[0]?.id ?? '';
}

async function find(
  urls: readonly (string | null)[] | null,
  caller: TestCaller = mine.owner,
): Promise<Found[]> {
  return (await queryAs<Found>(database, caller, `select * from find_links_by_url($1)`, [urls])).rows;
}

test('says where an address is kept', async () => {
  expect(await find(['https://exemplo.com.br/'])).toEqual([
    {
      url: 'https://exemplo.com.br/',
      link_id: mine.linkId,
      title: 'Exemplo',
      category_id: mine.categoryId,
      category_name: 'Leituras',
      folder_name: 'Trabalho',
      is_own: true,
      owner_name: null,
    },
  ]);
});

describe('which addresses are the same', () => {
  test.each<{ kept: string; asked: string; same: boolean }>([
    { kept: 'https://barra.com.br', asked: 'https://barra.com.br/', same: true },
    { kept: 'https://Maiuscula.com.br/A', asked: 'HTTPS://maiuscula.COM.br/A', same: true },
    { kept: 'https://espaco.com.br/x', asked: ' https://espaco.com.br/x\n', same: true },
    { kept: 'https://acento.com.br/ação?q=é', asked: 'https://acento.com.br/ação?q=é', same: true },
    { kept: 'https://caminho.com.br/a', asked: 'https://caminho.com.br/A', same: false },
    { kept: 'https://pasta.com.br/a', asked: 'https://www.pasta.com.br/a/', same: true },
    { kept: 'https://parte.com.br/a', asked: 'https://parte.com.br/a?utm_source=c#b', same: true },
    { kept: 'https://pergunta.com.br/?a', asked: 'https://pergunta.com.br/', same: false },
    { kept: 'http://esquema.com.br/', asked: 'https://esquema.com.br/', same: true },
    { kept: 'https://Ana:Senha@conta.br/', asked: 'https://Ana:senha@conta.br/', same: false },
    { kept: 'https://percento.com.br/100%25_', asked: 'https://percento.com.br/100%25x', same: false },
  ])('$kept and $asked: $same', async ({ kept, asked, same }) => {
    const id = await add(kept);
    expect((await find([asked])).map(({ link_id }) => link_id)).toEqual(same ? [id] : []);
    expect((await find([kept])).map(({ link_id }) => link_id)).toEqual([id]);
  });

  test.each([
    '  normal.com.br/a b ',
    '//normal.com.br/c',
    'https://nor\u200Bmal.com.br/d',
    'https://normal.com.br/👨\u200D👩',
    'normal.com.br:8080',
  ])('%j as the form writes it down', async (pasted) => {
    const address = normalizeUrl(pasted) ?? '';
    const id = await add(address);
    expect((await find([address])).map(({ link_id }) => link_id)).toEqual([id]);
  });
});

test('answers in the order asked, each address once, and the newest link first', async () => {
  const [older, newer] = [
    await add('https://ordem.com.br/1', 'Velho'),
    await add('https://ordem.com.br/1', 'Novo'),
  ];
  const other = await add('https://ordem.com.br/2');
  const found = await find([
    'https://ordem.com.br/2',
    'https://ordem.com.br/1',
    'https://ordem.com.br/2',
    null,
    '',
  ]);
  expect(found.map(({ link_id }) => link_id)).toEqual([other, newer, older]);
});

test('gives at most five of one address', async () => {
  for (let n = 0; n < 7; n += 1) await add('https://muitos.com.br/', `Número ${n}`);
  const found = await find(['https://muitos.com.br']);
  expect(found.map(({ title }) => title)).toEqual([
    'Número 6',
    'Número 5',
    'Número 4',
    'Número 3',
    'Número 2',
  ]);
});

test('follows an edit and a deletion', async () => {
  const id = await add('https://antes.com.br/');
  await queryAs(database, mine.owner, `update links set url = 'https://depois.com.br/' where id = $1`, [id]);
  expect(await find(['https://antes.com.br/'])).toEqual([]);
  expect(await find(['https://depois.com.br/'])).toHaveLength(1);
  await queryAs(database, mine.owner, `delete from links where id = $1`, [id]);
  expect(await find(['https://depois.com.br/'])).toEqual([]);
});

test('of nothing finds nothing; two hundred addresses are answered, more refused', async () => {
  expect(await find([])).toEqual([]);
  expect(await find(null)).toEqual([]);
  const many = Array.from({ length: 200 }, (_, n) => `https://nada.com.br/${n}`);
  expect(await find([...many.slice(1), 'https://exemplo.com.br/'])).toHaveLength(1);
  await expect(find([...many, 'https://exemplo.com.br/'])).rejects.toMatchObject({ code: 'PT400' });
});

test('finds one’s own links alone: not a stranger’s, not those of a category one is invited to', async () => {
  const viewer = await createUser(database.admin, { plan: 'pro' });
  await queryAs(database, mine.owner, `insert into shared_with (category_id, email) values ($1, $2)`, [
    mine.categoryId,
    viewer.email,
  ]);
  const stranger = await createUser(database.admin);
  expect(await find(['https://exemplo.com.br/'], viewer)).toEqual([]);
  expect(await find(['https://exemplo.com.br/'], stranger)).toEqual([]);
  const inCategory = async (caller: TestCaller) =>
    (
      await queryAs(database, caller, `select private.links_of_address('https://exemplo.com.br', $1) as id`, [
        mine.categoryId,
      ])
    ).rows;
  expect(await inCategory(mine.owner)).toEqual([{ id: mine.linkId }]);
  expect(await inCategory(viewer)).toEqual([]);
  expect(await inCategory(stranger)).toEqual([]);
  expect(
    await readOutcome(database, 'anon', `select from find_links_by_url(array['https://a.br'])`),
  ).toMatchObject({
    code: '42501',
  });
});

test('reads the index of addresses in a large library, and reads as little for one address that everybody keeps', async () => {
  const { owner, categoryId } = await createLibrary(database, { plan: 'pro' });
  await queryAs(
    database,
    owner,
    `insert into links (url, title, category_id) select 'https://grande.com.br/' || n, 'Link ' || n, $1 from generate_series(1, 5000) n`,
    [categoryId],
  );
  await database.admin.query('vacuum analyze links');
  await database.admin.query('vacuum analyze private.link_addresses');
  const before = await readIndexUse();
  const asked = Array.from({ length: 200 }, (_, n) => `https://grande.com.br/${n + 1}`);
  expect(await find(asked, owner)).toHaveLength(200);
  await queryAs(database, owner, `select pg_stat_force_next_flush()`);
  await expect.poll(async () => (await readIndexUse()).scans - before.scans).toBeGreaterThanOrEqual(200);
  expect((await readIndexUse()).read - before.read).toBeLessThan(300);
});

/** How often the index of addresses was used, and how many entries it gave. */
async function readIndexUse(): Promise<{ scans: number; read: number }> {
  const { rows } = await database.admin.query(
    `select idx_scan::int as scans, idx_tup_read::int as read from pg_stat_user_indexes where indexrelname = 'link_addresses_of_user'`,
  );
  return rows[0];
}

describe('in folders that others share', () => {
  test('it is found where that is asked for, one’s own first, by whoever reads there', async () => {
    const shared = await createSharedFolder(database);
    const address = 'https://comum.exemplo.br/bolo';
    const insert = (caller: TestCaller, place: string) =>
      queryAs(
        database,
        caller,
        nameRows(
          `insert into links (url, title, category_id) values ('${address}', '${place}', :${place})`,
          shared.ids,
        ),
      );
    const { owner, editor, viewer } = shared.people;
    for (const place of ['category', 'held', 'elsewhere']) await insert(owner, place);
    await insert(editor, 'mine');
    const ask = async (caller: TestCaller, more: string) =>
      (
        await queryAs<{ title: string; is_own: boolean; owner_name: string | null }>(
          database,
          caller,
          `select title, is_own, owner_name from find_links_by_url(array['https://www.comum.exemplo.br/bolo/']${more})`,
        )
      ).rows;
    const own = { title: 'mine', is_own: true, owner_name: null };
    const theirs = { title: 'category', is_own: false, owner_name: 'Olga' };
    expect(await ask(editor, '')).toEqual([own]);
    expect(await ask(editor, ', true')).toEqual([own, theirs]);
    expect(await ask(viewer, ', true')).toEqual([theirs]);
    for (const name of ['removed', 'unconfirmed', 'stranger'] as const)
      expect(await ask(shared.people[name], ', true'), name).toEqual([]);
    expect((await ask(owner, ', true')).map(({ title, is_own }) => [title, is_own])).toEqual([
      ['elsewhere', true],
      ['held', true],
      ['category', true],
    ]);
    await queryAs(database, owner, `update folder_members set role = 'viewer'`);
    expect(await ask(editor, ', true')).toEqual([own, theirs]);
    await queryAs(database, owner, 'delete from folder_members');
    expect(await ask(viewer, ', true')).toEqual([]);
  });
});
