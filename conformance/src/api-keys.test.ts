import { once } from 'node:events';
import { createDataFolder, type DataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { runProjectCommand } from '@linkoteca/server-process/run-project-command';
import { type ServerProcess, startServerProcess } from '@linkoteca/server-process/start-server-process';
import { createClient } from '@supabase/supabase-js';
import { createClient as createOlderClient } from 'supabase-js-2-49';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askServices, PERSON_ACCEPTED } from './support/ask-services.ts';
import { createPerson, type Person } from './support/create-person.ts';
import type { Client } from './support/create-visitor.ts';
import { type Keys, readKeys } from './support/read-keys.ts';
import { required } from './support/required.ts';

let data: DataFolder;
let port: number;
let server: ServerProcess;
let keys: Keys;
let person: Person;

beforeAll(async () => {
  data = await createDataFolder();
  port = await findFreePort();
  server = await startServerProcess({ dataFolder: data.path, port });
  keys = await readKeys({ dataFolder: data.path, port });
  person = await createPerson({ ...keys, dataFolder: data.path });
});
afterAll(async () => {
  await server.stop();
  await data.remove();
});

const OPTIONS = { auth: { persistSession: false, autoRefreshToken: false } };
const CLIENTS: readonly [string, (key: string) => Client][] = [
  ['2.119', (key) => createClient(server.url, key, OPTIONS)],
  ['2.49', (key) => createOlderClient(server.url, key, OPTIONS) as unknown as Client],
];

/** What a channel says of itself when it has joined, or cannot. */
async function join(client: Client): Promise<string> {
  try {
    return await new Promise((resolve) => {
      client.channel('sala').subscribe((status) => resolve(status));
    });
  } finally {
    await client.removeAllChannels();
  }
}

describe.each(CLIENTS)('the client %s', (_version, open) => {
  test('is a visitor with the publishable key, and signs people in with it', async () => {
    const client = open(keys.publishableKey);
    expect(await client.from('profiles').select('id')).toMatchObject(
      await open(keys.anonKey).from('profiles').select('id'),
    );
    expect((await client.storage.listBuckets()).error).toBeNull();
    expect(await join(client)).toBe('SUBSCRIBED');
    const { data: signedIn, error } = await client.auth.signInWithPassword(person);
    expect(required(signedIn.user, error).id).toBe(person.id);
    expect((await client.from('profiles').select('id')).data).toEqual([{ id: person.id }]);
  });

  test('is the operator with the secret key', async () => {
    const client = open(keys.secretKey);
    const { data: users, error } = await client.auth.admin.listUsers();
    expect(error).toBeNull();
    expect(users.users.map(({ id }) => id)).toContain(person.id);
    expect((await client.from('profiles').select('id').eq('id', person.id)).data).toHaveLength(1);
    expect((await client.storage.listBuckets()).error).toBeNull();
    expect(await join(client)).toBe('SUBSCRIBED');
    const round = await fetch(`${server.url}/functions/v1/check-links`, {
      method: 'POST',
      headers: { apikey: keys.secretKey },
    });
    expect(round.status).toBe(200);
    expect((await open(keys.publishableKey).auth.admin.listUsers()).error).not.toBeNull();
  });
});

const token = async () => required((await person.client.auth.getSession()).data.session, null).access_token;

test('beside a person’s token every service takes the key, and the person', async () => {
  const headers = { apikey: keys.publishableKey, authorization: `Bearer ${await token()}` };
  expect(await askServices(server.url, headers)).toEqual(PERSON_ACCEPTED);
});

test('alone it is a visitor’s everywhere, in the header that is meant for it; functions that ask for a token take none', async () => {
  const { anonKey, serviceRoleKey, publishableKey, secretKey } = keys;
  for (const [key, older] of [
    [publishableKey, anonKey],
    [secretKey, serviceRoleKey],
  ] as const) {
    const { functions, ...others } = await askServices(server.url, { apikey: key });
    expect(await askServices(server.url, { apikey: older, authorization: `Bearer ${older}` })).toMatchObject(
      others,
    );
    expect([others.realtime, functions]).toEqual([202, 401]);
  }
  const everywhere = { auth: 401, rest: 401, storage: 401, realtime: 401, functions: 401 };
  for (const key of [keys.publishableKey, keys.secretKey])
    expect(await askServices(server.url, { authorization: `Bearer ${key}` })).toEqual(everywhere);
});

test('a key that nobody gave out is refused everywhere, whoever stands beside it', async () => {
  const headers = {
    apikey: `${keys.secretKey.slice(0, -1)}${keys.secretKey.endsWith('x') ? 'y' : 'x'}`,
    authorization: `Bearer ${await token()}`,
  };
  const everywhere = { auth: 401, rest: 401, storage: 401, realtime: 401, functions: 401 };
  expect(await askServices(server.url, headers)).toEqual(everywhere);
});

test('a secret key in a browser is refused everywhere, on sockets, too', async () => {
  const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
  const everywhere = { auth: 401, rest: 401, storage: 401, realtime: 401, functions: 401 };
  expect(await askServices(server.url, { ...browser, apikey: keys.secretKey })).toEqual(everywhere);
  expect(await askServices(server.url, { ...browser, apikey: keys.publishableKey })).not.toEqual(everywhere);
  const shake = async (key: string) => {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${key}`, {
      headers: browser,
    } as unknown as string[]);
    const opened = once(socket, 'open').then(() => 'open');
    const outcome = await Promise.race([opened, once(socket, 'error').then(() => 'refused')]);
    socket.close();
    return outcome;
  };
  expect([await shake(keys.publishableKey), await shake(keys.secretKey)]).toEqual(['open', 'refused']);
});

test('of several each is taken, and one that is taken out opens nothing from the next start on', async () => {
  const make = async () => (await runProjectCommand('keys', ['secret'], {})).stdout.trim();
  const [first, second] = [await make(), await make()];
  const restart = async (secrets: string) => {
    await server.stop();
    server = await startServerProcess({
      dataFolder: data.path,
      port,
      environment: { SUPABASE_SECRET_KEY: secrets },
    });
  };
  const ask = async (apikey: string) =>
    (await fetch(`${server.url}/rest/v1/profiles?select=id`, { headers: { apikey } })).status;
  await restart(`${first},${second}`);
  expect([await ask(first), await ask(second), await ask(keys.secretKey)]).toEqual([200, 200, 401]);
  await restart(second);
  expect([await ask(first), await ask(second), await ask(keys.publishableKey)]).toEqual([
    401,
    200,
    await ask(''),
  ]);
});
