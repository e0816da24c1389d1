import { claimsOf } from '@linkoteca/test-kit/claims-of';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, setPlan, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';

let database: ThrowawayDatabase;
let library: Library;
let guest: TestUser;
let publicId: string;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

/** A person with a category shared with a guest, a public one, one of a friend's, a session, and an undo that is still possible. */
beforeEach(async () => {
  library = await createLibrary(database, { plan: 'plus' });
  const { owner, folderId, categoryId } = library;
  guest = await createUser(database.admin, { plan: 'plus' });
  publicId = await createCategory(database, owner, folderId, 'Aberta');
  await queryAs(database, owner, 'select save_sharing($1, false, $2)', [categoryId, [guest.email]]);
  await queryAs(database, owner, `select save_sharing($1, true, '{}')`, [publicId]);
  const friend = await createLibrary(database, { plan: 'plus' });
  await queryAs(database, friend.owner, 'select save_sharing($1, false, $2)', [
    friend.categoryId,
    [owner.email],
  ]);
  await queryAs(database, owner, `insert into folders (name) values ('Apagada')`);
  await queryAs(database, owner, `delete from folders where name = 'Apagada'`);
  await openSession(owner);
  await setPlan(database.admin, owner.id, 'free');
});

const openSession = (user: TestUser, at = 'now()') =>
  database.admin.query(
    `insert into auth.sessions (id, user_id, created_at, updated_at) values (gen_random_uuid(), $1, ${at}, ${at})`,
    [user.id],
  );
const close = async ({ id }: TestUser) =>
  (await queryAs<{ until: Date | null }>(database, 'service_role', 'select close_account($1) as until', [id]))
    .rows[0]?.until;
const signIn = ({ id }: TestUser) =>
  database.admin.query('update auth.users set last_sign_in_at = now() where id = $1', [id]);

/** As the bearer of a token that was signed then. @returns the rows, or the refusal's code. */
async function withToken(user: TestUser, issuedAt: number, text: string, values: readonly unknown[] = []) {
  const client = await database.callers.connect();
  try {
    await client.query('begin');
    await client.query(
      `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true),
        set_config('search_path', 'public', true)`,
      [JSON.stringify({ ...claimsOf(user), iat: issuedAt })],
    );
    const { rows } = await client.query(text, [...values]);
    await client.query('commit');
    return rows;
  } catch (error) {
    await client.query('rollback');
    if (error instanceof pg.DatabaseError) return error.code;
    throw error;
  } finally {
    client.release();
  }
}
const nowInSeconds = () => Math.floor(Date.now() / 1000);

const TABLES = [
  'profiles',
  'subscribers',
  'library_counts',
  'category_counts',
  'folders',
  'categories',
  'links',
  'shared_with',
] as const;

