import { foldText } from '@linkoteca/domain/fold-text';
import { rankText, readSearchWords } from '@linkoteca/domain/search-words';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, setPlan, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';

let database: ThrowawayDatabase;
let ana: Library;
let guest: TestUser;

interface Found {
  readonly title: string;
  readonly category_name: string;
  readonly owner_name: string | null;
}

const ask = async (caller: TestCaller, parameters: Readonly<Record<string, unknown>>) => {
  const names = Object.keys(parameters).map((name, at) => `${name} => $${at + 1}`);
  const { rows } = await queryAs<Found>(
    database,
    caller,
    `select * from search_received_links(${names.join(', ')})`,
    Object.values(parameters),
  );
  return rows;
};
const titles = async (parameters: Readonly<Record<string, unknown>>, caller: TestCaller = guest) =>
  (await ask(caller, parameters)).map(({ title }) => title);
const share = (library: Library, emails: readonly string[], categoryId = library.categoryId) =>
  queryAs(database, library.owner, `select save_sharing($1, false, $2)`, [categoryId, emails]);
const add = (library: Library, title: string, url: string, day: string, categoryId = library.categoryId) =>
  database.admin.query(
    `insert into links (user_id, category_id, title, url, created_at) values ($1, $2, $3, $4, $5)`,
    [library.owner.id, categoryId, title, url, new Date(`${day}T12:00:00`)],
  );

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  ana = await createLibrary(database, { plan: 'pro', name: 'Ana Luíza' });
  guest = await createUser(database.admin, { plan: 'pro', name: 'Convidada' });
  await queryAs(database, ana.owner, `delete from links where user_id = $1`, [ana.owner.id]);
  await queryAs(database, ana.owner, `update categories set name = 'Receitas' where id = $1`, [
    ana.categoryId,
  ]);
  await add(ana, 'Bolo de fubá', 'https://www.cozinha.com.br/bolo', '2024-03-10');
  await add(ana, 'Bolo de cenoura', 'https://youtu.be/abc', '2024-03-11');
  await add(ana, 'Torta', 'https://a.br/torta.PDF', '2023-12-31');
  const other = await createCategory(database, ana.owner, ana.folderId, 'Particular');
  await add(ana, 'Bolo secreto', 'https://segredo.br/', '2024-03-12', other);
  await share(ana, [guest.email]);
});

test('finds what is shared, says whose it is, and nothing else of that person', async () => {
  const found = await ask(guest, { term: 'BOLO' });
  expect(found).toMatchObject([
    { title: 'Bolo de cenoura', category_name: 'Receitas', owner_name: 'Ana Luíza' },
    { title: 'Bolo de fubá', category_name: 'Receitas', owner_name: 'Ana Luíza' },
  ]);
  expect(JSON.stringify(found)).not.toContain(ana.owner.email);
  expect(await titles({ term: 'segredo' })).toEqual([]);
});

test.each<[string, readonly string[]]>([
  ['fuba bolo', ['Bolo de fubá']],
  ['bol enour', ['Bolo de cenoura']],
  ['"bolo de"', ['Bolo de cenoura', 'Bolo de fubá']],
  ['"de bolo"', []],
  ['bolo -fubá', ['Bolo de cenoura']],
  ['bolo receitas', ['Bolo de cenoura', 'Bolo de fubá']],
  ['receitas', []],
  ['bolo nada', []],
  ['%', []],
  ['', []],
  ['-bolo', []],
])('%j finds %j', async (term, expected) => {
  expect(await titles({ term })).toEqual(expected);
});

test.each<[Readonly<Record<string, unknown>>, readonly string[]]>([
  [{ owner: 'ana luiza' }, ['Bolo de cenoura', 'Bolo de fubá', 'Torta']],
  [{ owner: 'luíza', term: 'torta' }, ['Torta']],
  [{ owner: 'bia' }, []],
  [{ owner: '%' }, []],
  [{ site: 'cozinha' }, ['Bolo de fubá']],
  [{ kind: 'pdf' }, ['Torta']],
  [{ kind: 'video', term: 'bolo' }, ['Bolo de cenoura']],
  [{ category: 'receita', term: 'torta' }, ['Torta']],
  [{ category: 'particular' }, []],
  [{ saved_before: '2024-01-01' }, ['Torta']],
  [{ saved_since: '2024-03-11T00:00:00', term: 'bolo' }, ['Bolo de cenoura']],
  [{ favorite: true }, []],
  [{ owner: 'ana', max_results: 2, page: 2 }, ['Torta']],
  [{ term: 'bolo', max_results: 1, page: 2 }, ['Bolo de fubá']],
  [{ term: "'); drop table links; --" }, []],
  [{ term: `${'a'.repeat(120)} b` }, []],
])('%j leaves %j', async (parameters, expected) => {
  expect(await titles(parameters)).toEqual(expected);
});

test('whole addresses of owners are known, parts of them are not', async () => {
  const { email } = ana.owner;
  expect(await titles({ owner: ` ${email.toUpperCase()} ` })).toHaveLength(3);
  expect(await titles({ owner: email.slice(0, 12) })).toEqual([]);
  expect(await titles({ owner: email.slice(1) })).toEqual([]);
  expect(await titles({ owner: '@exemplo.com.br' })).toEqual([]);
});

