import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import type { FastifyRequest } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../kernel/caller-context.ts';
import { createDatabase, type Database } from '../../kernel/database.ts';
import { createKeyring, type Keyring } from '../../kernel/keyring.ts';
import { openCallAs, readOwner, resolveStorageCaller, type StorageCall } from './open-call.ts';

let database: ThrowawayDatabase;
let db: Database;
let keyring: Keyring;
let ana: Caller;
let call: StorageCall;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  db = createDatabase({ ...database.authenticator, max: 2 });
  keyring = await createKeyring({ secrets: ['a secret for tests that is long enough'] });
  const { id } = await createUser(database.admin);
  ana = { role: 'authenticated', claims: { role: 'authenticated', sub: id } };
  const request = { method: 'PUT', url: '/storage/v1/object/a?x=1', headers: { 'x-a': 'b' } };
  call = openCallAs({ db }, ana, request as unknown as FastifyRequest);
});
afterAll(async () => {
  await db.pool.end();
  await database.drop();
});

afterEach(() => database.admin.query('delete from public.folders'));

const INSERT = { text: `insert into public.folders (name, user_id) values ('Pasta', auth.uid())` };
const countFolders = async () =>
  (await database.admin.query('select from public.folders where user_id = $1', [ana.claims['sub']])).rowCount;

describe('a call', () => {
  it('shows policies its method, its path without the query, and its headers', async () => {
    const text = `select current_setting('request.method') as method, current_setting('request.path') as path,
      current_setting('request.headers')::jsonb ->> 'x-a' as header, auth.uid() as uid`;
    const seen = { method: 'PUT', path: '/storage/v1/object/a', header: 'b', uid: ana.claims['sub'] };
    for (const answer of [
      call.reader.query({ text }),
      call.read((tx) => tx.query({ text })),
      call.write((tx) => tx.query({ text })),
    ])
      expect((await answer).rows).toEqual([seen]);
  });

  it('writes nothing where it only reads', async () => {
    await expect(call.reader.query(INSERT)).rejects.toMatchObject({ code: '25006' });
    await expect(call.read((tx) => tx.query(INSERT))).rejects.toMatchObject({ code: '25006' });
    expect(await countFolders()).toBe(0);
  });

  it('takes a rehearsal back, and says what went wrong in one', async () => {
    let inside: unknown;
    await call.rehearse(async (tx) => {
      await tx.query(INSERT);
      inside = (await tx.query({ text: 'select name from public.folders where user_id = auth.uid()' })).rows;
    });
    expect([inside, await countFolders()]).toEqual([[{ name: 'Pasta' }], 0]);
    await expect(call.rehearse((tx) => tx.query({ text: 'select 1 / 0' }))).rejects.toMatchObject({
      code: '22012',
    });
    await call.write((tx) => tx.query(INSERT));
    expect(await countFolders()).toBe(1);
  });
});

describe('who asks', () => {
  const now = new Date();
  const resolve = (headers: Record<string, string>) => resolveStorageCaller(keyring, headers, now);

  it('is said by the header Authorization alone', () => {
    expect(resolve({ authorization: `Bearer ${keyring.serviceRoleKey}` }).role).toBe('service_role');
    expect(() => resolve({ apikey: keyring.serviceRoleKey })).toThrow(
      expect.objectContaining({ message: `headers must have required property 'authorization'` }),
    );
  });

  it('is refused in the platform’s words', async () => {
    const over = await keyring.signAccessToken({ sub: 'a', role: 'authenticated', exp: 1 });
    for (const [token, message] of [
      [over, '"exp" claim timestamp check failed'],
      ['torto', 'Invalid Compact JWS'],
      [`${keyring.anonKey}x`, 'signature verification failed'],
    ] as const)
      expect(() => resolve({ authorization: `Bearer ${token}` })).toThrow(
        expect.objectContaining({ code: 'InvalidJWT', message }),
      );
  });

  it('owns what a person’s token writes; what an API key writes is nobody’s', () => {
    expect(readOwner(ana)).toBe(ana.claims['sub']);
    expect(readOwner({ role: 'service_role', claims: {} })).toBeNull();
    expect(readOwner({ role: 'authenticated', claims: { sub: 7 } })).toBeNull();
  });
});
