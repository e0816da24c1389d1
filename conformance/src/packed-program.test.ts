import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { PROJECT_FOLDER } from '@linkoteca/server-process/run-project-command';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectAssistant, createPersonalToken } from './support/connect-assistant.ts';
import { createPerson } from './support/create-person.ts';
import { createShelf } from './support/create-shelf.ts';
import { createVisitor } from './support/create-visitor.ts';
import type { Keys } from './support/read-keys.ts';

const run = promisify(execFile);
const READY_WITHIN_MS = 60_000;

/** What a machine has on which nothing of the project is: its own Node, of whatever version, and a home without anything. */
let room = '';
let folder = '';
let port = 0;
let packed: { readonly size: number; readonly files: readonly { readonly path: string }[] };
let running: { readonly child: ChildProcess; output(): string } | undefined;

const machinePath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((path) => !path.includes('node_modules'))
  .join(delimiter);
const machine = () => ({ PATH: machinePath, HOME: join(room, 'home'), PORT: String(port) });

beforeAll(async () => {
  room = await mkdtemp(join(tmpdir(), 'linkoteca-package-'));
  await chmod(room, 0o755);
  folder = join(room, 'elsewhere');
  await Promise.all([folder, join(room, 'home')].map((path) => mkdir(path)));
  port = await findFreePort();
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', room], {
    cwd: PROJECT_FOLDER,
    maxBuffer: 16 * 2 ** 20,
  });
  [packed] = JSON.parse(stdout);
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  const tarball = join(room, `linkoteca-${await readVersion()}.tgz`);
  await run('npm', ['install', ...options, '--prefix', folder, tarball], {
    cwd: folder,
    env: { ...process.env, PATH: machinePath },
  });
}, 240_000);
afterAll(async () => {
  if (running !== undefined) await end('SIGKILL');
  await rm(room, { recursive: true, force: true });
});

async function readVersion(): Promise<string> {
  return JSON.parse(await readFile(join(PROJECT_FOLDER, 'package.json'), 'utf8')).version;
}

/** As a person types it in the folder. */
const command = (...args: string[]) =>
  run('npx', ['--no-install', 'linkoteca', ...args], { cwd: folder, env: machine() });

async function start(): Promise<void> {
  const child = spawn('npx', ['--no-install', 'linkoteca'], {
    cwd: folder,
    env: machine(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  running = { child, output: () => chunks.join('') };
  const deadline = Date.now() + READY_WITHIN_MS;
  while ((await fetch(`http://localhost:${port}/health`).catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`the packed program does not serve:\n${chunks.join('')}`);
    await pause(50);
  }
}

async function end(signal: NodeJS.Signals): Promise<number | null> {
  const child = running?.child;
  running = undefined;
  if (child === undefined) return null;
  const closed = once(child, 'close');
  child.kill(signal);
  await closed;
  return child.exitCode;
}

test('the package holds the built web app and compiled code, and nothing that only the project needs', () => {
  const paths = packed.files.map(({ path }) => path);
  expect(paths).toContain('dist/apps/server/src/main.js');
  expect(paths).toContain('dist/apps/web/dist/index.html');
  expect(paths).toContain('dist/apps/web/dist/.server/public-page.mjs');
  expect(
    paths.filter((path) => /\.(?:ts|tsx|eml|env)$|(?:^|\/)(?:data|node_modules|test-support)\//.test(path)),
  ).toEqual([]);
  expect(packed.size).toBeLessThan(8 * 2 ** 20);
});

test('npx linkoteca --help, --version and a command that there is not', async () => {
  expect((await command('--help')).stdout).toContain('Uso: npx linkoteca [COMANDO]');
  expect((await command('--version')).stdout.trim()).toBe(await readVersion());
  await expect(command('apagar')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Não há o comando "apagar"'),
  });
});

test('one command serves the app, accounts, functions and drawn pages, from the machine’s own Node, ends on SIGTERM and finds it all again', async () => {
  await start();
  const keys: Keys = JSON.parse((await command('keys')).stdout);
  expect(keys.url).toBe(`http://localhost:${port}`);
  // The data lies in the folder where it was started.
  const person = await createPerson({ ...keys, dataFolder: join(folder, 'data') }, { plan: 'pro' });
  expect(await (await fetch(`${keys.url}/`)).text()).toContain('<title>');
  expect((await fetch(`${keys.url}/sw.js`)).status).toBe(200);
  expect((await fetch(`${keys.url}/terms`)).status).toBe(200);

  const prices = await person.client.functions.invoke('list-prices', { method: 'GET' });
  expect(prices.error).toBeNull();
  expect(JSON.stringify(prices.data)).toContain('pro');

  const { categoryId } = await createShelf(person);
  // Its SDK is loaded with the first message.
  const deployment = { ...keys, dataFolder: join(folder, 'data') };
  const { token } = await createPersonalToken(deployment, person, 'links:read');
  const assistant = await connectAssistant(deployment, token);
  expect((await assistant.call('list_folders')).body['folders']).toMatchObject([{ name: 'Trabalho' }]);

  // The plain API, whose document is made when it is first asked for, and the command that speaks to it.
  expect((await fetch(`${keys.url}/api/v1/docs`)).status).toBe(200);
  const link = { url: 'https://exemplo.test/', title: 'Meu', category_id: categoryId, user_id: person.id };
  await person.client.from('links').insert(link).throwOnError();
  const env = { ...machine(), LINKOTECA_URL: keys.url, LINKOTECA_TOKEN: token };
  const listed = await run('npx', ['--no-install', 'linkoteca', 'list'], { cwd: folder, env });
  expect(listed.stdout).toBe('Meu  https://exemplo.test/\n');

  const shared = await person.client.rpc('save_sharing', {
    category_id: categoryId,
    is_public: true,
    emails: [],
  });
  expect(shared.error).toBeNull();
  const painted = await fetch(`${keys.url}/shared/${categoryId}/image.png`);
  expect([painted.status, painted.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect((await command('demo')).stdout).toContain('Conta de demonstração');

  // SIGTERM ends it, and a second start finds what was kept.
  await end('SIGTERM');
  await expect(fetch(`${keys.url}/health`)).rejects.toThrow();
  await start();
  const { email, password } = person;
  expect((await createVisitor(keys).auth.signInWithPassword({ email, password })).error).toBeNull();
  await end('SIGTERM');
});
