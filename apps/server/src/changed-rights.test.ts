import { once } from 'node:events';
import type { MigrationNames } from '@linkoteca/migrations/pending-migrations';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createApp, createMetrics } from './app.ts';
import { createLogger } from './kernel/create-logger.ts';
import { createDatabase, type Database } from './kernel/database.ts';
import { createOperatorAccess } from './kernel/gateway/operator-access.ts';
import { createHealth } from './kernel/health/create-health.ts';
import { createKeyring } from './kernel/keyring.ts';
import { resolvePayments } from './kernel/resolve-payments.ts';
import { createRightsWatch, type RightsWatch } from './kernel/rights-watch.ts';
import { readSettings } from './read-settings.ts';
import { createFolderStore } from './services/storage/blobs/create-folder-store.ts';

const SECRET = 'a-secret-of-enough-characters-for-hs256';
const keyring = await createKeyring({ secrets: [SECRET] });
const headers = { apikey: keyring.anonKey, 'content-type': 'application/json' };

let database: ThrowawayDatabase;
let db: Database;
/** The watch of the test under way, which has compared nothing yet. */
let watch: RightsWatch;
const rights: RightsWatch = {
  difference: () => watch.difference(),
  check: () => watch.check(),
  againInMs: () => watch.againInMs(),
};
let app: FastifyInstance;
let url: string;
let known: MigrationNames;
const logger = createLogger('silent');
beforeAll(async () => {
  database = await createThrowawayDatabase();
  db = createDatabase({ ...database.authenticator, max: 3 });
  const { rows } = await database.admin.query<{ platform: string[]; product: string[] }>(
    `select array(select name from linkoteca_platform.migrations order by 1) as platform,
       array(select version from supabase_migrations.schema_migrations order by 1) as product`,
  );
  known = rows[0] ?? { platform: [], product: [] };
  // The app's own timer may ask before the first test does.
  watch = createRightsWatch({ db, known, logger });
  const settings = readSettings({}, '/nowhere');
  app = await createApp({
    settings,
    metrics: createMetrics(),
    operator: createOperatorAccess({ ...settings, key: keyring.operatorKey }),
    db,
    reserved: db,
    replication: database.connection,
    keyring,
    mailer: { send: async () => undefined },
    texter: { send: async () => undefined },
    logger,
    now: () => new Date(),
    payments: resolvePayments(undefined, SECRET),
    blobs: createFolderStore('/nowhere'),
    health: createHealth({ probes: db, requiredMigrations: known, rightsDifference: rights.difference }),
    probes: db,
    installation: { folders: {}, version: '1.0.0' },
    environment: {},
    rights,
    webFolder: '/nowhere',
    mailFolder: '/nowhere',
  });
  url = await app.listen({ port: 0, host: '127.0.0.1' });
});
beforeEach(() => {
  watch = createRightsWatch({ db, known, logger });
});
afterAll(async () => {
  await app.close();
  await db.pool.end();
  await database.drop();
});

/** What a stranger gets, service by service. */
async function ask(): Promise<readonly number[]> {
  const requests: readonly (readonly [string, RequestInit?])[] = [
    ['/rest/v1/profiles?select=plan'],
    ['/rest/v1/rpc/purge_account', { method: 'POST', body: '{}' }],
    ['/auth/v1/settings'],
    ['/storage/v1/object/list/arquivos', { method: 'POST', body: '{"prefix":""}' }],
    ['/functions/v1/list-prices'],
    ['/realtime/v1/api/ping'],
    ['/config.json'],
    ['/shared/3f1f7d2c-6a59-4a0e-9a5e-0d6c2f8f0b11'],
  ];
  const answers = requests.map(([path, init]) => fetch(`${url}${path}`, { headers, ...init }));
  return (await Promise.all(answers)).map(({ status }) => status);
}

async function openSocket(): Promise<WebSocket> {
  const socket = new WebSocket(
    `${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${keyring.anonKey}&vsn=2.0.0`,
  );
  await once(socket, 'open');
  return socket;
}

const readHealth = async () => {
  const response = await fetch(`${url}/health`);
  return [response.status, await response.json()];
};

