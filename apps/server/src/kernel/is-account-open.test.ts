import { randomUUID } from 'node:crypto';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Caller } from './caller-context.ts';
import { createDatabase, type Database } from './database.ts';
import { isAccountOpen, listEndedCallers } from './is-account-open.ts';

let database: ThrowawayDatabase;
let db: Database;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  db = createDatabase({ ...database.authenticator, max: 2 });
});
afterAll(async () => {
  await db.pool.end();
  await database.drop();
});

const run = (text: string, ...values: unknown[]) => database.admin.query(text, values);
const callerOf = (claims: Record<string, unknown>): Caller => ({
  role: 'authenticated',
  claims: { role: 'authenticated', iat: Math.floor(Date.now() / 1000), ...claims },
});

async function signIn() {
  const { id: sub } = await createUser(database.admin);
  const session_id = randomUUID();
  await run('insert into auth.sessions (id, user_id) values ($1, $2)', session_id, sub);
  return { sub, session_id, caller: callerOf({ sub, session_id }) };
}

const BAN = `update auth.users set banned_until = now() + interval '1 day' where id = $1`;

test('of many callers those are named whose token may not act, and each alone is told the same', async () => {
  const [open, signedOut, over, banned, retired, deleted, closed, reopened, operators] = await Promise.all([
    signIn(),
    signIn(),
    signIn(),
    signIn(),
    signIn(),
    signIn(),
    signIn(),
    signIn(),
    signIn(),
  ]);
  await run('delete from auth.sessions where id = $1', signedOut.session_id);
  await run('update auth.sessions set not_after = now() where id = $1', over.session_id);
  await run(BAN, banned.sub);
  await run('update auth.users set deleted_at = now() where id = $1', retired.sub);
  await run('delete from auth.users where id = $1', deleted.sub);
  for (const { sub } of [closed, reopened])
    await run(`insert into private.account_closures (user_id, reason) values ($1, 'inactivity')`, sub);
  await run(
    `update private.account_closures set reopened_at = now() - interval '1 minute' where user_id = $1`,
    reopened.sub,
  );
  await run('delete from auth.sessions where id = $1', operators.session_id);
  const good = [
    open.caller,
    reopened.caller,
    callerOf({ sub: operators.sub }),
    callerOf({ sub: operators.sub, session_id: '' }),
    callerOf({ sub: operators.sub, session_id: null }),
    callerOf({}),
  ];
  const ended = [
    ...[signedOut, over, banned, retired, deleted, closed].map(({ caller }) => caller),
    callerOf({ sub: reopened.sub, session_id: reopened.session_id, iat: 1 }),
    callerOf({ sub: open.sub, session_id: reopened.session_id }),
    callerOf({ sub: open.sub, session_id: 'nenhuma' }),
    callerOf({ sub: open.sub, session_id: 7 }),
    callerOf({ sub: banned.sub }),
  ];
  const shuffled = [...ended, ...good].sort(() => Math.random() - 0.5);
  expect(await listEndedCallers(db, shuffled)).toEqual(
    new Set(shuffled.filter((one) => ended.includes(one))),
  );
  for (const caller of good) expect(await isAccountOpen(db, caller)).toBe(true);
  for (const caller of ended) expect(await isAccountOpen(db, caller)).toBe(false);
  expect(await listEndedCallers(db, [])).toEqual(new Set());
  // Of a third party: no id of ours, whose account could be closed.
  expect(await isAccountOpen(db, callerOf({ sub: 'user_01ANA' }))).toBe(true);
  expect(await listEndedCallers(db, [callerOf({ sub: 'maria' })])).toEqual(new Set());
});
