import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createDataFolder, type DataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { type ServerProcess, startServerProcess } from '@linkoteca/server-process/start-server-process';
import { type SharedPostgres, startSharedPostgres } from '@linkoteca/server-process/start-shared-postgres';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readKeys } from './support/read-keys.ts';

let data: DataFolder;
let postgres: SharedPostgres;
let server: ServerProcess;
let headers: Readonly<Record<string, string>>;
// One of the tests takes its database away: each has a server of its own.
beforeEach(async () => {
  [data, postgres] = await Promise.all([createDataFolder(), startSharedPostgres()]);
  const port = await findFreePort();
  const environment = { DATABASE_URL: postgres.url };
  server = await startServerProcess({ dataFolder: data.path, port, environment });
  const { serviceRoleKey } = await readKeys({ dataFolder: data.path, port });
  headers = { apikey: serviceRoleKey, authorization: `Bearer ${serviceRoleKey}` };
});
afterEach(async () => {
  await server.kill();
  // Already done where the test did it.
  await postgres.stop().catch(() => undefined);
  await data.remove();
});

type Line = { readonly level: string; readonly msg: string; readonly err?: { readonly message: string } };

const listLines = (since: number): Line[] =>
  server
    .output()
    .slice(since)
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);

const ADDRESSES = [
  ['POST', '/storage/v1/object/arquivos/x/cortado.bin', 'application/octet-stream'],
  ['POST', '/rest/v1/links', 'application/json'],
  ['POST', '/rest/v1/rpc/search_links', 'application/json'],
  ['POST', '/auth/v1/token?grant_type=password', 'application/json'],
  ['POST', '/realtime/v1/api/broadcast', 'application/json'],
  ['POST', '/functions/v1/list-prices', 'application/json'],
  ['POST', '/functions/v1/stripe-webhook', 'application/json'],
] as const;
const READS = ['/rest/v1/links?select=*', '/storage/v1/bucket', '/auth/v1/admin/users', '/', '/health/ready'];

function open(method: string, path: string, more: Readonly<Record<string, string>> = {}): ClientRequest {
  const sent = request(`${server.url}${path}`, { method, headers: { ...headers, ...more } });
  // It ends in the middle, which is what is tried.
  sent.on('error', () => undefined);
  return sent;
}

/** Sends half of what it announces, and hangs up. */
async function breakOffSending([method, path, type]: (typeof ADDRESSES)[number]): Promise<void> {
  const sent = open(method, path, { 'content-type': type, 'content-length': '200000' });
  sent.write(`{"a":"${'x'.repeat(100_000)}`);
  await once(sent, 'socket');
  await pause(30);
  sent.destroy();
}

/** Asks, and is gone before the answer. */
async function breakOffWaiting(path: string, afterMs: number): Promise<void> {
  const sent = open('GET', path);
  sent.end();
  await pause(afterMs);
  sent.destroy();
}

test('a client that hangs up leaves no line, and is no failed request', async () => {
  const since = server.output().length;
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(ADDRESSES.map(breakOffSending));
    await Promise.all(READS.flatMap((path) => [0, 2, 10].map((afterMs) => breakOffWaiting(path, afterMs))));
  }
  // What a request leaves behind is written before one that came later is answered.
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
  expect(listLines(since)).toEqual([]);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).not.toMatch(/linkoteca_http_requests_total{[^}]*status="5\d\d"}/);
});

test('five hundred requests and every job without a database leave one line a level', async () => {
  const since = server.output().length;
  await postgres.stop();
  const statuses = new Set<number>();
  for (let round = 0; round < 100; round += 1) {
    const paths = [
      ...READS.slice(0, 3),
      '/rest/v1/folders?select=id',
      '/shared/00000000-0000-4000-8000-000000000000',
    ];
    const answers = await Promise.all(paths.map((path) => fetch(`${server.url}${path}`, { headers })));
    for (const answer of answers) {
      statuses.add(answer.status);
      await answer.arrayBuffer();
    }
  }
  expect([...statuses]).toEqual([503]);
  const lines = listLines(since);
  const count = (level: string) => lines.filter((line) => line.level === level).length;
  expect(count('error'), JSON.stringify(lines)).toBe(1);
  // One says that the database is away, one that nobody who looks at its log hears of changes.
  expect(count('warn'), JSON.stringify(lines)).toBeLessThanOrEqual(2);
});
