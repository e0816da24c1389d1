import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createDataFolder, type DataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { PROJECT_FOLDER } from '@linkoteca/server-process/run-project-command';
import { startServerProcess } from '@linkoteca/server-process/start-server-process';
import { startSharedPostgres } from '@linkoteca/server-process/start-shared-postgres';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

/** What orchestrators grant a process that is to end. */
const GRACE_SECONDS = 30;

let data: DataFolder;
beforeEach(async () => {
  data = await createDataFolder();
});
afterEach(() => data.remove());

/** Starts a server and does not wait for it. */
async function spawnServer(environment: Readonly<Record<string, string>> = {}): Promise<{
  readonly url: string;
  readonly child: ChildProcess;
  output(): string;
}> {
  const port = String(await findFreePort());
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [join(PROJECT_FOLDER, 'apps/server/src/main.ts')], {
    env: {
      ...process.env,
      DATA_DIR: data.path,
      HOST: '127.0.0.1',
      PORT: port,
      SITE_URL: url,
      ...environment,
    },
    // The last is how a launcher holds it.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += String(chunk);
    });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { url, child, output: () => output };
}

/** @returns seconds until it has ended. */
async function terminate(child: ChildProcess): Promise<number> {
  const since = performance.now();
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  await ended;
  return (performance.now() - since) / 1000;
}

const healthOf = (url: string) =>
  fetch(`${url}/health`).then(
    ({ status }) => status,
    () => 0,
  );

const listChildren = (processId: number) =>
  spawnSync('ps', ['-o', 'pid=', '--ppid', String(processId)], { encoding: 'utf8' })
    .stdout.split(/\s+/)
    .map(Number)
    .filter((child) => child > 0);

const signalAll = (processIds: readonly number[], signal: NodeJS.Signals) => {
  for (const processId of processIds) {
    try {
      process.kill(processId, signal);
    } catch {
      // It has ended.
    }
  }
};

describe('a second server on a data folder', () => {
  test('says whose it is and ends; told to wait, it takes over when the first has stopped', async () => {
    const first = await startServerProcess({ dataFolder: data.path, port: await findFreePort() });
    onTestFinished(() => first.kill());
    const refused = await spawnServer();
    const [code] = (await once(refused.child, 'close')) as [number];
    expect(code).toBe(1);
    expect(refused.output()).toMatch(
      new RegExp(
        `^Outra cópia da Linkoteca \\(processo ${first.pid}, desde .*\\) já usa a pasta de dados .*\\n$`,
      ),
    );

    const waiting = await spawnServer({ WAIT_FOR_DATA_DIR: 'true' });
    await expect.poll(() => waiting.output(), { timeout: 20_000 }).toContain('is in use; waiting');
    expect(await healthOf(first.url)).toBe(200);
    expect(await healthOf(waiting.url)).toBe(0);
    expect(await first.stop()).toBe(0);
    await expect.poll(() => healthOf(waiting.url), { timeout: 30_000 }).toBe(200);
    expect(await terminate(waiting.child)).toBeLessThan(GRACE_SECONDS);
  }, 90_000);
});

describe('SIGTERM', () => {
  test('ends a server in time whose own Postgres is frozen while it starts, and the next one starts', async () => {
    const { child } = await spawnServer();
    const pidFile = join(data.path, 'postgres/cluster/postmaster.pid');
    let postmaster = 0;
    while (!(postmaster > 0)) {
      postmaster = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]);
      if (!(postmaster > 0)) await pause(1);
    }
    process.kill(postmaster, 'SIGSTOP');
    const frozen = [postmaster, ...listChildren(postmaster)];
    signalAll(frozen, 'SIGSTOP');
    onTestFinished(() => signalAll(frozen, 'SIGKILL'));
    expect(await terminate(child)).toBeLessThan(GRACE_SECONDS);
    const next = await startServerProcess({ dataFolder: data.path, port: await findFreePort() });
    expect(await next.stop()).toBe(0);
  }, 120_000);

  test('ends a server in time whose external Postgres is frozen', async () => {
    const shared = await startSharedPostgres();
    const server = await startServerProcess({
      dataFolder: data.path,
      port: await findFreePort(),
      environment: { DATABASE_URL: shared.url },
    });
    const { rows } = await shared.query('select pg_backend_pid() as id');
    const postmaster = Number(
      spawnSync('ps', ['-o', 'ppid=', '-p', String(rows[0].id)], { encoding: 'utf8' }).stdout,
    );
    const frozen = [postmaster, ...listChildren(postmaster)];
    signalAll(frozen, 'SIGSTOP');
    onTestFinished(async () => {
      signalAll(frozen, 'SIGCONT');
      await server.kill();
      await shared.stop();
    });
    const hanging = fetch(`${server.url}/health`).catch(() => undefined);
    const since = performance.now();
    await server.stop();
    expect((performance.now() - since) / 1000).toBeLessThan(GRACE_SECONDS);
    await hanging;
  }, 120_000);
});

test('a server whose launcher is killed while it still loads does not stay behind', async () => {
  const { child, output } = await spawnServer();
  child.disconnect();
  const [code] = (await once(child, 'exit')) as [number | null];
  // A start that takes long on a busy machine is not waited for.
  if (code !== 0)
    expect([code, output()]).toEqual([1, expect.stringContaining('antes de terminar de iniciar')]);
});
