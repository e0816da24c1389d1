import { setTimeout as pause } from 'node:timers/promises';
import { createDataFolder, type DataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { type ServerProcess, startServerProcess } from '@linkoteca/server-process/start-server-process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openRawSocket } from './support/open-raw-socket.ts';
import { freezePostgres } from './support/postgres-processes.ts';
import { readKeys } from './support/read-keys.ts';

let data: DataFolder;
let server: ServerProcess;
beforeEach(async () => {
  data = await createDataFolder();
});
afterEach(async () => {
  await server.kill();
  await data.remove();
});

async function start(
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly anonKey: string; readonly serviceRoleKey: string }> {
  const port = await findFreePort();
  server = await startServerProcess({ dataFolder: data.path, port, environment });
  return readKeys({ dataFolder: data.path, port });
}

const statusOf = async (path: string) => (await fetch(`${server.url}${path}`)).status;

/** @returns the exit code, and seconds until then. */
async function signal(
  name: NodeJS.Signals,
): Promise<{ readonly code: number | null; readonly seconds: number }> {
  const startedAt = performance.now();
  process.kill(server.pid, name);
  const code = await server.ended;
  return { code, seconds: (performance.now() - startedAt) / 1000 };
}

describe('SIGTERM with DRAIN_SECONDS', () => {
  test('is not ready at once, answers new connections to the end, and tells sockets to come back', async () => {
    const { anonKey, serviceRoleKey } = await start({ DRAIN_SECONDS: '6' });
    expect(await statusOf('/health/ready')).toBe(200);
    const socket = await openRawSocket({ url: server.url, anonKey }, '2.0.0');
    const stopping = signal('SIGTERM');
    await expect.poll(() => statusOf('/health/ready'), { interval: 20 }).toBe(503);
    const startedAt = performance.now();
    const seen = new Set<number>();
    while (performance.now() - startedAt < 1_500) {
      // Each over a connection of its own: the server keeps none.
      const headers = { apikey: serviceRoleKey };
      seen.add((await fetch(`${server.url}/rest/v1/profiles?select=id`, { headers })).status);
      seen.add(await statusOf('/health/live'));
      await pause(100);
    }
    expect([...seen]).toEqual([200]);
    const { code, seconds } = await stopping;
    expect(code).toBe(0);
    expect(seconds).toBeGreaterThan(5.9);
    expect(seconds).toBeLessThan(30);
    expect(await socket.closed).toBe(1012);
  });

  test('a second signal, and Ctrl+C in its place, end it at once', async () => {
    await start({ DRAIN_SECONDS: '60' });
    const stopping = signal('SIGTERM');
    await expect.poll(() => statusOf('/health/ready'), { interval: 20 }).toBe(503);
    process.kill(server.pid, 'SIGTERM');
    expect(await stopping).toMatchObject({ code: 1 });
    expect((await stopping).seconds).toBeLessThan(30);
    await start({ DRAIN_SECONDS: '60' });
    const { code, seconds } = await signal('SIGINT');
    expect(code).toBe(0);
    expect(seconds).toBeLessThan(30);
  });

  test('with a frozen Postgres nobody waits: health says so in time, and the end comes within 30 s', async () => {
    const { serviceRoleKey } = await start({ DRAIN_SECONDS: '60' });
    const frozen = await freezePostgres(data.path);
    try {
      // Requests that hang on the database, and a monitor that looks meanwhile.
      const headers = { apikey: serviceRoleKey };
      const hanging = [1, 2, 3].map(() =>
        fetch(`${server.url}/rest/v1/profiles?select=id`, { headers }).catch(() => undefined),
      );
      const ask = async (path: string) => {
        const startedAt = performance.now();
        const status = await statusOf(path);
        expect(performance.now() - startedAt).toBeLessThan(3_000);
        return status;
      };
      await expect.poll(() => ask('/health/ready'), { timeout: 5_000 }).toBe(503);
      expect(await ask('/health/live')).toBe(200);
      expect((await signal('SIGTERM')).seconds).toBeLessThan(30);
      await Promise.all(hanging);
    } finally {
      frozen.kill();
    }
  });
});
