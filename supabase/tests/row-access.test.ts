import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import type { TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';
import { nameRows } from './support/name-rows.ts';
import { type Outcome, readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
let mine: Library;
let theirs: Library;
let stranger: TestUser;

beforeAll(async () => {
  database = await createThrowawayDatabase();
  mine = await createLibrary(database, { plan: 'plus' });
  theirs = await createLibrary(database, { plan: 'plus' });
  stranger = await createUser(database.admin);
});
afterAll(() => database.drop());

function attempt(caller: TestCaller, text: string): Promise<Outcome> {
  const ids = {
    folder: mine.folderId,
    category: mine.categoryId,
    link: mine.linkId,
    owner: mine.owner.id,
    theirFolder: theirs.folderId,
    theirCategory: theirs.categoryId,
    stranger: stranger.id,
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
    text: `select from shared_with where category_id = :category`,
    owner: { rows: 1 },
    stranger: NOTHING,
  },
  {
    name: 'withdraw an invitation',
    text: `delete from shared_with where category_id = :category`,
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

describe('a hostile owner', () => {
  const attempts: readonly { name: string; text: string; outcome: Outcome }[] = [
    {
      name: 'gives a folder away',
      text: `update folders set user_id = :stranger where id = :folder`,
      outcome: NO_RIGHT,
    },
    {
      name: 'gives a category away',
      text: `update categories set user_id = :stranger where user_id = :owner`,
      outcome: NO_RIGHT,
    },
    {
      name: 'gives a link away',
      text: `update links set user_id = :stranger where user_id = :owner`,
      outcome: NO_RIGHT,
    },
    {
      name: 'moves a link into someone else’s category',
      text: `update links set category_id = :theirCategory where user_id = :owner`,
      outcome: NO_PARENT,
    },
    {
      name: 'moves a category into someone else’s folder',
      text: `update categories set folder_id = :theirFolder where user_id = :owner`,
      outcome: NO_PARENT,
    },
    {
      name: 'changes an id',
      text: `update links set id = gen_random_uuid() where user_id = :owner`,
      outcome: NO_RIGHT,
    },
    {
      name: 'backdates a link',
      text: `update links set created_at = now() - interval '1 year' where user_id = :owner`,
      outcome: NO_RIGHT,
    },
    {
      name: 'raises their plan',
      text: `update profiles set plan = 'pro' where id = :owner`,
      outcome: NO_RIGHT,
    },
    {
      name: 'makes a profile',
      text: `insert into profiles (id, plan) values (:owner, 'pro')`,
      outcome: NO_RIGHT,
    },
    { name: 'removes their profile', text: `delete from profiles where id = :owner`, outcome: NO_RIGHT },
    {
      name: 'writes a subscription',
      text: `insert into subscribers (user_id, plan, subscription_status) values (:owner, 'pro', 'active')`,
      outcome: NO_RIGHT,
    },
    {
      name: 'raises a subscription',
      text: `update subscribers set plan = 'pro' where user_id = :owner`,
      outcome: NO_RIGHT,
    },
    {
      name: 'removes a subscription',
      text: `delete from subscribers where user_id = :owner`,
      outcome: NO_RIGHT,
    },
    {
      name: 'lowers a counter',
      text: `update library_counts set link_count = 0 where user_id = :owner`,
      outcome: NO_RIGHT,
    },
    {
      name: 'removes a counter',
      text: `delete from category_counts where user_id = :owner`,
      outcome: NO_RIGHT,
    },
    { name: 'reads the plans’ limits', text: `select from private.plan_limits`, outcome: NO_RIGHT },
    {
      name: 'makes themselves administrator',
      text: `update private.installation set admin_user_id = :owner`,
      outcome: NO_RIGHT,
    },
    { name: 'reads the search index', text: `select from private.link_search`, outcome: NO_RIGHT },
    { name: 'reads accounts', text: `select from auth.users`, outcome: NO_RIGHT },
    { name: 'empties a table', text: `truncate public.links`, outcome: NO_RIGHT },
    { name: 'calls an internal function', text: `select private.openable_category_ids()`, outcome: NO_RIGHT },
    { name: 'creates a table', text: `create table public.mine (id int)`, outcome: NO_RIGHT },
  ];

  test.each(attempts)('$name: refused', async ({ text, outcome }) => {
    expect(await attempt(mine.owner, text)).toMatchObject(outcome);
  });

  test('still owns everything afterwards, and nothing more', async () => {
    const { rows } = await database.admin.query(
      `select p.plan, (select count(*)::int from links l where l.user_id = p.id and l.category_id = $2) as links
       from profiles p where p.id = $1`,
      [mine.owner.id, mine.categoryId],
    );
    expect(rows).toEqual([{ plan: 'plus', links: 3 }]);
    const { rows: foreign } = await database.admin.query(
      `select count(*)::int as n from links where category_id = $1 and user_id <> $2`,
      [theirs.categoryId, theirs.owner.id],
    );
    expect(foreign).toEqual([{ n: 0 }]);
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
