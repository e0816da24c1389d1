import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Draw } from '@linkoteca/server-process/create-draw';
import type { ServerProcess } from '@linkoteca/server-process/start-server-process';
import type { Fault } from './fault.ts';
import { createInstallation, type Installation } from './installation.ts';
import { createWriters, type Writer } from './people.ts';
import { runUnderLoad } from './run-under-load.ts';

const LEAVING = 3;
const LINKS_EACH = 400;
const FILES_EACH = 4;
const LONGEST_PURGE_MS = 700;
const MAX_CALLS = 20;

/** Purges accounts whose time is over, killed on the way. The next calls finish it, and nothing of them is left, no byte either. */
async function killPurge(installation: Installation, draw: Draw): Promise<number> {
  const { keys, dataFolder, look } = installation;
  const [server] = installation.servers as readonly [ServerProcess];
  const leaving = await createWriters(server.url, keys, LEAVING);
  for (const person of leaving) await fillLibrary(server.url, person);
  const ids = leaving.map(({ id }) => id);
  const versions = await look(async (database) => {
    await database.query('select public.close_account(id) from unnest($1::uuid[]) id', [ids]);
    await database.query(
      `update private.account_closures set purge_after = now() where user_id = any($1::uuid[])`,
      [ids],
    );
    const { rows } = await database.query(
      `select version from storage.objects where split_part(name, '/', 1) = any($1::text[])`,
      [ids],
    );
    return rows.map(({ version }) => version as string);
  });
  if (versions.length !== LEAVING * FILES_EACH) throw new Error('the files of who leaves are not there');

  const purging = callUpkeep(server.url, keys.serviceRoleKey).catch(() => undefined);
  await pause(draw.number(LONGEST_PURGE_MS));
  await server.kill();
  await purging;
  const seconds = await installation.start();

  for (let call = 0; !(await callUpkeep(server.url, keys.serviceRoleKey)); call += 1)
    if (call === MAX_CALLS) throw new Error('the purge does not come to its end');
  await look(async (database) => {
    const { rows } = await database.query(
      `select (select count(*) from auth.users where id = any($1::uuid[]))
         + (select count(*) from public.links where user_id = any($1::uuid[]))
         + (select count(*) from storage.objects where split_part(name, '/', 1) = any($1::text[])) as left`,
      [ids],
    );
    if (rows[0].left !== '0') throw new Error(`${rows[0].left} rows of purged accounts are left`);
  });
  const bytes = versions.filter((version) => existsSync(join(dataFolder, 'storage/arquivos', version)));
  if (bytes.length > 0) throw new Error(`the bytes of ${bytes.length} purged files are left`);
  return seconds;
}

async function fillLibrary(url: string, { id, headers, categoryIds }: Writer): Promise<void> {
  const links = Array.from({ length: LINKS_EACH }, (_, index) => ({
    title: `Ligação ${index}`,
    url: 'https://exemplo.com.br/',
    category_id: categoryIds[0],
  }));
  await post(`${url}/rest/v1/links`, headers, JSON.stringify(links));
  for (let index = 0; index < FILES_EACH; index += 1)
    await post(
      `${url}/storage/v1/object/arquivos/${id}/${index}.txt`,
      { ...headers, 'content-type': 'text/plain' },
      'texto '.repeat(1_000),
    );
}

/** @returns whether nothing is left to do. */
async function callUpkeep(url: string, serviceRoleKey: string): Promise<boolean> {
  const headers = { apikey: serviceRoleKey, authorization: `Bearer ${serviceRoleKey}` };
  const response = await post(`${url}/functions/v1/account-upkeep`, headers, '{}');
  return ((await response.json()) as { readonly complete: boolean }).complete;
}

async function post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Response> {
  const response = await fetch(url, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response;
}

export const PURGES: readonly Fault[] = [
  {
    name: 'kill-purge',
    title: '`kill -9` in the purge of closed accounts',
    rounds: 6,
    recoverWithinSeconds: 15,
    run: (trial) => runUnderLoad(trial, { open: () => createInstallation(), strike: killPurge }),
  },
];
