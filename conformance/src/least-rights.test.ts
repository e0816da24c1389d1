import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDataFolder, type DataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { type ServerProcess, startServerProcess } from '@linkoteca/server-process/start-server-process';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createPerson } from './support/create-person.ts';
import { readKeys } from './support/read-keys.ts';

const isRoot = process.getuid?.() === 0;

let data: DataFolder;
let server: ServerProcess;
beforeAll(async () => {
  data = await createDataFolder();
  // As a server has left it that went on as root.
  for (const folder of ['mail', 'storage/old']) await mkdir(join(data.path, folder), { recursive: true });
  await writeFile(join(data.path, 'storage/old/file'), 'root’s', { mode: 0o600 });
  server = await startServerProcess({ dataFolder: data.path, port: await findFreePort() });
});
afterAll(async () => {
  await server.stop();
  await data.remove();
});

type Listed = {
  readonly uid: number;
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
};

/** The server and everything that it has started. */
function listProcesses(): readonly Listed[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const all = pids.flatMap((pid): Listed[] => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return [{ uid: read('Uid'), pid: Number(pid), parent: read('PPid'), command }];
    } catch {
      // It has ended in the meantime.
      return [];
    }
  });
  const below = (pid: number): Listed[] =>
    all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
  return [...all.filter(({ pid }) => pid === server.pid), ...below(server.pid)];
}

describe.runIf(process.platform === 'linux')('a server', () => {
  test('that root has started goes on without root’s rights; any other keeps its account', async () => {
    await vi.waitFor(() => {
      const own = listProcesses().find(({ pid }) => pid === server.pid);
      if (isRoot) expect(own?.uid).not.toBe(0);
      else expect(own?.uid).toBe(process.getuid?.());
    });
    const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
    if (isRoot) {
      expect(status).toMatch(/^CapEff:\s+0+$/m);
      expect(status).toMatch(/^CapPrm:\s+0+$/m);
      expect(status).not.toMatch(/^(?:Uid|Gid|Groups):.*\b0\b/m);
    }
  });

  test('cannot read what it has signed with from the disk, once it is no longer root’s', () => {
    const secrets = join(data.path, 'secrets.json');
    expect(statSync(secrets).mode & 0o077).toBe(0);
    const { uid } = listProcesses().find(({ pid }) => pid === server.pid) ?? {};
    const { status } = spawnSync('cat', [secrets], { uid, gid: uid });
    if (isRoot) expect(status).not.toBe(0);
    else expect(status).toBe(0);
  });

  test('does all that it did: mails, files, functions, and Postgres again after a crash', async () => {
    const keys = await readKeys({ dataFolder: data.path, port: Number(new URL(server.url).port) });
    const deployment = { ...keys, url: server.url, dataFolder: data.path };
    const person = await createPerson(deployment, { plan: 'pro' });
    const path = `${person.id}/a.txt`;
    const { error } = await person.client.storage
      .from('arquivos')
      .upload(path, new Blob(['olá'], { type: 'text/plain' }));
    expect(error).toBeNull();
    const preview = await fetch(`${server.url}/functions/v1/link-preview`, { method: 'OPTIONS' });
    expect(preview.status).toBeLessThan(300);
    const workers = listProcesses().filter(({ command }) => command.includes('worker/run-function.ts'));
    expect(workers).toHaveLength(1);
    if (isRoot) expect(workers[0]?.uid).toBeGreaterThanOrEqual(65_000);
    const postgres = listProcesses().filter(({ command }) => /bin\/postgres -D/.test(command));
    for (const { pid, uid } of postgres) {
      expect(uid).not.toBe(0);
      process.kill(pid, 'SIGKILL');
    }
    await vi.waitFor(
      async () => {
        const again = listProcesses().filter(({ command }) => /bin\/postgres -D/.test(command));
        expect(again.map(({ pid }) => pid)).not.toEqual(postgres.map(({ pid }) => pid));
        expect((await fetch(`${server.url}/health`)).status).toBe(200);
      },
      { timeout: 20_000, interval: 100 },
    );
    expect((await person.client.from('folders').select('id')).error).toBeNull();
    const downloaded = await person.client.storage.from('arquivos').download(path);
    expect(await downloaded.data?.text()).toBe('olá');
  });

  test('stops cleanly, leaves nothing running, and starts again on its folder', async () => {
    const before = listProcesses();
    expect(await server.stop()).toBe(0);
    expect(existsSync(join(data.path, 'postgres/server.lock'))).toBe(false);
    for (const { pid } of before)
      await vi.waitFor(() => expect(existsSync(`/proc/${pid}/exe`)).toBe(false), 5_000);
    server = await startServerProcess({ dataFolder: data.path, port: await findFreePort() });
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
  });

  test.runIf(isRoot)(
    'whose starter of functions is killed ends, so that it is started again',
    async () => {
      const starter = listProcesses().find(
        ({ parent, command }) => parent === server.pid && command.includes('runtime/launcher-process.ts'),
      );
      const { pid } = starter ?? expect.fail('nothing starts functions');
      // What stops every process at once leaves it to the server's end.
      process.kill(pid, 'SIGTERM');
      const preview = await fetch(`${server.url}/functions/v1/link-preview`, { method: 'OPTIONS' });
      expect(preview.status).toBeLessThan(300);
      process.kill(pid, 'SIGKILL');
      expect(await server.ended).toBe(1);
      expect(server.output()).toContain('the process that starts functions has ended: the server ends');
      server = await startServerProcess({ dataFolder: data.path, port: await findFreePort() });
    },
    15_000,
  );

  test('whose account could not reach its data keeps its rights, says so, and works', async () => {
    const closed = await createDataFolder();
    await chmod(join(closed.path, '..'), 0o700);
    const port = await findFreePort();
    const other = await startServerProcess({ dataFolder: closed.path, port });
    const isWarned = () => other.output().includes('the server keeps root’s rights');
    if (isRoot) await vi.waitFor(() => expect(isWarned()).toBe(true), 5_000);
    const preview = await fetch(`${other.url}/functions/v1/link-preview`, { method: 'OPTIONS' });
    const stopped = await other.stop();
    await closed.remove();
    expect([isWarned(), preview.status < 300, stopped]).toEqual([isRoot, true, 0]);
  });

  test('that is killed leaves nothing running either', async () => {
    await fetch(`${server.url}/functions/v1/link-preview`, { method: 'OPTIONS' });
    const before = listProcesses();
    expect(before.some(({ command }) => command.includes('worker/run-function.ts'))).toBe(true);
    await server.kill();
    for (const { pid } of before)
      await vi.waitFor(() => expect(existsSync(`/proc/${pid}/exe`)).toBe(false), 20_000);
    server = await startServerProcess({ dataFolder: data.path, port: await findFreePort() });
  });
});
