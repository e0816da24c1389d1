import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import type { TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';
import { nameRows } from './support/name-rows.ts';
import { type Outcome, readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
let mine: Library;
let stranger: TestUser;

beforeAll(async () => {
  database = await createThrowawayDatabase();
  mine = await createLibrary(database, { plan: 'plus' });
  // Someone else's rows, which must never show up among one's own.
  await createLibrary(database, { plan: 'plus' });
  stranger = await createUser(database.admin);
});
afterAll(() => database.drop());
// One scenario withdraws it, others read it.
beforeEach(() =>
  database.admin.query(
    `insert into shared_with (category_id, email) values ($1, 'eva@exemplo.com.br') on conflict do nothing`,
    [mine.categoryId],
  ),
);

function attempt(caller: TestCaller, text: string): Promise<Outcome> {
  const ids = {
    folder: mine.folderId,
    category: mine.categoryId,
    link: mine.linkId,
    owner: mine.owner.id,
  };
  return readOutcome(database, caller, nameRows(text, ids));
}

const NO_RIGHT = { code: '42501' };
const NO_PARENT = { code: '23503' };
const NOTHING = { rows: 0 };

type Scenario = {
  readonly name: string;
  readonly text: string;
  /** Answered in order: the owner of the row, a stranger with an account, a visitor without one. */
  readonly owner: Outcome;
  readonly stranger: Outcome;
  readonly visitor?: Outcome;
};

const scenarios: readonly Scenario[] = [
  {
    name: 'read the folder',
    text: `select from folders where id = :folder`,
    owner: { rows: 1 },
    stranger: NOTHING,
  },
  {
    name: 'read the category',
    text: `select from categories where id = :category`,
    owner: { rows: 1 },
    stranger: NOTHING,
  },
  {
    name: 'read the link',
    text: `select from links where id = :link`,
    owner: { rows: 1 },
    stranger: NOTHING,
  },
  {
    name: 'read the profile',
    text: `select from profiles where id = :owner`,
    owner: { rows: 1 },
    stranger: NOTHING,
  },
  {
    name: 'read the subscription',
    text: `select from subscribers where user_id = :owner`,
    owner: { rows: 1 },
    stranger: NOTHING,
  },
  {
    name: 'read the library counts',
    text: `select from library_counts where user_id = :owner`,
    owner: { rows: 1 },
    stranger: NOTHING,
  },
  {
    name: 'read the category counts',
    text: `select from category_counts where category_id = :category`,
    owner: { rows: 1 },
    stranger: NOTHING,
  },
  {
    name: 'insert a folder in the owner’s name',
    text: `insert into folders (name, user_id) values ('Nova ' || gen_random_uuid(), :owner)`,
    owner: { rows: 1 },
    stranger: NO_RIGHT,
  },
  {
    name: 'insert a category in the owner’s name',
    text: `insert into categories (name, folder_id, user_id) values ('Nova', :folder, :owner)`,
    owner: { rows: 1 },
    stranger: NO_RIGHT,
  },
  {
    name: 'insert a category of one’s own into the folder',
    text: `insert into categories (name, folder_id) values ('Nova', :folder)`,
    owner: { rows: 1 },
    stranger: NO_PARENT,
  },
  {
    name: 'insert a link in the owner’s name',
    text: `insert into links (url, title, category_id, user_id) values ('https://a.br', 'A', :category, :owner)`,
    owner: { rows: 1 },
    stranger: NO_RIGHT,
  },
  {
    name: 'insert a link of one’s own into the category',
    text: `insert into links (url, title, category_id) values ('https://a.br', 'A', :category)`,
    owner: { rows: 1 },
    stranger: NO_PARENT,
  },
  {
    name: 'rename the folder',
    text: `update folders set name = 'Outra' where id = :folder`,
    owner: { rows: 1 },
    stranger: NOTHING,
  },
  {
    name: 'rename the category',
    text: `update categories set name = 'Outra' where id = :category`,
    owner: { rows: 1 },
    stranger: NOTHING,
  },
  {
    name: 'retitle the link',
    text: `update links set title = 'Outro' where id = :link`,
    owner: { rows: 1 },
    stranger: NOTHING,
  },
  {
    name: 'rename the profile',
    text: `update profiles set name = 'Ana' where id = :owner`,
    owner: { rows: 1 },
    stranger: NOTHING,
  },
  {
    name: 'overwrite the folder by an upsert on its id',
    text: `insert into folders (id, name) values (:folder, 'Tomada') on conflict (id) do update set name = excluded.name`,
    owner: { rows: 1 },
    stranger: NO_RIGHT,
  },
  {
    name: 'overwrite the link by an upsert on its id',
    text: `insert into links (id, url, title, category_id) values (:link, 'https://mau.br', 'Tomado', :category)
      on conflict (id) do update set title = excluded.title, url = excluded.url, user_id = excluded.user_id`,
    owner: { rows: 1 },
    stranger: NO_RIGHT,
  },
  {
    name: 'invite an address to the category',
    text: `insert into shared_with (category_id, email) values (:category, 'ana@exemplo.com.br')`,
    owner: { rows: 1 },
    // Nobody but the owner shares, and the free plan is refused before that.
    stranger: NO_RIGHT,
  },
  {
    name: 'read the invited addresses',
    text: `select from shared_with where category_id = :category and email = 'eva@exemplo.com.br'`,
    owner: { rows: 1 },
    stranger: NOTHING,
  },
  {
    name: 'withdraw an invitation',
    text: `delete from shared_with where category_id = :category and email = 'eva@exemplo.com.br'`,
    owner: { rows: 1 },
    stranger: NOTHING,
  },
  {
    name: 'change an invitation',
    text: `update shared_with set email = 'bia@exemplo.com.br' where category_id = :category`,
    owner: NO_RIGHT,
    stranger: NO_RIGHT,
  },
];

describe.each(scenarios)('$name', ({ text, owner, stranger: strangers, visitor = NO_RIGHT }) => {
  test('a visitor without an account fails', async () => {
    expect(await attempt('anon', text)).toMatchObject(visitor);
  });
  test('a stranger fails', async () => {
    expect(await attempt(stranger, text)).toMatchObject(strangers);
  });
  test('the owner gets what is theirs', async () => {
    expect(await attempt(mine.owner, text)).toMatchObject(owner);
  });
});

test('a whole table shows a person only their own rows', async () => {
  for (const table of [
    'folders',
    'categories',
    'links',
    'library_counts',
    'category_counts',
    'subscribers',
  ]) {
    const { rows } = await database.admin.query(
      `select count(*)::int as n from public.${table} where user_id = $1`,
      [mine.owner.id],
    );
    expect(await readOutcome(database, mine.owner, `select from ${table}`), table).toEqual({
      rows: rows[0].n,
    });
    expect(await readOutcome(database, 'anon', `select from ${table}`), table).toMatchObject(NO_RIGHT);
  }
});

test('deletes by strangers leave rows alone and those by the owner cascade', async () => {
  const victim = await createLibrary(database);
  expect(await readOutcome(database, stranger, `delete from links where id = $1`, [victim.linkId])).toEqual(
    NOTHING,
  );
  expect(
    await readOutcome(database, stranger, `delete from categories where id = $1`, [victim.categoryId]),
  ).toEqual(NOTHING);
  expect(
    await readOutcome(database, stranger, `delete from folders where id = $1`, [victim.folderId]),
  ).toEqual(NOTHING);
  expect(
    await readOutcome(database, 'anon', `delete from folders where id = $1`, [victim.folderId]),
  ).toMatchObject(NO_RIGHT);
  expect(
    await readOutcome(database, victim.owner, `delete from folders where id = $1`, [victim.folderId]),
  ).toEqual({ rows: 1 });
  const { rows } = await database.admin.query(`select count(*)::int as n from links where id = $1`, [
    victim.linkId,
  ]);
  expect(rows).toEqual([{ n: 0 }]);
});
