import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createDataFolder, type DataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { runProjectCommand } from '@linkoteca/server-process/run-project-command';
import { type ServerProcess, startServerProcess } from '@linkoteca/server-process/start-server-process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createVisitor } from './support/create-visitor.ts';
import { type Keys, readKeys } from './support/read-keys.ts';
import { required } from './support/required.ts';

let data: DataFolder;
let port: number;
let server: ServerProcess;
let keys: Keys;
const environment = () => ({
  DATA_DIR: data.path,
  PORT: String(port),
  SITE_URL: `http://127.0.0.1:${port}`,
});

beforeAll(async () => {
  data = await createDataFolder();
  port = await findFreePort();
  server = await startServerProcess({ dataFolder: data.path, port });
  keys = await readKeys({ dataFolder: data.path, port });
});
afterAll(async () => {
  await server.stop();
  await data.remove();
});

describe('npm run -s keys', () => {
  test('prints the address and keys that the services accept', async () => {
    expect(Object.keys(keys).sort()).toEqual([
      'anonKey',
      'publishableKey',
      'secretKey',
      'serviceRoleKey',
      'url',
    ]);
    expect(keys.url).toBe(server.url);
    const response = await fetch(`${server.url}/rest/v1/profiles?select=id`, {
      headers: { apikey: keys.serviceRoleKey, authorization: `Bearer ${keys.serviceRoleKey}` },
    });
    expect(response.status).toBe(200);
  });

  test('prints the same keys again: they are part of the installation', async () => {
    const environment = { DATA_DIR: data.path, PORT: String(port), SITE_URL: keys.url };
    expect(JSON.parse((await runProjectCommand('keys', [], environment)).stdout)).toEqual(keys);
  });
});

describe('the data folder', () => {
  test('keeps its secrets for its owner alone', async () => {
    const names = await readdir(data.path);
    const secrets = names.filter((name) => /secret|key/i.test(name));
    expect(secrets.length).toBeGreaterThan(0);
    for (const name of secrets) expect((await stat(join(data.path, name))).mode & 0o077).toBe(0);
  });
});

describe('npm run demo', () => {
  test('makes a confirmed account full of links, twice without harm', async () => {
    const first = await runProjectCommand('demo', [], environment());
    expect(first.code, first.stderr).toBe(0);
    const email = required(/[\w.+-]+@[\w.-]+\w/.exec(first.stdout)?.[0]);
    const password = required(/(?:senha|password)\S*\s+(\S+)/i.exec(first.stdout)?.[1]);

    const client = createVisitor({ url: server.url, anonKey: keys.anonKey });
    const entered = await client.auth.signInWithPassword({ email, password });
    expect(entered.error).toBeNull();
    const links = await client.from('links').select('*', { count: 'exact', head: true });
    expect(required(links.count, links.error)).toBeGreaterThanOrEqual(200);

    const again = await runProjectCommand('demo', [], environment());
    expect(again.code, again.stderr).toBe(0);
    const after = await client.from('links').select('*', { count: 'exact', head: true });
    expect(after.count).toBe(links.count);
  });
});