test('favourites are those of who asks', async () => {
  const star = (caller: TestUser, title: string) =>
    queryAs(database, caller, `insert into favorites (link_id) select id from links where title = $1`, [
      title,
    ]);
  await star(ana.owner, 'Torta');
  await star(guest, 'Bolo de fubá');
  expect(await titles({ favorite: true })).toEqual(['Bolo de fubá']);
});

test('a long text is found by words that lie far apart, and by a long quotation', async () => {
  const description = `começo ${'x '.repeat(450)}meio ${'y '.repeat(100)}fim`;
  await database.admin.query(`update links set description = $2 where title = 'Torta' and user_id = $1`, [
    ana.owner.id,
    description,
  ]);
  expect(await titles({ term: 'torta fim' })).toEqual(['Torta']);
  expect(await titles({ term: 'comeco fim meio' })).toEqual(['Torta']);
  expect(await titles({ term: description.slice(0, 700) })).toEqual(['Torta']);
  expect(await titles({ term: `nada${description.slice(0, 700)}` })).toEqual([]);
});

test('a word longer than what pieces of a text share is found wherever it lies', async () => {
  const word = Array.from({ length: 50 }, (_, n) => 100 + n).join('');
  for (let before = 300; before < 600; before += 50) {
    await database.admin.query(`update links set description = $2 where title = 'Torta' and user_id = $1`, [
      ana.owner.id,
      `${'x '.repeat(before / 2)}${word} fim`,
    ]);
    expect(await titles({ term: word })).toEqual(['Torta']);
    expect(await titles({ term: `${word}9` })).toEqual([]);
  }
});

test('a site is the host of an address, not what is written elsewhere in it', async () => {
  await add(ana, 'Busca', 'https://busca.br/?q=www.cozinha.com.br', '2024-03-13');
  await add(ana, 'Parecido', 'https://minhacozinha.com.br/', '2024-03-14');
  expect(await titles({ site: 'cozinha.com.br' })).toEqual(['Bolo de fubá']);
});

describe('nothing is found', () => {
  const nothing = async (caller: TestCaller = guest) => {
    for (const question of [{ term: 'bolo' }, { owner: 'ana' }, { term: 'torta', kind: 'pdf' }])
      expect(await ask(caller, question)).toEqual([]);
  };
  const isThere = async () => expect(await titles({ term: 'torta' })).toEqual(['Torta']);

  test('by a stranger, by the owner themselves, and a visitor may not ask', async () => {
    await nothing(await createUser(database.admin, { plan: 'pro' }));
    await nothing(ana.owner);
    for (const caller of ['anon', 'service_role'] as const)
      await expect(ask(caller, { term: 'bolo' })).rejects.toMatchObject({ code: '42501' });
  });

  test('once the invitation is taken back', async () => {
    await isThere();
    await share(ana, ['outra@exemplo.com.br']);
    await nothing();
  });

  test('once the receiver has left', async () => {
    await queryAs(database, guest, `select leave_share($1)`, [ana.categoryId]);
    await nothing();
  });

  test('once it is public, which is for whoever has the address and no list', async () => {
    await queryAs(database, ana.owner, `select save_sharing($1, true, '{}')`, [ana.categoryId]);
    await nothing();
  });

  test('by somebody with another address than the invited one', async () => {
    await nothing(await createUser(database.admin, { plan: 'pro', email: `x${guest.email}` }));
    await nothing(await createUser(database.admin, { plan: 'pro', email: `${guest.email}.br` }));
  });

  test('by an address that is not confirmed', async () => {
    await isThere();
    await database.admin.query(`update auth.users set email_confirmed_at = null where id = $1`, [guest.id]);
    await nothing();
  });

  test('by who asks to have the invited address and has not followed the mail', async () => {
    const other = await createUser(database.admin, { plan: 'pro' });
    await database.admin.query(`update auth.users set email_change = $2 where id = $1`, [
      other.id,
      guest.email,
    ]);
    await nothing(other);
    await nothing({ ...other, email: guest.email });
  });

  test('by a token that names an address which the account no longer has', async () => {
    await database.admin.query(`update auth.users set email = $2 where id = $1`, [
      guest.id,
      `nova-${guest.email}`,
    ]);
    await nothing();
  });

  test('by an account that is closed, or shut out', async () => {
    await isThere();
    await database.admin.query(
      `update auth.users set banned_until = now() + interval '1 day' where id = $1`,
      [guest.id],
    );
    await nothing();
    await database.admin.query(`update auth.users set banned_until = null where id = $1`, [guest.id]);
    await isThere();
    await database.admin.query(`select close_account($1)`, [guest.id]);
    await nothing();
  });

  test('of an owner whose account is closed or withdrawn for inactivity', async () => {
    await database.admin.query(`select close_account($1)`, [ana.owner.id]);
    await nothing();
  });

  test('of what the plan does not open', async () => {
    const bia = await createLibrary(database, { plan: 'pro', name: 'Bia' });
    await add(bia, 'Bolo da Bia', 'https://bia.br/', '2024-01-01');
    await share(bia, [guest.email]);
    expect(await titles({ term: 'bolo' })).toContain('Bolo da Bia');
    await setPlan(database.admin, guest.id, 'free');
    expect(await titles({ term: 'bolo' })).toEqual(['Bolo de cenoura', 'Bolo de fubá']);
    await queryAs(database, guest, `select open_share($1)`, [bia.categoryId]);
    expect(await titles({ term: 'bolo' })).toEqual(['Bolo da Bia']);
  });
});

