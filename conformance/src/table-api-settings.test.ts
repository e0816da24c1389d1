import { createDataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { startServerProcess } from '@linkoteca/server-process/start-server-process';
import { expect, onTestFinished, test } from 'vitest';
import { createPerson } from './support/create-person.ts';
import { readKeys } from './support/read-keys.ts';
import type { Deployment } from './support/start-deployment.ts';

async function start(environment: Readonly<Record<string, string>>): Promise<Deployment> {
  const data = await createDataFolder();
  onTestFinished(() => data.remove());
  const port = await findFreePort();
  const server = await startServerProcess({ dataFolder: data.path, port, environment });
  onTestFinished(async () => void (await server.stop()));
  return { ...(await readKeys({ dataFolder: data.path, port })), url: server.url, dataFolder: data.path };
}

test('the table API is set by the platform’s variables and PostgREST’s', async () => {
  const deployment = await start({
    SUPABASE_API_MAX_ROWS: '2',
    PGRST_DB_AGGREGATES_ENABLED: 'true',
    PGRST_DB_TX_END: 'commit-allow-override',
  });
  const { client } = await createPerson(deployment);
  await client.from('folders').insert(['Um', 'Dois', 'Três'].map((name) => ({ name })));
  expect((await client.from('folders').select('id')).data).toHaveLength(2);
  const tried = await client
    .from('folders')
    .insert({ name: 'Quatro' })
    .select('name')
    .setHeader('Prefer', 'return=representation,tx=rollback');
  expect(tried.data).toEqual([{ name: 'Quatro' }]);
  expect((await client.from('folders').select('count:id.count()')).data).toEqual([{ count: 3 }]);
});

test('what would change who may do what ends the start by its name, and shows no value', async () => {
  const failed = await start({
    PGRST_DB_ANON_ROLE: 'service_role',
    PGRST_JWT_SECRET: 'a-secret-of-another-program-altogether',
  }).catch(String);
  expect(failed).toMatch(/PGRST_DB_ANON_ROLE só pode ser anon.*PGRST_JWT_SECRET não é seguido/);
  expect(failed).not.toContain('another-program');
});