describe('a token from before the account was closed', () => {
  test('reads no row of any table, and a token of somebody else still does', async () => {
    const { owner } = library;
    const issuedAt = nowInSeconds();
    for (const table of TABLES)
      expect(await withToken(owner, issuedAt, `select * from ${table}`), table).not.toEqual([]);
    await close(owner);
    for (const table of TABLES)
      expect(await withToken(owner, issuedAt, `select * from ${table}`), table).toEqual([]);
    expect(await withToken(guest, issuedAt, 'select * from profiles')).toHaveLength(1);
  });

  test('writes nothing', async () => {
    const { owner, folderId, categoryId } = library;
    const issuedAt = nowInSeconds();
    await setPlan(database.admin, owner.id, 'plus');
    await close(owner);
    const attempts: [string, unknown[]][] = [
      [`insert into folders (name) values ('x') returning id`, []],
      [`insert into categories (name, folder_id) values ('x', $1) returning id`, [folderId]],
      [
        `insert into links (title, url, category_id) values ('x', 'https://x.br', $1) returning id`,
        [categoryId],
      ],
      [`insert into shared_with (category_id, email) values ($1, 'x@x.br')`, [categoryId]],
    ];
    for (const [text, values] of attempts)
      expect(await withToken(owner, issuedAt, text, values), text).toBe('42501');
    for (const text of [
      `update profiles set name = 'x' returning id`,
      `update folders set name = 'x' returning id`,
      `update categories set name = 'x' returning id`,
      `update links set title = 'x' returning id`,
      'delete from links returning id',
      'delete from folders returning id',
      'delete from shared_with returning email',
    ])
      expect(await withToken(owner, issuedAt, text), text).toEqual([]);
  });

  test('gets nothing out of the functions that run with their owner’s rights', async () => {
    const { owner, folderId, categoryId, linkId } = library;
    const issuedAt = nowInSeconds();
    expect(await withToken(owner, issuedAt, `select * from search_links('exemplo')`)).toHaveLength(1);
    await close(owner);
    const nothing: [string, unknown[]][] = [
      [`select * from search_links('exemplo')`, []],
      [`select * from find_links_by_url('{https://exemplo.com.br/}')`, []],
      [`select unnest(kept_addresses('{-1778}'))`, []],
      ['select * from shared_category($1)', [categoryId]],
      ['select * from shared_links($1)', [categoryId]],
      ['select * from get_all_profiles()', []],
    ];
    for (const [text, values] of nothing)
      expect(await withToken(owner, issuedAt, text, values), text).toEqual([]);
    const refused: [string, unknown[]][] = [
      [`select save_sharing($1, true, '{}')`, [categoryId]],
      [`select queue_share_notifications($1, '{a@a.br}')`, [categoryId]],
      ['select copy_shared_category($1, $2)', [publicId, folderId]],
      ['select move_links($1, $2)', [[linkId], publicId]],
    ];
    for (const [text, values] of refused)
      expect(await withToken(owner, issuedAt, text, values), text).toBe('PT404');
    const { rows } = await database.admin.query(`select id from private.deletions where user_id = $1`, [
      owner.id,
    ]);
    expect(rows).toHaveLength(1);
    expect(
      await withToken(owner, issuedAt, `select undo_deletion('folder', array(select gen_random_uuid()))`),
    ).toEqual([{ undo_deletion: { folders: 0, categories: 0, links: 0 } }]);
    expect(await withToken(owner, issuedAt, 'select delete_links($1)', [[linkId]])).toEqual([
      { delete_links: 0 },
    ]);
    expect(await withToken(owner, issuedAt, 'select take_reopening_notice() as word')).toEqual([
      { word: null },
    ]);
  });

  test('stays dead after its owner has come back, while a new one works', async () => {
    const { owner } = library;
    const before = nowInSeconds() - 60;
    await close(owner);
    await signIn(owner);
    expect(await withToken(owner, before, 'select * from folders')).toEqual([]);
    expect(await withToken(owner, before, 'select take_reopening_notice() as word')).toEqual([
      { word: null },
    ]);
    expect(await withToken(owner, nowInSeconds(), 'select * from folders')).toHaveLength(1);
    expect(
      await withToken(owner, nowInSeconds(), `insert into folders (name) values ('x') returning name`),
    ).toEqual([{ name: 'x' }]);
  });
});

