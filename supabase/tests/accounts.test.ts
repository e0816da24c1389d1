import { readFileSync } from 'node:fs';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCategory, createLibrary } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';
import { undoDeletion } from './support/undo-deletion.ts';

const CALL_OWNERS_BY_THEIR_NAMES = readFileSync(
  new URL('../migrations/20261218000100_call_owners_by_their_names.sql', import.meta.url),
  'utf8',
);

let database: ThrowawayDatabase;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

async function signUp(metadata: unknown): Promise<{ id: string; name: string | null }> {
  const { rows } = await database.admin.query<{ id: string }>(
    `insert into auth.users (id, email, raw_user_meta_data) values (gen_random_uuid(), gen_random_uuid() || '@a.br', $1) returning id`,
    [metadata === undefined ? null : JSON.stringify(metadata)],
  );
  const id = rows[0]?.id ?? '';
  const profile = await database.admin.query(`select name from profiles where id = $1`, [id]);
  return { id, name: profile.rows[0]?.name };
}

describe('a profile appears with each account', () => {
  test.each<{ metadata: unknown; name: string | null }>([
    { metadata: { name: 'Ana Lima' }, name: 'Ana Lima' },
    { metadata: { name: '  Ana  ' }, name: 'Ana' },
    { metadata: { firstName: 'Ana', lastName: 'Lima' }, name: 'Ana Lima' },
    { metadata: { firstName: 'Ana' }, name: 'Ana' },
    { metadata: { full_name: 'Ana do Google' }, name: 'Ana do Google' },
    { metadata: { name: 'a'.repeat(5000) }, name: 'a'.repeat(100) },
    { metadata: { name: '' }, name: null },
    { metadata: { name: { nested: [1] } }, name: '{"nested": [1]}' },
    { metadata: {}, name: null },
    { metadata: [], name: null },
    { metadata: 'text', name: null },
    { metadata: undefined, name: null },
  ])('named from $metadata', async ({ metadata, name }) => {
    expect((await signUp(metadata)).name).toBe(name);
  });

  test('with counters at zero and the free plan', async () => {
    const { id } = await signUp({ name: 'Ana' });
    const { rows } = await database.admin.query(
      `select plan, folder_count, category_count, link_count from profiles join library_counts on user_id = id where id = $1`,
      [id],
    );
    expect(rows).toEqual([{ plan: 'free', folder_count: 0, category_count: 0, link_count: 0 }]);
  });

  test('follows a change of the account’s name, on the profile and on categories', async () => {
    const { owner, categoryId } = await createLibrary(database, { name: 'Ana' });
    await database.admin.query(`update auth.users set raw_user_meta_data = '{"name":"Bia"}' where id = $1`, [
      owner.id,
    ]);
    const { rows } = await queryAs(
      database,
      owner,
      `select p.name, c.name_users from profiles p, categories c where c.id = $1`,
      [categoryId],
    );
    expect(rows).toEqual([{ name: 'Bia', name_users: 'Bia' }]);
    await readOutcome(database, owner, `update profiles set name = 'Caio'`);
    // A sign-in that rewrites the same metadata does not undo it.
    await database.admin.query(
      `update auth.users set raw_user_meta_data = '{"name":"Bia","x":1}' where id = $1`,
      [owner.id],
    );
    const after = await queryAs(
      database,
      owner,
      `select p.name, c.name_users from profiles p, categories c where c.id = $1`,
      [categoryId],
    );
    expect(after.rows).toEqual([{ name: 'Caio', name_users: 'Caio' }]);
  });

  test('stands on every category, also where its owner sends an empty one or none', async () => {
    const { owner, categoryId } = await createLibrary(database, { name: 'Ana' });
    for (const sent of ['', null]) {
      const { rows } = await queryAs(
        database,
        owner,
        `update categories set name_users = $2 where id = $1 returning name_users`,
        [categoryId, sent],
      );
      expect(rows).toEqual([{ name_users: 'Ana' }]);
    }
  });

  const rename = (id: string, metadata: object) =>
    database.admin.query(`update auth.users set raw_user_meta_data = $2 where id = $1`, [id, metadata]);
  const ownerNameOf = async (categoryId: string) => {
    const text = `select name_users from categories where id = $1`;
    return (await database.admin.query(text, [categoryId])).rows[0]?.name_users;
  };

  test('is unknown before they have one, and then stands on what they made before', async () => {
    const { owner, folderId } = await createLibrary(database, { name: 'Ana' });
    await rename(owner.id, {});
    const categoryId = await createCategory(database, owner, folderId, 'Viagens');
    expect(await ownerNameOf(categoryId)).toBeNull();
    await rename(owner.id, { firstName: 'Ana', lastName: 'Lima' });
    expect(await ownerNameOf(categoryId)).toBe('Ana Lima');
  });

  test('replaces the beginning of an e-mail that categories were given, also in the bin, and nothing that a person chose', async () => {
    const { owner, folderId, categoryId: open } = await createLibrary(database, { plan: 'pro' });
    const [shared, chosen, gone] = [
      await createCategory(database, owner, folderId, 'Viagens'),
      await createCategory(database, owner, folderId, 'Receitas'),
      await createCategory(database, owner, folderId, 'Filmes'),
    ];
    const namesake = await createLibrary(database, { name: 'bia', email: 'bia@exemplo.com.br' });
    await rename(owner.id, {});
    await readOutcome(database, owner, `select save_sharing($1, false, '{bia@a.br}')`, [shared]);
    await database.admin.query(
      `update categories c set name_users = case c.id when $2 then 'Ana Lima' else split_part($3, '@', 1) end where user_id = $1`,
      [owner.id, chosen, owner.email],
    );
    await queryAs(database, owner, `delete from categories where id = $1`, [gone]);
    const changedAt = async () =>
      (
        await database.admin.query(`select id, updated_at from categories where id = any ($1)`, [
          [chosen, namesake.categoryId],
        ])
      ).rows;
    const before = await changedAt();
    await database.admin.query('delete from realtime.messages');

    await database.admin.query(CALL_OWNERS_BY_THEIR_NAMES);
    expect(await ownerNameOf(open)).toBeNull();
    expect(await ownerNameOf(shared)).toBeNull();
    expect(await ownerNameOf(chosen)).toBe('Ana Lima');
    expect(await ownerNameOf(namesake.categoryId)).toBe('bia');
    expect(await changedAt()).toEqual(before);
    const told = await database.admin.query(
      `select topic from realtime.messages where topic like 'shared:%'`,
    );
    expect(told.rows).toEqual([{ topic: `shared:${shared}` }]);
    await undoDeletion(database, owner, 'category', [gone]);
    expect(await ownerNameOf(gone)).toBeNull();
    await rename(owner.id, { name: 'Ana' });
    expect(await Promise.all([open, shared, chosen, gone].map(ownerNameOf))).toEqual([
      'Ana',
      'Ana',
      'Ana Lima',
      'Ana',
    ]);
  });
});

