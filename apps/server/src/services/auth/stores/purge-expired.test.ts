import { randomUUID } from 'node:crypto';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asAuthAdmin, createDatabase, type Database } from '../../../kernel/database.ts';
import { insertRelayState } from '../sso/relay-states.ts';
import { recordAct } from './audit-log.ts';
import { insertFactorReset } from './factor-resets.ts';
import { insertChallenge, insertFactor } from './factors.ts';
import { startFlow, startOAuthFlow, takeOAuthFlow } from './flows.ts';
import { findClaimedPassword, issueMailedToken } from './one-time-tokens.ts';
import { purgeExpired } from './purge-expired.ts';
import { findRefreshToken, revokeFamily, rotateRefreshToken } from './refresh-tokens.ts';
import { findSession, openSession } from './sessions.ts';
import { spendPoints } from './spend-points.ts';
import { insertWebAuthnChallenge } from './webauthn-challenges.ts';

let database: ThrowawayDatabase;
let db: Database;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  db = createDatabase({ ...database.authenticator, max: 2 });
  db.pool.on('error', () => undefined);
});
afterAll(async () => {
  await db.pool.end();
  await database.drop();
});

const LIFETIMES = { mailedTokenLifetime: 3600, sessionTimebox: 0, sessionInactivityTimeout: 0 };

it('deletes what nobody can use any more, and nothing else', async () => {
  const { id: userId, email } = await createUser(database.admin);
  const then = new Date('2026-03-01T00:00:00Z');
  const later = (days: number) => new Date(then.getTime() + days * 24 * 3600 * 1000);
  const run = <T>(work: Parameters<typeof asAuthAdmin<T>>[2]) => asAuthAdmin(db, 'test', work);
  const challenge = { challenge: 'c'.repeat(43), method: 'plain' } as const;
  const device = { ip: '127.0.0.1', userAgent: undefined };

  const { session, refreshToken } = await run((tx) =>
    openSession(tx, { userId, method: 'password', device }, then),
  );
  const active = await run(async (tx) => {
    const found = await findSession(tx, session.id);
    if (!found) throw new Error('the session must be there');
    await startFlow(tx, { userId, method: 'recovery', challenge }, then);
    await issueMailedToken(tx, { userId, type: 'recovery_token', email, codeLength: 6 }, then);
    const claim = { passwordHash: 'hash', userMetadata: {} };
    await issueMailedToken(tx, { userId, type: 'confirmation_token', email, claim, codeLength: 6 }, then);
    await spendPoints(tx, [{ key: 'one', points: 1, seconds: 86_400 }], then);
    return rotateRefreshToken(tx, { presented: refreshToken, session: found }, then);
  });

  expect(await run((tx) => purgeExpired(tx, LIFETIMES, later(0.9)))).toBe(0);
  expect(await run((tx) => findClaimedPassword(tx, { email }))).toBe('hash');
  expect(await run((tx) => purgeExpired(tx, LIFETIMES, later(2)))).toBe(3);
  expect(await run((tx) => findClaimedPassword(tx, { email }))).toBe('hash');
  expect(await run((tx) => findRefreshToken(tx, { token: refreshToken }))).toMatchObject({ revoked: true });
  expect(await run((tx) => purgeExpired(tx, LIFETIMES, later(8)))).toBe(2);
  expect(await run((tx) => findClaimedPassword(tx, { email }))).toBeUndefined();
  expect(await run((tx) => findRefreshToken(tx, { token: refreshToken }))).toBeUndefined();
  expect(await run((tx) => findRefreshToken(tx, { token: active }))).toMatchObject({ revoked: false });
});

