import { claimsOf } from '@linkoteca/test-kit/claims-of';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type Database } from '../kernel/database.ts';
import { openLibrary } from './library.ts';
import { SharingConflict, shareCategory } from './share-category.ts';

let database: ThrowawayDatabase;
let db: Database;
let owner: TestUser;
let categoryId: string;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  db = createDatabase({ ...database.authenticator, max: 4 });
  owner = await createUser(database.admin, { plan: 'pro' });
  const insert = async (text: string, ...values: unknown[]) =>
    (await queryAs<{ id: string }>(database, owner, `${text} returning id`, values)).rows[0]?.id ?? '';
  const folderId = await insert(`insert into folders (name) values ('Cozinha')`);
  categoryId = await insert(`insert into categories (name, folder_id) values ('Bolos', $1)`, folderId);
});
afterAll(async () => {
  await db.pool.end();
  await database.drop();
});

const invite = (email: string) =>
  shareCategory(openLibrary(db, { role: 'authenticated', claims: claimsOf(owner) }), {
    categoryId,
    mode: 'restricted',
    added: [email],
    removed: [],
  });
const readList = async () => {
  const { rows } = await queryAs<{ email: string }>(database, owner, 'select email from shared_with');
  return rows.map(({ email }) => email);
};

it('invites nobody again whom the person takes off the list in the same moment', async () => {
  await invite('ana@exemplo.test');
  const screen = await database.callers.connect();
  try {
    await screen.query('begin');
    await screen.query(
      `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`,
      [JSON.stringify(claimsOf(owner))],
    );
    await screen.query(`select public.save_sharing($1, false, '{}')`, [categoryId]);
    // It has read the list by then, and waits for the category.
    const refused = expect(invite('bia@exemplo.test')).rejects.toThrow(SharingConflict);
    await expect
      .poll(async () => {
        const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
        return (await database.admin.query(waiting)).rowCount;
      })
      .toBe(1);
    await screen.query('commit');
    await refused;
  } finally {
    screen.release();
  }
  expect(await readList()).toEqual([]);
  const { rows } = await database.admin.query('select email from private.share_notifications');
  expect(rows).toEqual([{ email: 'ana@exemplo.test' }]);
  expect(await invite('bia@exemplo.test')).toMatchObject({ emails: ['bia@exemplo.test'] });
});
