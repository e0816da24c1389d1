import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, setPlan, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

const INVITE = `insert into shared_with (category_id, email) values ($1, $2)`;
const PUBLISH = `update categories set is_public = true where id = $1`;
const NO_PLAN = { code: 'P0001', hint: 'plan_sharing' };

describe('who may share', () => {
  test('a free owner can neither publish nor invite, in a new row or an old one', async () => {
    const { owner, folderId, categoryId } = await createLibrary(database);
    const attempts = [
      [PUBLISH, [categoryId]],
      [INVITE, [categoryId, 'ana@exemplo.com.br']],
      [`insert into categories (name, folder_id, is_public) values ('P', $1, true)`, [folderId]],
      [`insert into folders (name, is_public) values ('P', true)`, []],
      [`insert into folders (name, shared_with) values ('P', '{ana@exemplo.com.br}')`, []],
      [`update folders set is_public = true where id = $1`, [folderId]],
      [`update folders set shared_with = '{ana@exemplo.com.br}' where id = $1`, [folderId]],
    ] as const;
    for (const [text, values] of attempts)
      expect(await readOutcome(database, owner, text, values), text).toMatchObject(NO_PLAN);
    const { rows } = await database.admin.query(
      `select exists (select from shared_with where category_id = $1) or is_public as shared from categories where id = $1`,
      [categoryId],
    );
    expect(rows).toEqual([{ shared: false }]);
  });

  test('a free client’s usual inserts name the sharing columns and pass', async () => {
    const user = await createUser(database.admin);
    const text = `insert into folders (name, user_id, is_public, shared_with) values ('P', $1, false, '{}')`;
    expect(await readOutcome(database, user, text, [user.id])).toEqual({ rows: 1 });
  });

  test.each(['plus', 'pro'] as const)('%s owners share', async (plan) => {
    const { owner, categoryId } = await createLibrary(database, { plan });
    expect(await readOutcome(database, owner, INVITE, [categoryId, 'ana@exemplo.com.br'])).toEqual({
      rows: 1,
    });
    expect(await readOutcome(database, owner, PUBLISH, [categoryId])).toEqual({ rows: 1 });
  });

  test('public and restricted exclude each other', async () => {
    const { owner, categoryId } = await createLibrary(database, { plan: 'plus' });
    await readOutcome(database, owner, INVITE, [categoryId, 'ana@exemplo.com.br']);
    await readOutcome(database, owner, PUBLISH, [categoryId]);
    expect(
      await readOutcome(database, owner, `select from shared_with where category_id = $1`, [categoryId]),
    ).toEqual({ rows: 0 });
    expect(await readOutcome(database, owner, INVITE, [categoryId, 'bia@exemplo.com.br'])).toMatchObject({
      code: '23514',
      constraint: 'shared_with_category_not_public',
    });
    // The specified order: the mode first, then the list.
    await readOutcome(database, owner, `update categories set is_public = false where id = $1`, [categoryId]);
    expect(await readOutcome(database, owner, INVITE, [categoryId, 'bia@exemplo.com.br'])).toEqual({
      rows: 1,
    });
  });

  test.each([
    {
      first: 'publishing',
      held: [PUBLISH, false] as const,
      later: [INVITE, true] as const,
      outcome: { code: '23514', constraint: 'shared_with_category_not_public' },
    },
    {
      first: 'an invitation',
      held: [INVITE, true] as const,
      later: [PUBLISH, false] as const,
      outcome: { rows: 1 },
    },
  ])('exclude each other also at the same moment, $first coming first', async ({ held, later, outcome }) => {
    const { owner, categoryId } = await createLibrary(database, { plan: 'plus' });
    const values = (invites: boolean) => (invites ? [categoryId, 'ana@exemplo.com.br'] : [categoryId]);
    const first = await database.admin.connect();
    try {
      await first.query('begin');
      await first.query(held[0], values(held[1]));
      const second = readOutcome(database, owner, later[0], values(later[1]));
      await untilBlockedOrOver(second);
      await first.query('commit');
      expect(await second).toEqual(outcome);
    } finally {
      await first.query('rollback');
      first.release();
    }
    const { rows } = await database.admin.query(
      `select c.is_public, (select count(*)::int from shared_with s where s.category_id = c.id) as invited
       from categories c where c.id = $1`,
      [categoryId],
    );
    expect(rows).toEqual([{ is_public: true, invited: 0 }]);
  });

  test('after a downgrade shares go on, can be reduced and turned off, and not extended', async () => {
    const { owner, folderId, categoryId } = await createLibrary(database, { plan: 'plus' });
    const open = await createCategory(database, owner, folderId, 'Pública');
    await readOutcome(database, owner, PUBLISH, [open]);
    for (const email of ['ana@exemplo.com.br', 'bia@exemplo.com.br'])
      await readOutcome(database, owner, INVITE, [categoryId, email]);
    await setPlan(database.admin, owner.id, 'free');

    expect(await readOutcome(database, 'anon', `select from shared_links($1)`, [open])).toEqual({ rows: 0 });
    const access = await queryAs(database, 'anon', `select access from shared_category($1)`, [open]);
    expect(access.rows).toEqual([{ access: 'public' }]);
    expect(
      await readOutcome(database, owner, `update categories set name = 'Renomeada' where id = $1`, [open]),
    ).toEqual({ rows: 1 });
    expect(await readOutcome(database, owner, INVITE, [categoryId, 'caio@exemplo.com.br'])).toMatchObject(
      NO_PLAN,
    );
    const withdraw = `delete from shared_with where category_id = $1 and email = 'ana@exemplo.com.br'`;
    expect(await readOutcome(database, owner, withdraw, [categoryId])).toEqual({ rows: 1 });
    expect(
      await readOutcome(database, owner, `update categories set is_public = false where id = $1`, [open]),
    ).toEqual({ rows: 1 });
    expect(await readOutcome(database, owner, PUBLISH, [open])).toMatchObject(NO_PLAN);
  });
});