it('deletes sessions a day after their time is over, and those that go on never', async () => {
  await database.admin.query('delete from auth.users');
  const { id: userId } = await createUser(database.admin);
  const then = new Date('2026-05-01T00:00:00Z');
  const later = (hours: number) => new Date(then.getTime() + hours * 3_600_000);
  const run = <T>(work: Parameters<typeof asAuthAdmin<T>>[2]) => asAuthAdmin(db, 'test', work);
  const device = { ip: '127.0.0.1', userAgent: undefined };
  const open = () => run((tx) => openSession(tx, { userId, method: 'password', device }, then));
  const [idle, used] = [await open(), await open()];
  await run(async (tx) => {
    const session = await findSession(tx, used.session.id);
    if (!session) throw new Error('the session must be there');
    await rotateRefreshToken(tx, { presented: used.refreshToken, session }, later(5));
  });
  const purge = (limits: object, hours: number) =>
    run((tx) => purgeExpired(tx, { ...LIFETIMES, ...limits }, later(hours)));

  expect(await purge({}, 100)).toBe(0);
  expect(await purge({ sessionInactivityTimeout: 7200 }, 25.9)).toBe(0);
  expect(await purge({ sessionInactivityTimeout: 7200 }, 26.1)).toBe(1);
  expect(await run((tx) => findSession(tx, idle.session.id))).toBeUndefined();
  expect(await purge({ sessionTimebox: 36_000 }, 33.9)).toBe(0);
  expect(await purge({ sessionTimebox: 36_000 }, 34.1)).toBe(1);
  expect(await run((tx) => findSession(tx, used.session.id))).toBeUndefined();
});

it('deletes what was asked of passkeys, a day after it could be answered', async () => {
  const then = new Date('2026-06-01T00:00:00Z');
  const later = (hours: number) => new Date(then.getTime() + hours * 3_600_000);
  const run = <T>(work: Parameters<typeof asAuthAdmin<T>>[2]) => asAuthAdmin(db, 'test', work);
  const asked = { type: 'authentication', session: { challenge: 'x' }, expiresAt: later(1) } as const;
  await run((tx) => insertWebAuthnChallenge(tx, asked, then));
  expect(await run((tx) => purgeExpired(tx, LIFETIMES, later(24.9)))).toBe(0);
  expect(await run((tx) => purgeExpired(tx, LIFETIMES, later(25.1)))).toBe(1);
});

it('deletes ways to organisations that nobody came back from, after a day', async () => {
  const then = new Date('2026-06-15T00:00:00Z');
  const later = (hours: number) => new Date(then.getTime() + hours * 3_600_000);
  const [providerId, id] = [randomUUID(), randomUUID()];
  await database.admin.query('insert into auth.sso_providers (id) values ($1)', [providerId]);
  const way = { id, providerId, requestId: 'id-1', redirectTo: 'https://x.test', challenge: undefined };
  const run = <T>(work: Parameters<typeof asAuthAdmin<T>>[2]) => asAuthAdmin(db, 'test', work);
  await run((tx) => insertRelayState(tx, way, then));
  expect(await run((tx) => purgeExpired(tx, LIFETIMES, later(23.9)))).toBe(0);
  expect(await run((tx) => purgeExpired(tx, LIFETIMES, later(24.1)))).toBe(1);
});

it('deletes ways to other providers that nobody came back from, after a day, and none that is under way', async () => {
  const then = new Date('2026-06-17T00:00:00Z');
  const later = (hours: number) => new Date(then.getTime() + hours * 3_600_000);
  const run = <T>(work: Parameters<typeof asAuthAdmin<T>>[2]) => asAuthAdmin(db, 'test', work);
  const begin = async () => {
    const state = randomUUID();
    const way = { provider: 'google', verifier: 'v', challenge: undefined, linkTo: undefined };
    await run((tx) => startOAuthFlow(tx, { ...way, state, redirectTo: 'https://x.test' }, then));
    return state;
  };
  const back = await begin();
  await begin();
  await run((tx) => purgeExpired(tx, LIFETIMES, later(23.9)));
  expect(await run((tx) => takeOAuthFlow(tx, back))).toMatchObject({ verifier: 'v' });
  await run((tx) => purgeExpired(tx, LIFETIMES, later(24.1)));
  for (const table of ['oauth_client_states', 'flow_state'])
    expect((await database.admin.query(`select from auth.${table}`)).rowCount).toBe(0);
});

it('deletes resets of factors two weeks after they could be finished', async () => {
  const { id: userId } = await createUser(database.admin);
  const askedAt = new Date('2026-06-20T00:00:00Z');
  const later = (days: number) => new Date(askedAt.getTime() + days * 24 * 3600 * 1000);
  const run = <T>(work: Parameters<typeof asAuthAdmin<T>>[2]) => asAuthAdmin(db, 'test', work);
  await run((tx) => insertFactorReset(tx, userId, { askedAt, readyAt: later(3) }));
  for (const days of [0.1, 2.9, 3.1, 16.9])
    expect(await run((tx) => purgeExpired(tx, LIFETIMES, later(days)))).toBe(0);
  expect(await run((tx) => purgeExpired(tx, LIFETIMES, later(17.1)))).toBe(1);
});

