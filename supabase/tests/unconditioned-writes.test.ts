import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

/** A library with one row in every table, one address invited. */
async function createFull(): Promise<Library> {
  const library = await createLibrary(database, { plan: 'plus' });
  await queryAs(
    database,
    library.owner,
    `insert into shared_with (category_id, email) values ($1, 'ana@a.br')`,
    [library.categoryId],
  );
  return library;
}

const snapshot = async ({ owner, categoryId }: Library) => {
  const { rows } = await database.admin.query(
    `select (select jsonb_agg(to_jsonb(f)) from folders f where user_id = $1) as folders,
       (select jsonb_agg(to_jsonb(c)) from categories c where user_id = $1) as categories,
       (select jsonb_agg(to_jsonb(l)) from links l where user_id = $1) as links,
       (select jsonb_agg(to_jsonb(s)) from shared_with s where category_id = $2) as shares,
       (select to_jsonb(p) from profiles p where id = $1) as profile`,
    [owner.id, categoryId],
  );
  return rows[0];
};

/** Without a condition and without an answer Postgres asks no policy of reading, and those of writing are all there is. */
const WRITES = [
  'delete from shared_with',
  'delete from links',
  'delete from categories',
  'delete from folders',
  `update links set title = 'Outro'`,
  `update categories set name = 'Outra'`,
  `update categories set is_public = true`,
  `update folders set name = 'Outra'`,
  `update profiles set name = 'Outra'`,
] as const;

describe('a write without a condition', () => {
  test.each(WRITES)('%s is of one’s own rows', async (text) => {
    const [mine, theirs] = [await createFull(), await createFull()];
    const before = await snapshot(theirs);
    expect(await readOutcome(database, mine.owner, text)).toEqual({ rows: 1 });
    expect(await snapshot(theirs)).toEqual(before);
  });

  test.each(WRITES)('%s does nothing to what one was invited to read', async (text) => {
    const library = await createFull();
    const ana = await createUser(database.admin, { plan: 'plus' });
    await queryAs(database, library.owner, `insert into shared_with (category_id, email) values ($1, $2)`, [
      library.categoryId,
      ana.email,
    ]);
    const before = await snapshot(library);
    const isOwnProfile = text.includes('profiles');
    expect(await readOutcome(database, ana, text)).toEqual({ rows: isOwnProfile ? 1 : 0 });
    expect(await snapshot(library)).toEqual(before);
  });

  test.each(WRITES)('%s does nothing once the account is closed', async (text) => {
    const library = await createFull();
    await database.admin.query(
      `insert into private.account_closures (user_id, reason) values ($1, 'inactivity')`,
      [library.owner.id],
    );
    const before = await snapshot(library);
    expect(await readOutcome(database, library.owner, text)).toEqual({ rows: 0 });
    expect(await snapshot(library)).toEqual(before);
  });
});

describe('a closed account', () => {
  test.each([
    'folders',
    'categories',
    'links',
    'shared_with',
    'profiles',
    'library_counts',
    'category_counts',
    'subscribers',
  ])('reads nothing of its own %s', async (table) => {
    const { owner } = await createFull();
    const count = () => readOutcome(database, owner, `select from ${table}`);
    expect(await count()).toEqual({ rows: 1 });
    await database.admin.query(
      `insert into private.account_closures (user_id, reason) values ($1, 'inactivity')`,
      [owner.id],
    );
    expect(await count()).toEqual({ rows: 0 });
  });

  test.each([
    [`insert into folders (name) values ('x')`, 'folder'],
    [`insert into categories (name, folder_id) values ('x', $1)`, 'folder'],
    [`insert into links (title, url, category_id) values ('x', 'https://a.br', $1)`, 'category'],
    [`insert into shared_with (category_id, email) values ($1, 'bia@a.br')`, 'category'],
  ])('adds nothing: %s', async (text, parent) => {
    const { owner, folderId, categoryId } = await createFull();
    const values = text.includes('$1') ? [parent === 'folder' ? folderId : categoryId] : [];
    await database.admin.query(
      `insert into private.account_closures (user_id, reason) values ($1, 'inactivity')`,
      [owner.id],
    );
    expect(await readOutcome(database, owner, text, values)).toMatchObject({ code: '42501' });
  });
});

describe('what a row is and whose stays', () => {
  const change = (table: string, set: string, owner: TestUser, values: readonly unknown[] = []) =>
    database.admin.query(`update ${table} set ${set} where user_id = $1`, [owner.id, ...values]);

  test.each(['folders', 'categories', 'links'])('in %s, whoever writes', async (table) => {
    const { owner } = await createFull();
    const other = await createUser(database.admin);
    const refused = { code: '42501', message: expect.stringContaining(`"${table}" cannot change`) };
    await expect(change(table, 'id = gen_random_uuid()', owner)).rejects.toMatchObject(refused);
    await expect(change(table, 'user_id = $2', owner, [other.id])).rejects.toMatchObject(refused);
    await expect(
      change(table, `created_at = created_at - interval '1 microsecond'`, owner),
    ).rejects.toMatchObject(refused);
    expect((await change(table, 'id = id, user_id = user_id, created_at = created_at', owner)).rowCount).toBe(
      1,
    );
  });
});

describe('files, without a condition', () => {
  const filesOf = async ({ id }: TestUser) =>
    (
      await database.admin.query(
        'select bucket_id, name, metadata, user_metadata from storage.objects where owner_id = $1 order by name',
        [id],
      )
    ).rows;
  const keep = (user: TestUser) =>
    database.admin.query(
      `insert into storage.objects (bucket_id, name, owner_id, metadata) values ('arquivos', $1 || '/a', $1, '{"size": 1}')`,
      [user.id],
    );
  /** As the storage service would, which says that it deletes. */
  const asOwner = async (user: TestUser, text: string) => {
    const client = await database.callers.connect();
    try {
      await client.query('begin');
      await client.query(
        `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true),
           set_config('storage.allow_delete_query', 'true', true)`,
        [JSON.stringify({ sub: user.id, role: 'authenticated' })],
      );
      const { rowCount } = await client.query(text);
      await client.query('commit');
      return rowCount;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  };

  test.each([`update storage.objects set metadata = '{"size": 0}'`, 'delete from storage.objects'])(
    '%s is of one’s own',
    async (text) => {
      const [ana, bia] = [await createUser(database.admin), await createUser(database.admin)];
      await keep(ana);
      await keep(bia);
      const before = await filesOf(bia);
      expect(await asOwner(ana, text)).toBe(1);
      expect(await filesOf(bia)).toEqual(before);
    },
  );

  test('are moved neither to a bucket that nobody has opened nor out of it', async () => {
    await database.admin.query(
      `insert into storage.buckets (id, name) values ('fechado', 'fechado') on conflict do nothing`,
    );
    const [ana, bia] = [await createUser(database.admin), await createUser(database.admin)];
    await keep(ana);
    await expect(asOwner(ana, `update storage.objects set bucket_id = 'fechado'`)).rejects.toMatchObject({
      code: '42501',
    });
    await database.admin.query(
      `insert into storage.objects (bucket_id, name, owner_id) values ('fechado', $1 || '/b', $1)`,
      [bia.id],
    );
    for (const text of [`update storage.objects set bucket_id = 'arquivos'`, 'delete from storage.objects'])
      expect(await asOwner(bia, text), text).toBe(0);
    await expect(
      asOwner(ana, `insert into storage.objects (bucket_id, name) values ('fechado', '${ana.id}/c')`),
    ).rejects.toMatchObject({ code: '42501' });
  });
});