describe('closing', () => {
  test('ends sharing and sessions at once, and keeps the rest for thirty days', async () => {
    const { owner, categoryId } = library;
    const until = await close(owner);
    const days = ((until?.getTime() ?? 0) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThanOrEqual(30);
    expect(await withToken(guest, 0, 'select * from categories')).toEqual([]);
    expect((await queryAs(database, 'anon', 'select * from shared_category($1)', [publicId])).rows).toEqual(
      [],
    );
    const { rows } = await database.admin.query(
      `select (select count(*)::int from auth.sessions where user_id = $1) as sessions,
        (select count(*)::int from shared_with where category_id = $2) as shares,
        (select count(*)::int from categories where user_id = $1) as categories,
        (select count(*)::int from links where user_id = $1) as links`,
      [owner.id, categoryId],
    );
    expect(rows).toEqual([{ sessions: 0, shares: 0, categories: 2, links: 1 }]);
  });

  test('tells the pages that are open elsewhere to look, and not the one that asked', async () => {
    const { owner } = library;
    await openSession(owner);
    const { rows: sessions } = await database.admin.query<{ id: string }>(
      'select id from auth.sessions where user_id = $1',
      [owner.id],
    );
    const [asking, elsewhere] = sessions.map(({ id }) => id);
    await queryAs(database, 'service_role', 'select close_account($1, $2)', [owner.id, asking]);
    const { rows } = await database.admin.query(
      `select topic, payload - 'id' as payload from realtime.messages where topic like 'session:%' and topic = any ($1)`,
      [[`session:${asking}`, `session:${elsewhere}`]],
    );
    expect(rows).toEqual([{ topic: `session:${elsewhere}`, payload: {} }]);
  });

  test('twice is once: one date, one mail, one line in the log', async () => {
    const { owner } = library;
    const first = await close(owner);
    expect(await close(owner)).toEqual(first);
    const { rows } = await database.admin.query(
      `select (select count(*)::int from private.account_mails where user_id = $1) as mails,
        (select count(*)::int from private.account_events e join private.account_closures c on c.id = e.closure_id
          where c.user_id = $1) as events`,
      [owner.id],
    );
    expect(rows).toEqual([{ mails: 1, events: 1 }]);
  });

  test('once more, after having come back, is thirty days anew and a mail of its own', async () => {
    const { owner } = library;
    const first = await close(owner);
    await database.admin.query(
      `update private.account_closures set closed_at = closed_at - interval '25 days',
         purge_after = purge_after - interval '25 days' where user_id = $1`,
      [owner.id],
    );
    await signIn(owner);
    const again = await close(owner);
    expect(again?.getTime()).toBeGreaterThanOrEqual(first?.getTime() ?? Number.NaN);
    const { rows } = await queryAs(
      database,
      'service_role',
      'select kind from claim_account_mails(100) where email = $1',
      [owner.email],
    );
    expect(rows).toEqual([{ kind: 'deleted' }]);
  });

  test('is the service’s alone: a person’s own token and a visitor’s are refused', async () => {
    const { owner } = library;
    for (const name of ['close_account', 'purge_account', 'find_account_to_close'])
      expect(await withToken(owner, nowInSeconds(), `select ${name}($1)`, [owner.id]), name).toBe('42501');
    for (const call of [
      'begin_account_purges()',
      'suspend_inactive_accounts()',
      'close_abandoned_accounts()',
      'claim_account_mails()',
    ])
      expect(await withToken(owner, nowInSeconds(), `select ${call}`), call).toBe('42501');
    expect(await close({ id: '99999999-9999-4999-8999-999999999999', email: '' })).toBeNull();
  });

  test('the administrator’s account is refused', async () => {
    const { owner } = library;
    await database.admin.query('update private.installation set admin_user_id = $1', [owner.id]);
    await expect(close(owner)).rejects.toMatchObject({ code: 'PT409' });
    await database.admin.query('update private.installation set admin_user_id = null');
  });

  test('signing in brings everything back but the sharing, and says so once', async () => {
    const { owner, categoryId } = library;
    await close(owner);
    await signIn(owner);
    const token = nowInSeconds();
    expect(
      await withToken(
        owner,
        token,
        'select name, is_public from categories where user_id = $1 order by name',
        [owner.id],
      ),
    ).toEqual([
      { name: 'Aberta', is_public: false },
      { name: 'Leituras', is_public: false },
    ]);
    expect(
      await withToken(owner, token, 'select * from shared_with where category_id = $1', [categoryId]),
    ).toEqual([]);
    expect(await withToken(owner, token, 'select take_reopening_notice() as word')).toEqual([
      { word: 'deletion' },
    ]);
    expect(await withToken(owner, token, 'select take_reopening_notice() as word')).toEqual([{ word: null }]);
  });

  test('whatever else happens to the account’s row is no sign-in', async () => {
    const { owner } = library;
    await close(owner);
    await database.admin.query(
      `update auth.users set updated_at = now(), recovery_sent_at = now(), raw_user_meta_data = '{"name":"B"}' where id = $1`,
      [owner.id],
    );
    expect(await withToken(owner, nowInSeconds(), 'select * from folders')).toEqual([]);
  });

  test('a sign-in at the same moment comes before or after, whole', async () => {
    const { owner } = library;
    const client = await database.admin.connect();
    try {
      await client.query('begin');
      await client.query('update auth.users set last_sign_in_at = now() where id = $1', [owner.id]);
      await client.query(`insert into auth.sessions (id, user_id) values (gen_random_uuid(), $1)`, [
        owner.id,
      ]);
      const closing = close(owner);
      await client.query('commit');
      await closing;
    } finally {
      client.release();
    }
    const { rows } = await database.admin.query('select from auth.sessions where user_id = $1', [owner.id]);
    expect(rows).toEqual([]);
    expect(await withToken(owner, nowInSeconds() + 5, 'select * from folders')).toEqual([]);
  });
});
