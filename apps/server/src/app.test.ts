import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp, createMetrics } from './app.ts';
import { createLogger } from './kernel/create-logger.ts';
import { createDatabase, type Database } from './kernel/database.ts';
import { createOperatorAccess } from './kernel/gateway/operator-access.ts';
import { createHealth } from './kernel/health/create-health.ts';
import { createKeyring } from './kernel/keyring.ts';
import { resolvePayments } from './kernel/resolve-payments.ts';
import { readSettings } from './read-settings.ts';
import { PROVIDERS } from './services/auth/providers/providers.ts';
import { createFolderStore } from './services/storage/blobs/create-folder-store.ts';

const SECRET = 'a-secret-of-enough-characters-for-hs256';
const keyring = await createKeyring({ secrets: [SECRET] });
const PASSWORD_GRANT = {
  method: 'POST',
  url: '/auth/v1/token?grant_type=password',
  payload: { email: 'ana@example.com', password: 'segredo-da-ana' },
} as const;
const ACCOUNT_ERROR = { error_code: expect.any(String), msg: expect.any(String) };
const FILE_ERROR = {
  statusCode: expect.any(String),
  error: expect.any(String),
  message: expect.any(String),
  code: expect.any(String),
};
const TABLE_ERROR = { code: expect.any(String), message: expect.any(String), details: null, hint: null };

function buildApp(db: Database, replication: pg.ClientConfig): Promise<FastifyInstance> {
  const settings = readSettings({ GOTRUE_DISABLE_SIGNUP: 'true' }, '/nowhere');
  return createApp({
    settings,
    metrics: createMetrics(),
    operator: createOperatorAccess({ ...settings, key: keyring.operatorKey }),
    db,
    reserved: db,
    probes: db,
    installation: { folders: {}, version: '1.0.0' },
    replication,
    keyring,
    mailer: { send: async () => undefined },
    texter: { send: async () => undefined },
    logger: createLogger('silent'),
    now: () => new Date(),
    payments: resolvePayments(undefined, SECRET),
    blobs: createFolderStore('/nowhere'),
    environment: {},
    health: createHealth({ probes: db, requiredMigrations: { platform: [], product: [] } }),
    webFolder: '/nowhere',
    mailFolder: '/nowhere',
  });
}

describe('the server', () => {
  let database: ThrowawayDatabase;
  let db: Database;
  let app: FastifyInstance;
  beforeAll(async () => {
    database = await createThrowawayDatabase();
    db = createDatabase({ ...database.authenticator, max: 3 });
    app = await buildApp(db, database.connection);
  });
  afterAll(async () => {
    await app.close();
    await db.pool.end();
    await database.drop();
  });

  it('answers both protocols and its own pages', async () => {
    expect((await app.inject({ url: '/auth/v1/settings' })).statusCode).toBe(200);
    const jwks = (await app.inject({ url: '/auth/v1/.well-known/jwks.json' })).json() as { keys: unknown[] };
    expect(jwks.keys).toEqual(keyring.jwks().keys);
    const headers = { apikey: keyring.serviceRoleKey };
    expect((await app.inject({ url: '/rest/v1/folders?select=id', headers })).json()).toEqual([]);
    expect((await app.inject({ url: '/health' })).json()).toEqual({ status: 'ok' });
    expect((await app.inject({ url: '/config.json' })).json()).toMatchObject({
      supabaseAnonKey: keyring.anonKey,
    });
  });

  it.each(['oauth-authorization-server', 'openid-configuration'])(
    'tells programs where they look for it first, and pages of any origin: %s',
    async (name) => {
      const headers = { accept: 'text/html', origin: 'https://programa.test' };
      const reply = await app.inject({ url: `/.well-known/${name}/auth/v1`, headers });
      expect(reply.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'content-type': expect.stringContaining('json'),
      });
      expect(reply.json()).toEqual((await app.inject(`/auth/v1/.well-known/${name}`)).json());
    },
  );

  it('signs people in as its settings say', async () => {
    const body = (await app.inject({ url: '/auth/v1/settings' })).json();
    expect(body).toMatchObject({ disable_signup: true, mailer_autoconfirm: false });
  });

  it('tells the web app of the same providers to sign in with as every client', async () => {
    const { external } = (await app.inject({ url: '/auth/v1/settings' })).json() as {
      external: Record<string, boolean>;
    };
    const config = (await app.inject({ url: '/config.json' })).json() as Record<string, unknown>;
    for (const { name } of PROVIDERS) expect(config[`${name}Enabled`]).toBe(external[name]);
  });

  it('refuses a body over 1 MiB in the shape of the service it was for', async () => {
    const payload = { a: 'x'.repeat(1_100_000) };
    const account = await app.inject({ ...PASSWORD_GRANT, payload });
    expect(account.statusCode).toBe(413);
    expect(account.json()).toMatchObject(ACCOUNT_ERROR);
    const table = await app.inject({ method: 'POST', url: '/rest/v1/folders', payload });
    expect(table.statusCode).toBe(413);
    expect(table.json()).toMatchObject(TABLE_ERROR);
    const headers = { authorization: `Bearer ${keyring.anonKey}` };
    const file = await app.inject({ method: 'POST', url: '/storage/v1/bucket', headers, payload });
    expect(file.statusCode).toBe(400);
    expect(file.json()).toMatchObject({ ...FILE_ERROR, statusCode: '413' });
  });

  it('answers an unknown path below a service in that service’s shape', async () => {
    const account = await app.inject({ url: '/auth/v1/nothing' });
    expect([account.statusCode, account.json()]).toMatchObject([404, ACCOUNT_ERROR]);
    const table = await app.inject({ url: '/rest/v1/a/b/c' });
    expect([table.statusCode, table.json()]).toMatchObject([404, TABLE_ERROR]);
    const file = await app.inject({ url: '/storage/v1/a/b/c' });
    expect([file.statusCode, file.json()]).toMatchObject([404, FILE_ERROR]);
    await app.inject({ url: '/storage/v1/bucket' });
    expect((await app.inject({ url: '/metrics' })).body).toContain(
      'linkoteca_storage_refusals_total{code="InvalidRequest"} 1',
    );
  });
});

describe('the server without its database', () => {
  it('asks clients to come back, in the shape of each service, and tells nothing of where the database is', async () => {
    const db = createDatabase({ host: '/nowhere/secret', connectionTimeoutMillis: 1_000 });
    const app = await buildApp(db, { host: '/nowhere/secret' });
    const account = await app.inject(PASSWORD_GRANT);
    expect([account.statusCode, account.json()]).toMatchObject([503, ACCOUNT_ERROR]);
    const table = await app.inject({ url: '/rest/v1/links' });
    expect([table.statusCode, table.json()]).toMatchObject([503, TABLE_ERROR]);
    const file = await app.inject({
      url: '/storage/v1/bucket',
      headers: { authorization: `Bearer ${keyring.anonKey}` },
    });
    expect([file.statusCode, file.json()]).toMatchObject([503, FILE_ERROR]);
    const health = await app.inject({ url: '/health' });
    expect(health.statusCode).toBe(503);
    for (const { body } of [account, table, file, health]) expect(body).not.toContain('secret');
    await app.close();
    await db.pool.end();
  });
});
