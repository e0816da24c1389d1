import { randomUUID } from 'node:crypto';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, setPlan, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createLibrary } from './support/create-library.ts';

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
afterEach(() => database.admin.query('delete from auth.users; delete from private.account_events'));

const START = new Date('2027-01-01T12:00:00Z');
const day = (days: number) => new Date(START.getTime() + days * 86_400_000);

/** Takes away what people are known by, and lets them be seen last at the start. */
async function makeAnonymous({ id }: TestUser): Promise<void> {
  await database.admin.query(
    `update auth.users set email = null, email_confirmed_at = null, is_anonymous = true, created_at = $2, last_sign_in_at = $2
     where id = $1`,
    [id, START],
  );
}
async function createAnonymous(): Promise<TestUser> {
  const user = await createUser(database.admin);
  await makeAnonymous(user);
  return user;
}
const openSession = async ({ id }: TestUser, at: Date): Promise<string> => {
  const session = randomUUID();
  await database.admin.query(
    'insert into auth.sessions (id, user_id, created_at, updated_at) values ($1, $2, $3, $3)',
    [session, id, at],
  );
  return session;
};
const refresh = `update auth.sessions set refreshed_at = $2::timestamptz at time zone 'utc' where id = $1`;

async function asService<T>(text: string, values: readonly unknown[] = []): Promise<T[]> {
  return (await queryAs<{ value: T }>(database, 'service_role', `select ${text} as value`, values)).rows.map(
    ({ value }) => value,
  );
}
const close = async (at: Date, days = 30, max = 500) =>
  (await asService<number>('close_abandoned_accounts($1, $2, $3)', [max, days, at]))[0];
const purge = async (at: Date) => {
  const { rows } = await queryAs<{ user_id: string }>(
    database,
    'service_role',
    'select user_id from begin_account_purges(100, $1)',
    [at],
  );
  for (const { user_id } of rows)
    while ((await asService<boolean>('purge_account($1)', [user_id]))[0] !== true);
  return rows.length;
};
const listUsers = async () =>
  (await database.admin.query<{ id: string }>('select id from auth.users')).rows.map(({ id }) => id);

describe('an account without an address', () => {
  test('goes after thirty days without a sign of life, with all that is its own', async () => {
    const { owner } = await createLibrary(database);
    await makeAnonymous(owner);
    expect(await close(day(29))).toBe(0);
    expect(await close(day(31))).toBe(1);
    expect(await close(day(31))).toBe(0);
    expect(await purge(day(31))).toBe(1);
    expect(await listUsers()).toEqual([]);
    for (const table of ['links', 'folders', 'categories', 'profiles'])
      expect((await database.admin.query(`select from public.${table}`)).rowCount, table).toBe(0);
    const { rows } = await database.admin.query('select event from private.account_events order by id');
    expect(rows.map(({ event }) => event)).toEqual(['deleted', 'purge_started', 'purged']);
    expect((await database.admin.query('select from private.account_mails')).rowCount).toBe(0);
  });

  test('stays as long as the operator says, and never less than nine days', async () => {
    await createAnonymous();
    expect(await close(day(50), 60)).toBe(0);
    expect(await close(day(8), 1)).toBe(0);
    expect(await close(day(10), 1)).toBe(1);
  });

  test('is closed in batches', async () => {
    for (let count = 0; count < 3; count += 1) await createAnonymous();
    expect(await close(day(31), 30, 2)).toBe(2);
    expect(await close(day(31), 30, 2)).toBe(1);
  });

  test('stays while a session of it is refreshed, while it pays, and where it administers', async () => {
    const [seen, paying, administering] = [
      await createAnonymous(),
      await createAnonymous(),
      await createAnonymous(),
    ];
    await database.admin.query(refresh, [await openSession(seen, START), day(20)]);
    await setPlan(database.admin, paying.id, 'plus');
    await database.admin.query('update private.installation set admin_user_id = $1', [administering.id]);
    expect(await close(day(45))).toBe(0);
    expect(await close(day(51))).toBe(1);
    await database.admin.query('update private.installation set admin_user_id = null');
    expect(await purge(day(51))).toBe(1);
    expect((await listUsers()).toSorted()).toEqual([paying.id, administering.id].toSorted());
  });

  test('is nobody with an address, however long away', async () => {
    const user = await createUser(database.admin);
    await database.admin.query('update auth.users set created_at = $1', [START]);
    expect(await close(day(4000))).toBe(0);
    expect(await listUsers()).toEqual([user.id]);
  });
});

/** Two at the same moment: `first` has its locks, then the closing begins, and only then `first` commits. */
async function race(first: string, values: readonly unknown[]): Promise<number | undefined> {
  const rival = await database.admin.connect();
  try {
    await rival.query('begin');
    await rival.query(first, [...values]);
    const closing = close(day(31));
    const waiting = async () =>
      (
        await database.admin.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
      ).rowCount;
    const settled = closing.then(() => 'settled');
    await expect.poll(async () => (await waiting()) || Promise.race([settled, 0])).toBeTruthy();
    await rival.query('commit');
    return await closing;
  } finally {
    rival.release();
  }
}

describe('whoever comes back at the moment of the closing', () => {
  test('with a refresh keeps the account', async () => {
    const user = await createAnonymous();
    const session = await openSession(user, START);
    expect(await race(refresh, [session, day(31)])).toBe(0);
    expect(await listUsers()).toEqual([user.id]);
    expect((await database.admin.query('select from auth.sessions')).rowCount).toBe(1);
  });

  test('with a proof of an address keeps it', async () => {
    const user = await createAnonymous();
    const change = `update auth.users set email = 'ana@a.br', is_anonymous = false where id = $1`;
    expect(await race(change, [user.id])).toBe(0);
    expect(await close(day(40))).toBe(0);
  });
});