describe('a server whose database does not have the rights that the migrations make', () => {
  it('serves nobody before it has compared them', async () => {
    expect(new Set(await ask())).toEqual(new Set([503]));
    await rights.check();
    expect(await ask()).not.toContain(503);
  });

  it.each<readonly [string, string, string]>([
    [
      'grant all on all tables in schema public to anon',
      'revoke all on all tables in schema public from anon',
      'extra: grant all on table public.categories to anon',
    ],
    [
      'grant execute on function public.purge_account(uuid, integer) to anon',
      'revoke execute on function public.purge_account(uuid, integer) from anon',
      'extra: grant execute on function public.purge_account(uuid, integer) to anon',
    ],
    [
      'alter table public.links disable row level security',
      'alter table public.links enable row level security',
      'missing: alter table public.links enable row level security',
    ],
    [
      'alter policy links_of_open_account on public.links using (true)',
      'alter policy links_of_open_account on public.links using ((select private.may_read_links()))',
      'extra: create policy links_of_open_account on public.links as restrictive for all to authenticated using (true)',
    ],
    [
      'alter default privileges in schema public grant select on tables to anon',
      'alter default privileges in schema public revoke select on tables from anon',
      'extra: alter default privileges for role postgres in schema public grant select on tables to anon',
    ],
    [
      'revoke select on linkoteca_platform.migrations from service_role',
      'grant select on linkoteca_platform.migrations to service_role',
      'missing: permission denied for table migrations',
    ],
  ])(
    'serves nobody and says so after: %s; and everybody again after: %s',
    async (tampering, mending, reason) => {
      await rights.check();
      const socket = await openSocket();
      await database.admin.query(tampering);
      const closed = once(socket, 'close');
      await rights.check();
      expect(new Set(await ask())).toEqual(new Set([503]));
      expect(await readHealth()).toEqual([503, { status: 'unavailable', reason: `rights: ${reason}` }]);
      await closed;
      await expect(openSocket()).rejects.toThrow('503');
      await database.admin.query(mending);
      await rights.check();
      expect(await ask()).not.toContain(503);
      // What the database itself refused to tell is asked again a second later.
      await expect.poll(readHealth).toEqual([200, { status: 'ok' }]);
      (await openSocket()).terminate();
    },
  );

  it('goes on serving when a newer copy has changed them with a migration', async () => {
    await rights.check();
    await database.admin.query(`grant select on public.folders to anon;
      insert into supabase_migrations.schema_migrations (version) values ('20990101000000')`);
    await rights.check();
    expect(await ask()).not.toContain(503);
    await database.admin.query(
      `delete from supabase_migrations.schema_migrations where version = '20990101000000'`,
    );
    await rights.check();
    expect(new Set(await ask())).toEqual(new Set([503]));
    await database.admin.query('revoke select on public.folders from anon');
  });

  it('keeps what it knows while the database is away', async () => {
    const lost = createDatabase({ host: '/nowhere', connectionTimeoutMillis: 500 });
    const watch = createRightsWatch({
      db: lost,
      known: { platform: [], product: [] },
      logger: createLogger('silent'),
    });
    await watch.check();
    expect(watch.difference()).toBe('not compared yet');
    await lost.pool.end();
  });

  it('keeps what it knows while the database is too busy to say', async () => {
    const busy = createDatabase({ ...database.authenticator, max: 1, options: '-c lock_timeout=100' });
    const locker = await database.admin.connect();
    const watch = createRightsWatch({ db: busy, known, logger });
    await watch.check();
    expect(watch.difference()).toBe(undefined);
    await locker.query('begin; lock table linkoteca_platform.migrations');
    await watch.check();
    expect(watch.difference()).toBe(undefined);
    await locker.query('rollback');
    locker.release();
    await busy.pool.end();
  });

  it('asks to be called sooner while something is wrong', async () => {
    const watch = createRightsWatch({ db, known, logger });
    expect(watch.againInMs()).toBe(5_000);
    await watch.check();
    expect(watch.againInMs()).toBe(30_000);
    await database.admin.query('grant select on public.links to anon');
    await watch.check();
    expect([watch.difference(), watch.againInMs()]).toEqual([
      'extra: grant select on table public.links to anon',
      5_000,
    ]);
    await database.admin.query('revoke select on public.links from anon');
  });
});