describe('what is read', () => {
  const WORDS = ['bolo', 'torta', 'fubá', 'ação', 'sal', 'mesa', 'x'];
  const word = (n: number) => WORDS[n % WORDS.length] ?? '';
  const fill = async (count: number, categoryId = ana.categoryId) => {
    const rows = Array.from({ length: count }, (_, n) => ({
      title: `${word(n)} ${word(n >> 2)} ${word(n * 3)} ${n}`,
      url: `https://a.br/${word(n >> 3)}/${n}`,
      created_at: new Date(Date.UTC(2020, 0, 1) + n * 60_000),
    }));
    await database.admin.query(
      `insert into links (user_id, category_id, title, url, created_at)
       select $1, $2, r.title, r.url, r.created_at
       from jsonb_to_recordset($3) as r(title text, url text, created_at timestamptz)`,
      [ana.owner.id, categoryId, JSON.stringify(rows)],
    );
  };

  test.each([
    [40, 'one by one'],
    [1_200, 'in one go'],
  ])('of %i links, %s, in the order that the words have everywhere', async (count) => {
    await fill(count);
    const { rows } = await database.admin.query<{ title: string; url: string; created_at: Date }>(
      `select title, url, created_at from links where category_id = $1 order by created_at desc, id desc`,
      [ana.categoryId],
    );
    for (const term of [
      'bolo',
      'ACAO mesa',
      'torta -sal',
      '"bolo torta"',
      'receitas x sal',
      'b o l',
      'a.br/x',
    ]) {
      const words = readSearchWords(term);
      const expected = rows
        .map((row) => ({
          title: row.title,
          rank: rankText(`${foldText(row.title)}\n${foldText(row.url)}\n`, words, 'receitas'),
        }))
        .filter(({ rank }) => rank > 0)
        .toSorted((one, other) => other.rank - one.rank)
        .map(({ title }) => title);
      expect(await titles({ term, max_results: 50 })).toEqual(expected.slice(0, 50));
      expect(await titles({ term, max_results: 10, page: 2 })).toEqual(expected.slice(10, 20));
    }
  });

  test.each([
    [100, 'less than is shared'],
    [1_500, 'more than is shared'],
  ])('in one go, is without the %i links in other categories of that owner, %s', async (count) => {
    const other = await createCategory(database, ana.owner, ana.folderId, 'Mais');
    await fill(1_100);
    await fill(count, other);
    await add(ana, 'agulha aqui', 'https://a.br/agulha', '2024-01-01');
    await add(ana, 'agulha secreta', 'https://a.br/agulha', '2024-01-02', other);
    expect(await titles({ term: 'agulha' })).toEqual(['agulha aqui']);
    expect(await titles({ term: 'agulha', saved_before: '2023-01-01' })).toEqual([]);
  });

  test.each([0, 100, 1_500])(
    'in one go, gives the newest of a rare word, beside %i links that are not shared',
    async (count) => {
      const other = await createCategory(database, ana.owner, ana.folderId, 'Mais');
      await fill(1_100);
      await fill(count, other);
      const place = (n: number) => (n % 2 === 0 ? ana.categoryId : other);
      for (let n = 0; n < 24; n += 1) {
        // Half of them among the newest, half of them older than all others.
        const day = `${n < 12 ? 2021 : 1999}-01-${String(28 - n).padStart(2, '0')}`;
        await add(ana, `agulha ${n}`, `https://a.br/agulha/${n}`, day, place(n));
      }
      const shared = Array.from({ length: 12 }, (_, n) => `agulha ${n * 2}`);
      for (const most of [5, 6, 7, 12, 20])
        expect(await titles({ term: 'agulha', max_results: most })).toEqual(shared.slice(0, most));
      expect(await titles({ term: 'agulha', max_results: 4, page: 2 })).toEqual(shared.slice(4, 8));
    },
  );

  test('is bounded, and who shares much pushes nobody out', async () => {
    const bia = await createLibrary(database, { plan: 'pro', name: 'Bia' });
    await add(bia, 'Bolo da Bia', 'https://bia.br/', '2024-01-01');
    await share(bia, [guest.email]);
    await database.admin.query(`update category_counts set link_count = 700000 where category_id = $1`, [
      ana.categoryId,
    ]);
    await database.admin.query(`update library_counts set link_count = 700000 where user_id = $1`, [
      ana.owner.id,
    ]);
    expect(await titles({ term: 'bolo' })).toEqual(['Bolo da Bia']);
  });
});
