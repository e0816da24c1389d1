import { randomUUID } from 'node:crypto';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nameRows } from './support/name-rows.ts';

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

type Token = { readonly user: TestUser; readonly session: string | null };

async function signIn(): Promise<Token & { readonly session: string }> {
  const [user, session] = [await createUser(database.admin), randomUUID()];
  await database.admin.query('insert into auth.sessions (id, user_id) values ($1, $2)', [session, user.id]);
  return { user, session };
}

/** Which of the tokens, by their place from one on, are good no more after a change in the same moment. */
async function sift(tokens: readonly Token[], change = 'select 1'): Promise<readonly number[]> {
  const client = await database.admin.connect();
  try {
    // In one transaction time stands still.
    await client.query('begin');
    await client.query(change);
    const { rows } = await client.query<{ place: number }>(
      'select place::int from private.sift_tokens($1::uuid[], $2::uuid[]) as place order by 1',
      [tokens.map(({ user }) => user.id), tokens.map(({ session }) => session)],
    );
    return rows.map(({ place }) => place);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const factor = (status: string) =>
  `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
   values (gen_random_uuid(), :user, 'totp', '${status}', now(), now())`;

describe('of the tokens that are listened with', () => {
  test.each<readonly [string, boolean, string]>([
    ['whose session has ended', true, 'delete from auth.sessions where id = :session'],
    ['whose session ends now', true, 'update auth.sessions set not_after = now() where id = :session'],
    [
      'whose session ends in a moment',
      false,
      `update auth.sessions set not_after = now() + interval '1 microsecond' where id = :session`,
    ],
    ['whose account is deleted', true, 'update auth.users set deleted_at = now() where id = :user'],
    ['whose account is gone', true, 'delete from auth.users where id = :user'],
    ['whose account has a second factor', true, factor('verified')],
    ['whose account has begun to add one', false, factor('unverified')],
    ['whose ban ends now', false, 'update auth.users set banned_until = now() where id = :user'],
    [
      'whose ban ends in a moment',
      true,
      `update auth.users set banned_until = now() + interval '1 microsecond' where id = :user`,
    ],
    [
      'whose account is closed',
      true,
      `insert into private.account_closures (user_id, reason) values (:user, 'inactivity')`,
    ],
    [
      'whose account was closed once: with a new token it may come back',
      true,
      `insert into private.account_closures (user_id, reason, reopened_at) values (:user, 'inactivity', now())`,
    ],
  ])('those %s: %j, and a stranger’s never', async (_what, isSifted, change) => {
    const [stranger, ana, other] = [await signIn(), await signIn(), await signIn()];
    const text = nameRows(change, { user: ana.user.id, session: ana.session });
    expect(await sift([stranger, ana, other], text)).toEqual(isSifted ? [2] : []);
  });

  test('those of no session go with their account alone', async () => {
    const ana = await signIn();
    const operators = { user: ana.user, session: null };
    expect(await sift([operators], `delete from auth.sessions`)).toEqual([]);
    expect(await sift([operators, ana], `update auth.users set deleted_at = now()`)).toEqual([1, 2]);
  });

  test('those that name somebody else’s session', async () => {
    const [one, other] = [await signIn(), await signIn()];
    expect(await sift([one, { user: one.user, session: other.session }, other])).toEqual([2]);
  });
});
