import { randomUUID } from 'node:crypto';
import { claimsOf } from '@linkoteca/test-kit/claims-of';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

type Bearer = { readonly user: TestUser; readonly session?: string; readonly aal?: string | undefined };

async function openSession({ id }: TestUser): Promise<string> {
  const session = randomUUID();
  await database.admin.query('insert into auth.sessions (id, user_id) values ($1, $2)', [session, id]);
  return session;
}
const addFactor = ({ id }: TestUser, status: 'verified' | 'unverified') =>
  database.admin.query(
    `insert into auth.mfa_factors (id, user_id, factor_type, status, secret, created_at, updated_at)
     values (gen_random_uuid(), $1, 'totp', $2, 'x', now(), now())`,
    [id, status],
  );

/** As the bearer of a token with these claims. The administrator's functions record a look first, and read the second time. */
async function ask({ user, session, aal = 'aal1' }: Bearer, text: string, times = 1): Promise<unknown[]> {
  const client = await database.callers.connect();
  const claims = { ...claimsOf(user), session_id: session, aal, iat: Math.floor(Date.now() / 1000) };
  try {
    let rows: unknown[] = [];
    for (let time = 0; time < times; time++) {
      await client.query('begin');
      await client.query(
        `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true),
          set_config('search_path', 'public', true)`,
        [JSON.stringify(claims)],
      );
      ({ rows } = await client.query(text));
      await client.query('commit');
    }
    return rows;
  } finally {
    client.release();
  }
}

const OWN = 'select id from profiles';

describe('whoever has a second factor', () => {
  test('is let in by a token of the second level, of any above it, and by none of the first or without one', async () => {
    const user = await createUser(database.admin);
    await addFactor(user, 'verified');
    const session = await openSession(user);
    for (const aal of ['aal2', 'aal3']) expect(await ask({ user, session, aal }, OWN)).toHaveLength(1);
    expect(await ask({ user, session, aal: 'aal1' }, OWN)).toEqual([]);
    const client = await database.callers.connect();
    const { aal: _, ...claims } = claimsOf(user);
    await client.query(
      `select set_config('role', 'authenticated', false), set_config('request.jwt.claims', $1, false)`,
      [JSON.stringify({ ...claims, session_id: session })],
    );
    expect((await client.query(`select from public.profiles`)).rows).toEqual([]);
    client.release(true);
  });

  test('lets a program go on that was let in by the second level, within its bounds', async () => {
    const user = await createUser(database.admin);
    await addFactor(user, 'verified');
    const client = randomUUID();
    await database.admin.query(
      `insert into auth.oauth_clients (id, registration_type, redirect_uris, grant_types, token_endpoint_auth_method, client_type)
       values ($1, 'manual', 'https://programa.test/', 'authorization_code', 'none', 'public')`,
      [client],
    );
    for (const bounds of [
      { client, scopes: 'links:read' },
      { client: null, scopes: 'links:read' },
    ]) {
      const session = await openSession(user);
      await database.admin.query('update auth.sessions set oauth_client_id = $2, scopes = $3 where id = $1', [
        session,
        bounds.client,
        bounds.scopes,
      ]);
      expect(await ask({ user, session }, 'select from library_counts')).toHaveLength(1);
      expect(await ask({ user, session }, OWN)).toEqual([]);
    }
  });

  test('and has not finished adding it, is let in as before', async () => {
    const user = await createUser(database.admin);
    await addFactor(user, 'unverified');
    expect(await ask({ user, session: await openSession(user) }, OWN)).toHaveLength(1);
  });

  test('is asked for it alone: a stranger without one is let in by the first level', async () => {
    const [owner, stranger] = [await createUser(database.admin), await createUser(database.admin)];
    await addFactor(owner, 'verified');
    expect(await ask({ user: stranger, session: await openSession(stranger) }, OWN)).toEqual([
      { id: stranger.id },
    ]);
  });

  test('is acted for by a token that an operator has signed without a session', async () => {
    const user = await createUser(database.admin);
    await addFactor(user, 'verified');
    expect(await ask({ user }, OWN)).toHaveLength(1);
  });
});

describe('an administrator with a second factor', () => {
  const LOOKS = [
    'select id from get_all_profiles()',
    'select id from get_all_user_emails()',
    'select admin_overview() as answer where admin_overview() is not null',
  ];

  test('administers from a session that has proven it, and from no other, which leaves no record', async () => {
    const user = await createUser(database.admin);
    await database.admin.query('update private.installation set admin_user_id = $1', [user.id]);
    const session = await openSession(user);
    expect(await ask({ user, session }, 'select is_admin() as answer')).toEqual([{ answer: true }]);
    await addFactor(user, 'verified');
    const records = async () =>
      (await database.admin.query('select count(*)::int as n from private.admin_audit_log')).rows[0]?.n;
    const before = await records();
    expect(await ask({ user, session }, 'select is_admin() as answer')).toEqual([{ answer: false }]);
    for (const look of LOOKS) expect(await ask({ user, session }, look, 2), look).toEqual([]);
    expect(await records()).toBe(before);
    expect(await ask({ user, session, aal: 'aal2' }, 'select is_admin() as answer')).toEqual([
      { answer: true },
    ]);
    for (const look of LOOKS)
      expect(await ask({ user, session, aal: 'aal2' }, look, 2), look).not.toEqual([]);
  });
});