describe('the plan follows the subscription', () => {
  const planOf = async ({ id }: TestUser) =>
    (await database.admin.query(`select plan from profiles where id = $1`, [id])).rows[0]?.plan;

  test.each([
    { status: 'active', plan: 'pro' },
    { status: 'expired', plan: 'free' },
    { status: 'canceled', plan: 'free' },
    { status: 'refunded', plan: 'free' },
    { status: 'payment_failed', plan: 'free' },
    { status: null, plan: 'free' },
  ])('$status means $plan', async ({ status, plan }) => {
    const user = await createUser(database.admin);
    const write = `insert into subscribers (user_id, plan, subscription_status) values ($1, 'pro', $2)`;
    expect(await readOutcome(database, 'service_role', write, [user.id, status])).toEqual({ rows: 1 });
    expect(await planOf(user)).toBe(plan);
  });

  test('through its changes and its end', async () => {
    const user = await createUser(database.admin, { plan: 'plus' });
    expect(await planOf(user)).toBe('plus');
    await readOutcome(database, 'service_role', `update subscribers set plan = 'pro' where user_id = $1`, [
      user.id,
    ]);
    expect(await planOf(user)).toBe('pro');
    await readOutcome(
      database,
      'service_role',
      `update subscribers set subscription_status = 'expired' where user_id = $1`,
      [user.id],
    );
    expect(await planOf(user)).toBe('free');
    await readOutcome(
      database,
      'service_role',
      `update subscribers set subscription_status = 'active' where user_id = $1`,
      [user.id],
    );
    await readOutcome(database, 'service_role', `delete from subscribers where user_id = $1`, [user.id]);
    expect(await planOf(user)).toBe('free');
  });

  test('an unknown plan or status is refused', async () => {
    const user = await createUser(database.admin);
    const write = `insert into subscribers (user_id, plan, subscription_status) values ($1, $2, $3)`;
    expect(await readOutcome(database, 'service_role', write, [user.id, 'gold', 'active'])).toMatchObject({
      code: '23503',
    });
    expect(await readOutcome(database, 'service_role', write, [user.id, 'pro', 'paused'])).toMatchObject({
      code: '23514',
    });
  });
});

