import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCategory, createLibrary } from './support/create-library.ts';
import { inviteToFolder } from './support/share-folder.ts';

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

const ADD = `insert into links (url, title, category_id) select 'https://n.br/' || n, 'N', $1 from generate_series(1, $2::int) n`;
const run = (caller: TestCaller, text: string, ...values: unknown[]) =>
  queryAs<Record<string, unknown>>(database, caller, text, values);
const news = async (caller: TestCaller) =>
  Object.fromEntries(
    (await run(caller, 'select * from folder_news()')).rows.map(({ category_id, added }) => [
      category_id,
      added,
    ]),
  );

async function share() {
  const library = await createLibrary(database, { plan: 'pro' });
  const [ana, bia] = [await createUser(database.admin), await createUser(database.admin)];
  for (const { email } of [ana, bia])
    await inviteToFolder(database, library.owner, library.folderId, email, 'editor');
  return { ...library, ana, bia };
}

test('what others add since one came or looked is new, and what one adds oneself is not', async () => {
  const { owner, folderId, categoryId, ana, bia } = await share();
  expect(await news(ana)).toEqual({});
  const late = await createCategory(database, owner, folderId, 'Nova');
  await run(owner, ADD, categoryId, 2);
  await run(bia, ADD, late, 1);
  await run(ana, ADD, late, 3);
  expect(await news(ana)).toEqual({ [categoryId]: 2, [late]: 1 });
  expect(await news(bia)).toEqual({ [categoryId]: 2, [late]: 3 });
  await run(ana, 'select see_category($1)', categoryId);
  expect(await news(ana)).toEqual({ [late]: 1 });
  expect(await news(bia)).toEqual({ [categoryId]: 2, [late]: 3 });
  await run(owner, ADD, categoryId, 1);
  expect(await news(ana)).toEqual({ [categoryId]: 1, [late]: 1 });
  // The owner's own folders are no news of theirs.
  expect(await news(owner)).toEqual({});
});

test('is counted up to a hundred', async () => {
  const { owner, categoryId, ana } = await share();
  await run(owner, ADD, categoryId, 120);
  expect(await news(ana)).toEqual({ [categoryId]: 100 });
});

test('is nothing of what is held back, to a removed member, a stranger, or of a category of one’s own', async () => {
  const { owner, categoryId, ana, bia } = await share();
  await run(owner, ADD, categoryId, 1);
  await run(owner, 'delete from folder_members where email = $1', bia.email);
  const stranger = await createUser(database.admin);
  for (const who of [bia, stranger]) {
    expect(await news(who)).toEqual({});
    await run(who, 'select see_category($1)', categoryId);
  }
  await run(owner, 'select see_category($1)', categoryId);
  await run(owner, 'update categories set is_held_back = true where id = $1', categoryId);
  expect(await news(ana)).toEqual({});
  await run(ana, 'select see_category($1)', categoryId);
  const kept = await database.admin.query('select from private.category_visits where category_id = $1', [
    categoryId,
  ]);
  expect(kept.rows).toEqual([]);
  await run(owner, 'update categories set is_held_back = false where id = $1', categoryId);
  expect(await news(ana)).toEqual({ [categoryId]: 1 });
  await expect(run('anon', 'select * from folder_news()')).rejects.toMatchObject({ code: '42501' });
});

test('is not what was seen in a category before it went to the bin, or changed its owner', async () => {
  const { owner, folderId, categoryId, ana } = await share();
  await run(owner, ADD, categoryId, 2);
  await run(ana, 'select see_category($1)', categoryId);
  await run(owner, 'delete from folders where id = $1', folderId);
  await run(owner, `select undo_deletion('folder', $1)`, [folderId]);
  expect(await news(ana)).toEqual({});
  const heir = await createUser(database.admin, { plan: 'pro' });
  await inviteToFolder(database, owner, folderId, heir.email, 'editor');
  await run(owner, 'select offer_folder($1, $2)', folderId, heir.email);
  await run(heir, 'select take_folder($1)', folderId);
  for (const who of [ana, owner, heir]) expect(await news(who)).toEqual({});
  await run(heir, ADD, categoryId, 1);
  for (const who of [ana, owner]) expect(await news(who)).toEqual({ [categoryId]: 1 });
});

test('is forgotten with the account, and of categories that are gone for good', async () => {
  const { owner, folderId, categoryId, ana, bia } = await share();
  const gone = await createCategory(database, owner, folderId, 'Outra');
  for (const who of [ana, bia])
    for (const id of [categoryId, gone]) await run(who, 'select see_category($1)', id);
  const kept = async () =>
    (
      await database.admin.query<{ id: string }>(
        'select category_id as id from private.category_visits where person_id = any ($1)',
        [[ana.id, bia.id]],
      )
    ).rows.map(({ id }) => id);
  await database.admin.query('delete from auth.users where id = $1', [bia.id]);
  expect((await kept()).sort()).toEqual([categoryId, gone].sort());
  await run(owner, 'delete from categories where id = $1', gone);
  await run(ana, 'select see_category($1)', categoryId);
  expect(await kept()).toHaveLength(2);
  await database.admin.query(
    `update private.category_visits set seen_at = now() - interval '32 days' where person_id = $1`,
    [ana.id],
  );
  await run(ana, 'select see_category($1)', categoryId);
  expect(await kept()).toEqual([categoryId]);
});

test('is asked by an index, category by category', async () => {
  const { rows } = await database.admin.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index
     where indrelid = 'public.links'::regclass and pg_get_indexdef(indexrelid) ~ '\\(category_id, created_at'`,
  );
  expect(rows.length).toBeGreaterThan(0);
});
