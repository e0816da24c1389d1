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

describe('npm run -s programs', () => {
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runProjectCommand('programs', args, environment());
    return { code, stderr, told: code === 0 ? JSON.parse(stdout) : undefined };
  };
  const back = 'https://leitor.exemplo/volta';

  test('registers a program that people can then let in, lists it without its secret, and ends it', async () => {
    const made = await run('--add', 'Leitor', '--redirect', back, '--secret');
    expect(made.told, made.stderr).toMatchObject({
      client_name: 'Leitor',
      redirect_uris: [back],
      client_secret: expect.any(String),
      registration_type: 'manual',
    });
    const { client_id: id, client_secret: secret } = made.told;
    const basic = Buffer.from(`${id}:${secret}`).toString('base64');
    const exchange = () =>
      fetch(`${server.url}/auth/v1/oauth/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}`, apikey: keys.anonKey },
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'nada' }),
      }).then((response) => response.json());
    // It is known, and its token is not.
    expect(await exchange()).toMatchObject({ error: 'invalid_grant' });
    const listed = await run();
    expect(listed.told).toMatchObject([{ client_id: id }]);
    expect(JSON.stringify(listed.told)).not.toContain(secret);
    expect((await run('--remove', id)).told).toMatchObject({ client_id: id });
    expect((await run()).told).toEqual([]);
    expect(await exchange()).toMatchObject({ error: 'invalid_client' });
  });

  test('says what was wrong, and changes nothing', async () => {
    expect(await run('--add', 'Leitor')).toMatchObject({ code: 1, stderr: expect.stringContaining('Uso:') });
    expect(await run('--remove', 'x')).toMatchObject({
      code: 1,
      stderr: 'Não há um programa com o id x.\n',
    });
    expect((await run('nada')).code).toBe(1);
    expect((await run()).told).toEqual([]);
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
