import { randomUUID } from 'node:crypto';
import { claimsOf } from '@linkoteca/test-kit/claims-of';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, expect, test } from 'vitest';

let database: ThrowawayDatabase;
let owner: TestUser;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  owner = await createUser(database.admin);
});
afterAll(() => database.drop());

/** Claims a key and keeps an answer to it, as one request does. */
async function send(who: TestUser, key: string, request = 'a', claims: object = {}) {
  const client = await database.callers.connect();
  try {
    await client.query('begin');
    await client.query(
      `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`,
      [JSON.stringify({ ...claimsOf(who), ...claims })],
    );
    const { rows } = await client.query('select asked, answer from private.claim_idempotency_key($1, $2)', [
      key,
      request,
    ]);
    if (rows.length === 0)
      await client.query('select private.note_idempotent_answer($1, $2)', [key, `{"to":"${request}"}`]);
    await client.query('commit');
    return rows[0];
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

test('a key is free once, and then says what it was used for and what that was answered', async () => {
  const key = randomUUID();
  expect(await send(owner, key)).toBeUndefined();
  expect(await send(owner, key)).toEqual({ asked: 'a', answer: { to: 'a' } });
  expect(await send(owner, key, 'b')).toEqual({ asked: 'a', answer: { to: 'a' } });
});

test('a key is of one person and one program', async () => {
  const key = randomUUID();
  await send(owner, key);
  expect(await send(await createUser(database.admin), key)).toBeUndefined();
  const scope = 'links:write';
  expect(await send(owner, key, 'a', { client_id: randomUUID(), scope })).toBeUndefined();
});

test('a key is free again after a day', async () => {
  const key = randomUUID();
  await send(owner, key);
  await database.admin.query(
    `update private.idempotency_keys set created_at = now() - interval '24 hours 1 second' where key = $1`,
    [key],
  );
  expect(await send(owner, key, 'b')).toBeUndefined();
});

test('nobody keeps more than twenty thousand, and whoever may not write keeps none', async () => {
  const full = await createUser(database.admin);
  await database.admin.query(
    `insert into private.idempotency_keys (user_id, program, key, request)
     select $1, 'p', n::text, 'x' from generate_series(1, 20000) as n`,
    [full.id],
  );
  await expect(send(full, randomUUID())).rejects.toMatchObject({ code: 'PT429' });
  await expect(
    send(owner, randomUUID(), 'a', { client_id: randomUUID(), scope: 'links:read' }),
  ).rejects.toMatchObject({ code: '42501' });
});

test('a stranger reads no key and no answer, and keys go with their person', async () => {
  const leaving = await createUser(database.admin);
  await send(leaving, randomUUID());
  await expect(queryAs(database, owner, 'select * from private.idempotency_keys')).rejects.toMatchObject({
    code: '42501',
  });
  await database.admin.query('delete from auth.users where id = $1', [leaving.id]);
  const { rows } = await database.admin.query('select from private.idempotency_keys where user_id = $1', [
    leaving.id,
  ]);
  expect(rows).toEqual([]);
});
