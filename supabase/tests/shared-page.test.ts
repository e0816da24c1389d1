import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
let library: Library;
let reader: TestUser;
let stranger: TestUser;
/** Invited, and then gone. */
let leaver: TestUser;
const categories: Record<'open' | 'restricted' | 'closed' | 'later' | 'unknown', string> = {
  open: '',
  restricted: '',
  closed: '',
  later: '',
  unknown: '00000000-0000-4000-8000-000000000000',
};

beforeAll(async () => {
  database = await createThrowawayDatabase();
  library = await createLibrary(database, { plan: 'plus', name: 'Marta' });
  reader = await createUser(database.admin);
  stranger = await createUser(database.admin);
  leaver = await createUser(database.admin);
  const { owner, folderId } = library;
  categories.restricted = library.categoryId;
  categories.open = await createCategory(database, owner, folderId, 'Pública');
  categories.closed = await createCategory(database, owner, folderId, 'Fechada');
  categories.later = await createCategory(database, owner, folderId, 'Depois');
  await readOutcome(database, owner, `update categories set is_public = true where id = $1`, [
    categories.open,
  ]);
  for (const id of [categories.restricted, categories.later])
    await readOutcome(database, owner, `insert into shared_with (category_id, email) values ($1, $2)`, [
      id,
      reader.email,
    ]);
  await readOutcome(database, owner, `insert into shared_with (category_id, email) values ($1, $2)`, [
    categories.restricted,
    leaver.email,
  ]);
  await readOutcome(database, 'service_role', `select close_account($1)`, [leaver.id]);
  const add = `insert into links (url, title, category_id) select 'https://a.br/' || n, 'Link ' || n, $1 from generate_series(1, 7) n`;
  for (const id of [categories.open, categories.closed, categories.later])
    await readOutcome(database, owner, add, [id]);
});
afterAll(() => database.drop());

const people = {
  owner: () => library.owner,
  reader: () => reader,
  stranger: () => stranger,
  leaver: () => leaver,
  visitor: () => 'anon' as const,
};

describe.each<{
  category: keyof typeof categories;
  person: keyof typeof people;
  access: string | null;
  links: number;
}>([
  { category: 'open', person: 'visitor', access: 'public', links: 7 },
  { category: 'open', person: 'stranger', access: 'public', links: 7 },
  { category: 'open', person: 'owner', access: 'owner', links: 7 },
  { category: 'restricted', person: 'visitor', access: 'denied', links: 0 },
  { category: 'restricted', person: 'stranger', access: 'denied', links: 0 },
  { category: 'restricted', person: 'reader', access: 'invited', links: 1 },
  { category: 'later', person: 'reader', access: 'limited', links: 0 },
  { category: 'closed', person: 'visitor', access: null, links: 0 },
  { category: 'closed', person: 'stranger', access: null, links: 0 },
  { category: 'closed', person: 'reader', access: null, links: 0 },
  { category: 'open', person: 'leaver', access: 'public', links: 7 },
  { category: 'restricted', person: 'leaver', access: 'denied', links: 0 },
  { category: 'closed', person: 'leaver', access: null, links: 0 },
  { category: 'closed', person: 'owner', access: 'owner', links: 7 },
  { category: 'unknown', person: 'visitor', access: null, links: 0 },
])('$person and the $category category', ({ category, person, access, links }) => {
  const caller = (): TestCaller => people[person]();

  test(`access is ${access}`, async () => {
    const { rows } = await queryAs(database, caller(), `select * from shared_category($1)`, [
      categories[category],
    ]);
    expect(rows.map((row) => row['access'])).toEqual(access === null ? [] : [access]);
    // A denied caller learns nothing of the category but that it is restricted.
    if (access === 'denied')
      expect(rows[0]).toEqual({
        id: categories[category],
        access,
        name: null,
        description: null,
        owner_name: null,
        link_count: null,
        created_at: null,
        updated_at: null,
      });
    else if (access !== null) expect(rows[0]).toMatchObject({ owner_name: 'Marta' });
  });

  test(`${links} links come`, async () => {
    expect(
      await readOutcome(database, caller(), `select from shared_links($1)`, [categories[category]]),
    ).toEqual({ rows: links });
  });
});

test('no one finds a public category by listing the table', async () => {
  expect(
    await readOutcome(database, stranger, `select from categories where id = $1`, [categories.open]),
  ).toEqual({ rows: 0 });
  expect(
    await readOutcome(database, stranger, `select from links where category_id = $1`, [categories.open]),
  ).toEqual({ rows: 0 });
  expect(await readOutcome(database, 'anon', `select from categories`)).toMatchObject({ code: '42501' });
});

test('pages follow each other without gap or repetition, newest first', async () => {
  const page = (before: unknown) =>
    queryAs<{ title: string; created_at: string }>(
      database,
      'anon',
      `select title, created_at::text as created_at from shared_links($1, 3, $2)`,
      [categories.open, before],
    );
  const seen: string[] = [];
  let before: string | null = null;
  for (;;) {
    const { rows }: { rows: { title: string; created_at: string }[] } = await page(before);
    if (rows.length === 0) break;
    seen.push(...rows.map(({ title }) => title));
    before = rows.at(-1)?.created_at ?? null;
  }
  expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1].map((n) => `Link ${n}`));
});

test('links born at the same moment are paged like any others, and none is skipped', async () => {
  const { owner, folderId } = await createLibrary(database, { plan: 'pro' });
  const id = await createCategory(database, owner, folderId, 'Importada');
  await readOutcome(database, owner, `update categories set is_public = true where id = $1`, [id]);
  await database.admin.query(
    `insert into links (url, title, category_id, user_id, created_at)
     select 'https://a.br', n::text, $1, $2, '2024-05-01' from generate_series(1, 25) n`,
    [id, owner.id],
  );
  type Link = { readonly id: string; readonly title: string; readonly created_at: string };
  const page = async (last: Link | undefined) =>
    (
      await queryAs<Link>(
        database,
        'anon',
        `select id, title, created_at::text as created_at from shared_links($1, 10, $2, $3)`,
        [id, last?.created_at, last?.id],
      )
    ).rows;
  const first = await page(undefined);
  const second = await page(first.at(-1));
  const third = await page(second.at(-1));
  expect([first, second, third].map(({ length }) => length)).toEqual([10, 10, 5]);
  expect(new Set([...first, ...second, ...third].map(({ title }) => title)).size).toBe(25);
  expect(await page(third.at(-1))).toEqual([]);
  const one = await queryAs(database, 'anon', `select from shared_links($1, 1)`, [id]);
  expect(one.rowCount).toBe(1);
});

test('a page is never endless', async () => {
  const { owner, folderId } = await createLibrary(database, { plan: 'pro' });
  const id = await createCategory(database, owner, folderId, 'Grande');
  await readOutcome(database, owner, `update categories set is_public = true where id = $1`, [id]);
  await readOutcome(
    database,
    owner,
    `insert into links (url, title, category_id) select 'https://a.br', 'L', $1 from generate_series(1, 300)`,
    [id],
  );
  const { rows } = await queryAs(
    database,
    'anon',
    `select count(*)::int as n from shared_links($1, 100000)`,
    [id],
  );
  expect(rows[0]?.['n']).toBe(100);
});
