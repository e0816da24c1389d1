import { createDataFolder, type DataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { startServerProcess } from '@linkoteca/server-process/start-server-process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SOON } from './support/receive-changes.ts';
import { type Copies, type ServerCopy, startCopies } from './support/start-copies.ts';

let copies: Copies;
let data: DataFolder;
let copy: ServerCopy;
beforeAll(async () => {
  data = await createDataFolder();
  copies = await startCopies();
  copy = await copies.start();
});
afterAll(async () => {
  await copies.stop();
  await data.remove();
});

/** What a restore made of tables and functions while new ones were open to every role. */
const OPENED = ['tables', 'functions']
  .map((kind) => `grant all on all ${kind} in schema public to anon`)
  .join(';');

test('a server that starts on a database which a restore has opened serves nobody, says so, and serves once it is closed again', async () => {
  const { rows } = await copies.postgres.query(
    `select format('grant execute on function %s to anon', oid::regprocedure) as again from pg_proc
     where pronamespace = 'public'::regnamespace and has_function_privilege('anon', oid, 'execute')`,
  );
  await copies.postgres.query(`begin; ${OPENED}; commit`);
  const port = await findFreePort();
  const starting = startServerProcess({
    dataFolder: data.path,
    port,
    environment: { DATABASE_URL: copies.postgres.url, JWT_SECRET: copies.jwtSecret },
  });
  const url = `http://127.0.0.1:${port}`;
  const readHealth = async () => {
    const response = await fetch(`${url}/health`).catch(() => undefined);
    return response && [response.status, await response.json()];
  };
  await expect.poll(readHealth, { ...SOON, timeout: 30_000 }).toEqual([
    503,
    {
      status: 'unavailable',
      reason: 'rights: extra: grant all on table public.categories to anon',
    },
  ]);
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, {
      headers: { apikey: copy.anonKey, 'content-type': 'application/json' },
      ...init,
    });
  const purge = await ask('/rest/v1/rpc/purge_account', { method: 'POST', body: '{}' });
  expect([purge.status, await purge.json()]).toMatchObject([503, { code: 'unavailable' }]);
  for (const path of [
    '/rest/v1/profiles',
    '/auth/v1/settings',
    '/storage/v1/bucket',
    '/functions/v1/list-prices',
    '/',
  ])
    expect((await ask(path)).status).toBe(503);

  await copies.postgres.query(`begin; ${OPENED.replaceAll('grant', 'revoke').replaceAll(' to ', ' from ')};
    ${rows.map(({ again }) => again).join(';')}; commit`);
  const server = await starting;
  expect(server.output()).toContain(
    'Os direitos no banco de dados não são os que as migrações fazem (a mais: grant all on table public.categories to anon)',
  );
  expect(server.output()).not.toContain('Linkoteca pronta');
  expect((await ask('/rest/v1/profiles')).status).toBe(401);
  expect(await server.stop()).toBe(0);
});
