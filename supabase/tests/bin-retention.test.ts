import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ageBin, listBin, restoreFromBin } from './support/bin.ts';
import { createLibrary } from './support/create-library.ts';

let database: ThrowawayDatabase;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

const purge = async (atMost = 100_000) =>
  (
    await queryAs<{ purged: number }>(
      database,
      'service_role',
      'select private.purge_deletions($1) as purged',
      [atMost],
    )
  ).rows[0]?.purged;
const countRows = async ({ id }: TestUser) => {
  const { rows } = await database.admin.query<{ n: number }>(
    `select count(*)::int as n from private.deleted_rows r join private.deletions d on d.id = r.deletion_id
     where d.user_id = $1`,
    [id],
  );
  return rows[0]?.n;
};
const close = ({ id }: TestUser) => queryAs(database, 'service_role', 'select close_account($1)', [id]);
/** As if the account had been closed so much earlier. */
const ageClosure = ({ id }: TestUser, by: string) =>
  database.admin.query(
    `update private.account_closures set closed_at = closed_at - $2::interval, purge_after = purge_after - $2::interval
     where user_id = $1`,
    [id, by],
  );
/** Opens the account again; that it ever was closed is forgotten, else a token without a date would count as one from before. */
const signIn = async ({ id }: TestUser) => {
  await database.admin.query('update auth.users set last_sign_in_at = now() where id = $1', [id]);
  await database.admin.query(
    'delete from private.account_closures where user_id = $1 and reopened_at is not null',
    [id],
  );
};

/** A person who has deleted the one folder of theirs: a folder, a category and a link in the bin. */
async function createDeleter() {
  const library = await createLibrary(database, { plan: 'plus' });
  await queryAs(database, library.owner, 'delete from folders');
  return library;
}

test('what has lain there for thirty days goes, a bounded part at a time', async () => {
  const [{ owner }, other] = [await createDeleter(), await createDeleter()];
  await ageBin(database, owner, '30 days');
  expect(await listBin(database, owner)).toEqual([]);
  expect(await purge(2)).toBe(2);
  expect(await purge(2)).toBe(1);
  expect(await purge()).toBe(0);
  expect(await countRows(other.owner)).toBe(3);
});

test('nothing of a closed account goes, and whoever returns has as many days left as when they left', async () => {
  const { owner } = await createDeleter();
  await close(owner);
  await ageClosure(owner, '25 days');
  await ageBin(database, owner, '45 days');
  expect(await purge()).toBe(0);
  expect(await countRows(owner)).toBe(3);

  await signIn(owner);
  const [entry] = await listBin(database, owner);
  const left = (Number(entry?.purge_after) - Date.now()) / 86_400_000;
  expect(left).toBeGreaterThan(9.9);
  expect(left).toBeLessThan(10.1);
  expect(await restoreFromBin(database, owner, entry?.id)).toMatchObject({ folders: 1, links: 1 });
});

test('what was emptied before the account was closed is gone all the same', async () => {
  const { owner } = await createDeleter();
  await database.admin.query(
    `update private.deletions set purge_after = now() - interval '1 hour' where user_id = $1`,
    [owner.id],
  );
  await close(owner);
  expect(await purge()).toBe(3);
  await signIn(owner);
  expect(await listBin(database, owner)).toEqual([]);
});

test('an account that is deleted for good takes its bin along, a part at a time', async () => {
  const { owner } = await createDeleter();
  await close(owner);
  await ageClosure(owner, '31 days');
  await queryAs(database, 'service_role', 'select from begin_account_purges(20)');
  const step = async () =>
    (
      await queryAs<{ done: boolean }>(database, 'service_role', 'select purge_account($1, 2) as done', [
        owner.id,
      ])
    ).rows[0]?.done;
  expect(await step()).toBe(false);
  expect(await countRows(owner)).toBe(1);
  expect([await step(), await step()]).toEqual([false, true]);
  expect(await countRows(owner)).toBe(0);
});

test('whose account is gone is invited no more by what comes back', async () => {
  const { owner, categoryId } = await createLibrary(database, { plan: 'plus' });
  const [leaver, friend] = [await createUser(database.admin), await createUser(database.admin)];
  await queryAs(database, owner, 'select save_sharing($1, false, $2)', [
    categoryId,
    [leaver.email, friend.email],
  ]);
  await queryAs(database, owner, 'delete from categories');
  await close(leaver);
  await ageClosure(leaver, '31 days');
  await queryAs(database, 'service_role', 'select from begin_account_purges(20)');
  await restoreFromBin(database, owner, (await listBin(database, owner))[0]?.id);
  const { rows } = await queryAs(database, owner, 'select email from shared_with');
  expect(rows).toEqual([{ email: friend.email }]);
});
