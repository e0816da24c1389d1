import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp, createMetrics } from './app.ts';
import { createLogger } from './kernel/create-logger.ts';
import { createDatabase, type Database } from './kernel/database.ts';
import { createOperatorAccess } from './kernel/gateway/operator-access.ts';
import { createHealth } from './kernel/health/create-health.ts';
import { createKeyring } from './kernel/keyring.ts';
import { resolvePayments } from './kernel/resolve-payments.ts';
import { readSettings } from './read-settings.ts';
import { createFolderStore } from './services/storage/blobs/create-folder-store.ts';

const SECRET = 'a-secret-of-enough-characters-for-hs256';
const PASSWORD = 'uma senha boa';
const keyring = await createKeyring({ secrets: [SECRET] });

let database: ThrowawayDatabase;
let db: Database;
let app: FastifyInstance;
let folder: string;
let ahead = 0;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  db = createDatabase({ ...database.authenticator, max: 4 });
  folder = await mkdtemp(join(tmpdir(), 'bounded-tokens-'));
  const settings = readSettings({}, '/nowhere');
  app = await createApp({
    settings,
    metrics: createMetrics(),
    operator: createOperatorAccess({ ...settings, key: keyring.operatorKey }),
    db,
    reserved: db,
    probes: db,
    installation: { folders: {}, version: '1.0.0' },
    replication: database.connection,
    keyring,
    mailer: { send: async () => undefined },
    texter: { send: async () => undefined },
    logger: createLogger('silent'),
    now: () => new Date(Date.now() + ahead),
    payments: resolvePayments(undefined, SECRET),
    blobs: createFolderStore(folder),
    environment: {},
    health: createHealth({ probes: db, requiredMigrations: { platform: [], product: [] } }),
    webFolder: '/nowhere',
    mailFolder: '/nowhere',
  });
});
afterAll(async () => {
  await app.close();
  await db.pool.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function send(line: string, token: string, payload?: object) {
  const [method = '', url = ''] = line.split(' ');
  const headers = {
    authorization: `Bearer ${token}`,
    'x-supabase-api-version': '2024-01-01',
    prefer: 'return=representation',
  };
  const reply = await app.inject({ method: method as 'GET', url, headers, ...(payload ? { payload } : {}) });
  return {
    status: reply.statusCode,
    body: reply.body === '' ? undefined : (JSON.parse(reply.body) as unknown),
  };
}

type Person = { readonly id: string; readonly token: string };

async function createPerson(): Promise<Person> {
  const email = `${crypto.randomUUID()}@exemplo.test`;
  const account = { email, password: PASSWORD, email_confirm: true };
  const { body } = await send('POST /auth/v1/admin/users', keyring.serviceRoleKey, account);
  const { id } = body as { id: string };
  const signedIn = await send('POST /auth/v1/token?grant_type=password', keyring.anonKey, {
    email,
    password: PASSWORD,
  });
  const { access_token: token } = signedIn.body as { access_token: string };
  await send('POST /rest/v1/folders', token, { name: 'Trabalho' });
  return { id, token };
}

type Made = { readonly id: string; readonly token: string };

async function make(token: string, scope: string): Promise<Made> {
  const reply = await send('POST /auth/v1/user/tokens', token, { name: 'Script', scope, days: 30 });
  expect(reply.status).toBe(201);
  return reply.body as Made;
}

const READ = 'GET /rest/v1/folders?select=name';

describe('a personal token', () => {
  it('reads and writes as its person, as far as it was made for', async () => {
    const person = await createPerson();
    const reader = await make(person.token, 'links:read');
    expect(await send(READ, reader.token)).toEqual({ status: 200, body: [{ name: 'Trabalho' }] });
    expect((await send('POST /rest/v1/folders', reader.token, { name: 'Nova' })).status).toBe(403);
    const writer = await make(person.token, 'links:write');
    expect(await send('POST /rest/v1/folders', writer.token, { name: 'Nova' })).toMatchObject({
      status: 201,
      body: [{ name: 'Nova', user_id: person.id }],
    });
  });

  it('has a word for policies: as what it acts, and how far', async () => {
    await database.admin.query(
      `create or replace function public.tmp_claims() returns jsonb language sql stable as 'select auth.jwt()';
       grant execute on function public.tmp_claims() to authenticated; notify pgrst, 'reload schema'`,
    );
    const person = await createPerson();
    const made = await make(person.token, 'links:read share');
    await expect
      .poll(async () => (await send('POST /rest/v1/rpc/tmp_claims', made.token, {})).body)
      .toMatchObject({
        sub: person.id,
        role: 'authenticated',
        client_id: made.id,
        scope: 'links:read share',
      });
    await database.admin.query('drop function public.tmp_claims()');
  });

  it('ends in the moment it is ended, though it was used just before', async () => {
    const person = await createPerson();
    const made = await make(person.token, 'links:read');
    expect((await send(READ, made.token)).body).toHaveLength(1);
    expect((await send(`DELETE /auth/v1/user/tokens/${made.id}`, person.token)).status).toBe(204);
    expect((await send(READ, made.token)).body).toEqual([]);
  });

  it('opens neither the account nor files', async () => {
    const person = await createPerson();
    const { token } = await make(person.token, 'links:read links:write share');
    for (const line of ['GET /auth/v1/user', 'GET /auth/v1/user/tokens', 'GET /auth/v1/user/oauth/grants'])
      expect(await send(line, token)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect(await send('PUT /auth/v1/user', token, { password: 'outra senha' })).toMatchObject({
      status: 403,
    });
    const upload = { authorization: `Bearer ${token}`, 'content-type': 'text/plain' };
    const url = `/storage/v1/object/arquivos/${person.id}/a.txt`;
    const put = await app.inject({ method: 'POST', url, headers: upload, payload: 'oi' });
    expect(put.statusCode).toBe(400);
    const own = { ...upload, authorization: `Bearer ${person.token}` };
    expect((await app.inject({ method: 'POST', url, headers: own, payload: 'oi' })).statusCode).toBe(200);
  });

  it('says when it was used last, to the minute', async () => {
    const person = await createPerson();
    const { token } = await make(person.token, 'links:read');
    const lastUse = async () =>
      ((await send('GET /auth/v1/user/tokens', person.token)).body as { last_used_at: string | null }[])[0]
        ?.last_used_at;
    expect(await lastUse()).toBeNull();
    await send(READ, token);
    const first = await lastUse();
    expect(first).not.toBeNull();
    await send(READ, token);
    expect(await lastUse()).toBe(first);
    ahead += 61_000;
    await send(READ, token);
    expect(Date.parse((await lastUse()) ?? '') - Date.parse(first ?? '')).toBeGreaterThan(60_000);
  });

  it.each([`lk_pat_${'a'.repeat(43)}`, `lk_pat_${'a'.repeat(42)}`, 'lk_pat_', `LK_PAT_${'a'.repeat(43)}`])(
    'that nobody made is refused by each service in its own words: %s',
    async (token) => {
      expect(await send(READ, token)).toMatchObject({ status: 401, body: { code: 'PGRST301' } });
      expect(await send('GET /auth/v1/user', token)).toMatchObject({
        status: 403,
        body: { code: 'bad_jwt' },
      });
    },
  );

  it('is refused once its time is over, and once the account is banned', async () => {
    const person = await createPerson();
    const made = await make(person.token, 'links:read');
    await database.admin.query('update auth.sessions set not_after = now() where id = $1', [made.id]);
    expect((await send(READ, made.token)).status).toBe(401);
    const other = await make(person.token, 'links:read');
    expect((await send(READ, other.token)).body).toHaveLength(1);
    await send(`PUT /auth/v1/admin/users/${person.id}`, keyring.serviceRoleKey, { ban_duration: '1h' });
    expect((await send(READ, other.token)).body).toEqual([]);
    ahead += 61_000;
    expect((await send(READ, other.token)).status).toBe(401);
  });

  it('is not found by trying: from a network that tries, no further one is looked up for a while', async () => {
    const person = await createPerson();
    const { token } = await make(person.token, 'links:read');
    const from = (ip: string, bearer: string) =>
      app.inject({
        url: '/rest/v1/folders',
        headers: { authorization: `Bearer ${bearer}` },
        remoteAddress: ip,
      });
    for (let at = 0; at < 100; at += 1)
      expect((await from('192.0.2.1', `lk_pat_${String(at).padStart(43, 'x')}`)).statusCode).toBe(401);
    // The same one again costs nothing, and does not count.
    for (let at = 0; at < 100; at += 1)
      expect((await from('203.0.113.1', `lk_pat_${'y'.repeat(43)}`)).statusCode).toBe(401);
    expect((await from('192.0.2.1', token)).statusCode).toBe(401);
    expect((await from('203.0.113.1', token)).statusCode).toBe(200);
  });
});
