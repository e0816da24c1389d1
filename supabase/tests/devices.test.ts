import { randomUUID } from 'node:crypto';
import { claimsOf } from '@linkoteca/test-kit/claims-of';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

let database: ThrowawayDatabase;
let ana: TestUser;
let bia: TestUser;

beforeAll(async () => {
  database = await createThrowawayDatabase();
  ana = await createUser(database.admin);
  bia = await createUser(database.admin);
});
afterAll(() => database.drop());
beforeEach(() => database.admin.query('delete from auth.sessions'));

type Device = {
  readonly ip?: string;
  readonly agent?: string;
  readonly used?: string;
  readonly ends?: string;
};

async function signIn(user: TestUser, { ip, agent, used, ends }: Device = {}): Promise<string> {
  const id = randomUUID();
  await database.admin.query(
    `insert into auth.sessions (id, user_id, created_at, updated_at, aal, ip, user_agent, refreshed_at, not_after)
     values ($1, $2, '2026-01-01', now(), 'aal1', $3, $4, $5, $6)`,
    [id, user.id, ip ?? null, agent ?? null, used ?? null, ends ?? null],
  );
  await database.admin.query(
    `insert into auth.refresh_tokens (token, user_id, session_id, revoked) values ($1, $2, $3, false)`,
    [randomUUID(), user.id, id],
  );
  return id;
}

/** A call of the table API with the access token of one session. */
async function as<T extends Record<string, unknown>>(
  user: TestUser,
  session: string | undefined,
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  const client = await database.callers.connect();
  const claims = { ...claimsOf(user), ...(session === undefined ? {} : { session_id: session }) };
  try {
    await client.query('begin');
    await client.query(
      `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`,
      [JSON.stringify(claims)],
    );
    const { rows } = await client.query<T>(text, values);
    await client.query('commit');
    return rows;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const list = (user: TestUser, session?: string) => as(user, session, 'select * from public.list_devices()');
const end = (user: TestUser, session: string | undefined, target: string) =>
  as<{ ended: boolean }>(user, session, 'select public.end_device($1) as ended', [target]);

async function countSessions(): Promise<number> {
  const { rows } = await database.admin.query<{ n: number }>(
    `select count(*)::int as n from auth.sessions s join auth.refresh_tokens t on t.session_id = s.id`,
  );
  return rows[0]?.n ?? 0;
}

describe('the list of devices', () => {
  test('has the one that asks first, then those used last, each with its network and no address', async () => {
    const old = await signIn(ana, { ip: '203.0.113.77', used: '2026-02-01 10:00' });
    const phone = await signIn(ana, { ip: '2001:db8:1:2::9', used: '2026-03-01 10:00', agent: 'Telefone' });
    const here = await signIn(ana, { ip: '::ffff:198.51.100.4' });
    expect(await list(ana, here)).toMatchObject([
      { session_id: here, is_current: true, network: '198.51.100.0/24' },
      { session_id: phone, is_current: false, network: '2001:db8:1::/48', user_agent: 'Telefone' },
      { session_id: old, network: '203.0.113.0/24', last_used_at: new Date('2026-02-01T10:00:00Z') },
    ]);
  });

  test('has nothing of anybody else, and nothing that has run out', async () => {
    const here = await signIn(ana);
    await signIn(bia);
    await signIn(ana, { ends: '2026-01-02' });
    expect(await list(ana, here)).toMatchObject([{ session_id: here }]);
  });

  test('is empty for a token whose session has ended, has none, or is somebody else’s', async () => {
    await signIn(ana);
    const hers = await signIn(bia);
    for (const session of [randomUUID(), undefined, hers, '', 'no uuid'])
      expect(await list(ana, session)).toEqual([]);
  });

  test('is not for visitors', async () => {
    for (const caller of ['anon', 'service_role'] as const)
      await expect(queryAs(database, caller, 'select list_devices()')).rejects.toMatchObject({
        code: '42501',
      });
    await expect(queryAs(database, 'anon', 'select end_device(gen_random_uuid())')).rejects.toMatchObject({
      code: '42501',
    });
  });
});

describe('ending a device', () => {
  test('ends it with its refresh tokens, and tells the page that is open there, without content', async () => {
    const here = await signIn(ana);
    const there = await signIn(ana);
    expect(await end(ana, here, there)).toEqual([{ ended: true }]);
    expect(await list(ana, here)).toHaveLength(1);
    expect(await countSessions()).toBe(1);
    const { rows } = await database.admin.query(
      `select event, private, payload - 'id' as payload from realtime.messages where topic = $1`,
      [`session:${there}`],
    );
    expect(rows).toEqual([{ event: 'ended', private: true, payload: {} }]);
    expect(await end(ana, here, there)).toEqual([{ ended: false }]);
  });

  test('never ends a stranger’s, and says no more of it than of a missing one', async () => {
    const here = await signIn(ana);
    const hers = await signIn(bia);
    expect(await end(ana, here, hers)).toEqual([{ ended: false }]);
    expect(await end(ana, here, randomUUID())).toEqual([{ ended: false }]);
    expect(await countSessions()).toBe(2);
    const { rows } = await database.admin.query('select from realtime.messages where topic = $1', [
      `session:${hers}`,
    ]);
    expect(rows).toEqual([]);
  });

  test('is refused to whoever was signed out, though the token has not expired', async () => {
    const here = await signIn(ana);
    const thief = await signIn(ana);
    await end(ana, here, thief);
    await expect(end(ana, thief, here)).rejects.toMatchObject({ code: 'PT401' });
    await expect(end(ana, undefined, here)).rejects.toMatchObject({ code: 'PT401' });
    expect(await countSessions()).toBe(1);
  });
});