it('deletes factors that were begun and left, and challenges, after a day, and never a factor that counts', async () => {
  const { id: userId } = await createUser(database.admin);
  const then = new Date('2026-07-01T00:00:00Z');
  const later = (days: number) => new Date(then.getTime() + days * 24 * 3600 * 1000);
  const run = <T>(work: Parameters<typeof asAuthAdmin<T>>[2]) => asAuthAdmin(db, 'test', work);
  await run(async (tx) => {
    for (const friendlyName of ['begun', 'proven']) {
      const factor = { id: randomUUID(), userId, type: 'totp', friendlyName, secret: null } as const;
      await insertFactor(tx, factor, then);
      await insertChallenge(tx, { factorId: factor.id, ip: '127.0.0.1' }, then);
    }
  });
  await database.admin.query(
    `update auth.mfa_factors set status = 'verified' where friendly_name = 'proven'`,
  );
  expect(await run((tx) => purgeExpired(tx, LIFETIMES, later(0.9)))).toBe(0);
  // The challenge of the factor that was begun goes with it.
  expect(await run((tx) => purgeExpired(tx, LIFETIMES, later(1.1)))).toBe(2);
  const { rows } = await database.admin.query(
    'select friendly_name from auth.mfa_factors where user_id = $1',
    [userId],
  );
  expect(rows).toEqual([{ friendly_name: 'proven' }]);
});

it('waits for nobody who holds an account and deletes what is its own', async () => {
  const { id: userId, email } = await createUser(database.admin);
  const then = new Date('2026-08-01T00:00:00Z');
  const later = new Date(then.getTime() + 20 * 24 * 3600 * 1000);
  const run = <T>(work: Parameters<typeof asAuthAdmin<T>>[2]) => asAuthAdmin(db, 'test', work);
  const challenge = { challenge: 'c'.repeat(43), method: 'plain' } as const;
  const device = { ip: '127.0.0.1', userAgent: undefined };
  const { session, refreshToken } = await run((tx) =>
    openSession(tx, { userId, method: 'password', device }, then),
  );
  await run(async (tx) => {
    await startFlow(tx, { userId, method: 'recovery', challenge }, then);
    await issueMailedToken(tx, { userId, type: 'recovery_token', email, codeLength: 6 }, then);
    await revokeFamily(tx, session.id, then);
    const factor = { id: randomUUID(), userId, type: 'totp', friendlyName: '', secret: null } as const;
    await insertFactor(tx, factor, then);
    await insertFactorReset(tx, userId, {
      askedAt: then,
      readyAt: new Date(then.getTime() + 3 * 24 * 3600 * 1000),
    });
  });
  const other = await database.admin.connect();
  await other.query('begin');
  for (const table of ['flow_state', 'mailed_tokens', 'mfa_factors', 'factor_resets'])
    await other.query(`select from auth.${table} where user_id = $1 for update`, [userId]);
  await other.query('select from auth.refresh_tokens where token = $1 for update', [refreshToken]);
  const meanwhile = run(async (tx) => {
    await tx.query({ text: `set local lock_timeout = '1s'` });
    return purgeExpired(tx, LIFETIMES, later);
  });
  await meanwhile.finally(async () => {
    await other.query('rollback');
    other.release();
  });
  expect(await meanwhile).toBe(0);
  expect(await run((tx) => purgeExpired(tx, LIFETIMES, later))).toBe(5);
});

it('forgets after six months who did what', async () => {
  const then = new Date('2026-03-01T00:00:00Z');
  const later = (days: number) => new Date(then.getTime() + days * 24 * 3600 * 1000);
  const run = <T>(work: Parameters<typeof asAuthAdmin<T>>[2]) => asAuthAdmin(db, 'test', work);
  const count = async () => (await database.admin.query('select from auth.audit_log_entries')).rowCount;
  await database.admin.query('delete from auth.audit_log_entries');
  await run((tx) => recordAct(tx, { ip: '127.0.0.1' }, { action: 'logout', actor: randomUUID() }, then));
  await run((tx) => purgeExpired(tx, LIFETIMES, later(183.9)));
  expect(await count()).toBe(1);
  await run((tx) => purgeExpired(tx, LIFETIMES, later(184.1)));
  expect(await count()).toBe(0);
});