test('a deleted account leaves nothing behind', async () => {
  const { owner, linkId } = await createLibrary(database, { plan: 'plus' });
  await queryAs(database, owner, `delete from links where id = $1`, [linkId]);
  await database.admin.query(`delete from auth.users where id = $1`, [owner.id]);
  const tables = ['folders', 'categories', 'links', 'subscribers', 'library_counts', 'category_counts'];
  const { rows } = await database.admin.query(
    `${tables.map((table) => `select count(*)::int as n from public.${table} where user_id = $1`).join(' union all ')}
     union all select count(*)::int from profiles where id = $1
     union all select count(*)::int from private.link_search where user_id = $1
     union all select count(*)::int from private.link_addresses where user_id = $1
     union all select count(*)::int from private.deletions where user_id = $1
     union all select count(*)::int from private.deleted_rows where content ->> 'user_id' = $1::text`,
    [owner.id],
  );
  expect(rows.every(({ n }) => n === 0)).toBe(true);
});

describe('administration', () => {
  let admin: TestUser;
  beforeEach(async () => {
    admin = await createUser(database.admin, { name: 'Diane' });
    const appoint = `update private.installation set admin_user_id = $1`;
    expect(await readOutcome(database, 'service_role', appoint, [admin.id])).toEqual({ rows: 1 });
  });

  test('the administrator gets every profile and every address', async () => {
    const { rows } = await database.admin.query(`select count(*)::int as n from auth.users`);
    // The first call of each goes on record, the second reads.
    for (const call of ['get_all_profiles()', 'get_all_user_emails()'])
      expect(await readOutcome(database, admin, `select from ${call}`)).toEqual({ rows: 0 });
    expect(await readOutcome(database, admin, `select from get_all_profiles()`)).toEqual({ rows: rows[0].n });
    const emails = await queryAs(database, admin, `select email from get_all_user_emails() where id = $1`, [
      admin.id,
    ]);
    expect(emails.rows).toEqual([{ email: admin.email }]);
  });

  test.each(['get_all_profiles()', 'get_all_user_emails()'])('%s gives others nothing', async (call) => {
    const user = await createUser(database.admin, { plan: 'pro' });
    expect(await readOutcome(database, user, `select from ${call}`)).toEqual({ rows: 0 });
    expect(await readOutcome(database, 'anon', `select from ${call}`)).toMatchObject({ code: '42501' });
  });

  test('before anyone is appointed, nobody is: not even a caller without an id', async () => {
    await database.admin.query(`update private.installation set admin_user_id = null`);
    const nobody = { id: '', email: 'x@a.br' };
    expect(
      await readOutcome(database, nobody, `select from get_all_profiles() where auth.uid() is null`),
    ).toMatchObject({ code: '22P02' });
    expect(await readOutcome(database, admin, `select from get_all_profiles()`)).toEqual({ rows: 0 });
  });
});
