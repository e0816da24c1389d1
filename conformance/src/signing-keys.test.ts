import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDataFolder, type DataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { runProjectCommand } from '@linkoteca/server-process/run-project-command';
import {
  launchServerProcess,
  type ServerProcess,
  startServerProcess,
} from '@linkoteca/server-process/start-server-process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askServices, PERSON_ACCEPTED, TOKEN_REFUSED } from './support/ask-services.ts';
import { createPerson, type Person } from './support/create-person.ts';
import { createVisitor } from './support/create-visitor.ts';
import { readKeys } from './support/read-keys.ts';
import { required } from './support/required.ts';

let data: DataFolder;
let port: number;
let path: string;
let server: ServerProcess;
let person: Person;
let anonKey: string;

const start = () =>
  startServerProcess({
    dataFolder: data.path,
    port,
    environment: { SUPABASE_AUTH_SIGNING_KEYS_PATH: path },
  });
const change = async (...options: readonly string[]) => {
  const { code, stderr } = await runProjectCommand('signing-key', [path, ...options], {});
  if (code !== 0) throw new Error(stderr);
};
const restart = async () => {
  await server.stop();
  server = await start();
};

beforeAll(async () => {
  data = await createDataFolder();
  port = await findFreePort();
  path = join(data.path, 'chaves.json');
  server = await startServerProcess({ dataFolder: data.path, port });
  const keys = await readKeys({ dataFolder: data.path, port });
  anonKey = keys.anonKey;
  person = await createPerson({ ...keys, dataFolder: data.path });
});
afterAll(async () => {
  await server.stop();
  await data.remove();
});

async function refresh(): Promise<string> {
  const { data: refreshed, error } = await person.client.auth.refreshSession();
  return required(refreshed.session, error).access_token;
}

/** What the client reads of a token that it has verified by itself, with the published keys. */
async function readHeader(token: string) {
  const { data: read, error } = await createVisitor({ url: server.url, anonKey }).auth.getClaims(token);
  const { claims, header } = required(read, error);
  expect(claims.sub).toBe(person.id);
  return header;
}

const ask = (token: string) => askServices(server.url, { authorization: `Bearer ${token}` });

test('an operator’s own key signs, every service verifies it, rotating signs nobody out, and a key that is taken out opens nothing', async () => {
  const derived = await refresh();
  await change('--algorithm', 'RS256');
  await restart();
  expect(await ask(derived)).toEqual(PERSON_ACCEPTED);
  const first = await refresh();
  const { alg, kid } = await readHeader(first);
  expect(alg).toBe('RS256');
  const discovered = await fetch(`${server.url}/auth/v1/.well-known/openid-configuration`);
  expect(await discovered.json()).toMatchObject({
    id_token_signing_alg_values_supported: expect.arrayContaining([alg]),
  });

  await change();
  await change('--rotate');
  await restart();
  const second = await refresh();
  expect(await readHeader(second)).toMatchObject({ alg: 'ES256' });
  expect([await ask(first), await ask(second)]).toEqual([PERSON_ACCEPTED, PERSON_ACCEPTED]);

  await change('--remove', kid);
  await restart();
  expect(await ask(first)).toEqual(TOKEN_REFUSED);
  expect(await ask(second)).toEqual(PERSON_ACCEPTED);
});

test('a file that is none ends the start in one sentence, without a word of it', async () => {
  const kept = await readFile(path, 'utf8');
  await writeFile(path, '[{"kty":"oct","k":"c2VncmVkbw"}]');
  const folder = await createDataFolder();
  try {
    const launched = launchServerProcess({
      dataFolder: folder.path,
      port: await findFreePort(),
      environment: { SUPABASE_AUTH_SIGNING_KEYS_PATH: path },
    });
    expect(await launched.ended).toBe(1);
    expect(launched.output()).toContain('SUPABASE_AUTH_SIGNING_KEYS_PATH (chave 1) deve ter em k');
    expect(launched.output()).not.toContain('c2VncmVkbw');
  } finally {
    await folder.remove();
    await writeFile(path, kept);
  }
});