test('a refusal tells a stranger nothing: free, paid, public and missing look the same', async () => {
  const stranger = await createUser(database.admin, { plan: 'plus' });
  const free = await createLibrary(database);
  const paid = await createLibrary(database, { plan: 'pro' });
  const open = await createLibrary(database, { plan: 'pro' });
  await readOutcome(database, open.owner, PUBLISH, [open.categoryId]);
  const nobody = '99999999-9999-4999-8999-999999999999';

  for (const id of [free.categoryId, paid.categoryId, open.categoryId, nobody])
    expect(await readOutcome(database, stranger, INVITE, [id, 'eu@exemplo.com.br'])).toEqual({
      code: '42501',
    });

  const category = `insert into categories (name, folder_id, user_id, is_public) values ('P', $1, $2, true)`;
  const folder = `insert into folders (name, user_id, is_public) values ('P', $1, true)`;
  for (const [folderId, ownerId] of [
    [free.folderId, free.owner.id],
    [paid.folderId, paid.owner.id],
    [nobody, nobody],
  ]) {
    expect(await readOutcome(database, stranger, category, [folderId, ownerId])).toEqual({ code: '42501' });
    expect(await readOutcome(database, stranger, folder, [ownerId])).toEqual({ code: '42501' });
  }
});

describe('an invited reader', () => {
  let library: Library;
  let reader: TestUser;
  let other: TestUser;

  beforeEach(async () => {
    library = await createLibrary(database, { plan: 'plus', name: 'Dona Marta' });
    reader = await createUser(database.admin);
    other = await createUser(database.admin);
    for (const { email } of [reader, other])
      await readOutcome(database, library.owner, INVITE, [library.categoryId, email]);
  });

  test('reads the category, the owner’s name on it, and its links', async () => {
    const categories = await queryAs(database, reader, `select id, name_users from categories`);
    expect(categories.rows).toEqual([{ id: library.categoryId, name_users: 'Dona Marta' }]);
    const links = await queryAs(database, reader, `select id from links where category_id = $1`, [
      library.categoryId,
    ]);
    expect(links.rows).toEqual([{ id: library.linkId }]);
  });

  test('sees the row that names them and none of the others', async () => {
    const { rows } = await queryAs(database, reader, `select email from shared_with`);
    expect(rows).toEqual([{ email: reader.email }]);
  });

  test('is found whatever the case of their address in the token', async () => {
    const shouting = { ...reader, email: reader.email.toUpperCase() };
    expect(await readOutcome(database, shouting, `select from categories`)).toEqual({ rows: 1 });
  });

  test.each([
    `update categories set name = 'Meu' where id = $1`,
    `delete from categories where id = $1`,
    `update links set title = 'Meu' where category_id = $1`,
    `delete from links where category_id = $1`,
    `delete from shared_with where category_id = $1`,
    `select from profiles where id <> auth.uid() and $1::uuid is not null`,
    `select from category_counts where category_id = $1`,
    `select from folders where $1::uuid is not null`,
  ])('gets nothing from: %s', async (text) => {
    expect(await readOutcome(database, reader, text, [library.categoryId])).toEqual({ rows: 0 });
  });

  test('cannot add a link or invite', async () => {
    const add = `insert into links (url, title, category_id) values ('https://a.br', 'A', $1)`;
    expect(await readOutcome(database, reader, add, [library.categoryId])).toMatchObject({ code: '23503' });
    await setPlan(database.admin, reader.id, 'pro');
    expect(
      await readOutcome(database, reader, INVITE, [library.categoryId, 'eu@exemplo.com.br']),
    ).toMatchObject({ code: '42501' });
  });

  test('does not find the owner’s links by search', async () => {
    expect(await readOutcome(database, reader, `select from search_links('exemplo')`)).toEqual({ rows: 0 });
  });

  test('is out at once when the invitation is withdrawn', async () => {
    await readOutcome(
      database,
      library.owner,
      `delete from shared_with where category_id = $1 and email = $2`,
      [library.categoryId, reader.email],
    );
    expect(await readOutcome(database, reader, `select from categories`)).toEqual({ rows: 0 });
    expect(await readOutcome(database, reader, `select from links`)).toEqual({ rows: 0 });
    expect(await readOutcome(database, other, `select from categories`)).toEqual({ rows: 1 });
  });

  test('on the free plan lists every share and opens only the earliest', async () => {
    const second = await createLibrary(database, { plan: 'plus' });
    await readOutcome(database, second.owner, INVITE, [second.categoryId, reader.email]);
    expect(await readOutcome(database, reader, `select from categories`)).toEqual({ rows: 2 });
    const links = () => queryAs(database, reader, `select category_id from links order by created_at`);
    expect((await links()).rows).toEqual([{ category_id: library.categoryId }]);
    await setPlan(database.admin, reader.id, 'plus');
    expect((await links()).rows).toEqual([
      { category_id: library.categoryId },
      { category_id: second.categoryId },
    ]);
    await setPlan(database.admin, reader.id, 'free');
    await readOutcome(database, library.owner, `delete from shared_with where email = $1`, [reader.email]);
    expect((await links()).rows).toEqual([{ category_id: second.categoryId }]);
  });
});

/** Until a statement of this database waits for another's lock, or did not have to. */
async function untilBlockedOrOver(statement: Promise<unknown>): Promise<void> {
  let isOver = false;
  void statement.finally(() => {
    isOver = true;
  });
  const waiting = `select from pg_locks l join pg_stat_activity a using (pid)
    where not l.granted and a.datname = current_database()`;
  while (!isOver && (await database.admin.query(waiting)).rowCount === 0)
    await new Promise((done) => setTimeout(done, 5));
}
