import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createDataFolder, type DataFolder } from '@linkoteca/server-process/create-data-folder';
import { evaluateAlert, type Scrape } from '@linkoteca/server-process/evaluate-alert';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { openServerDatabase } from '@linkoteca/server-process/open-server-database';
import { readAlerts, readDashboard } from '@linkoteca/server-process/read-alerts';
import { type ServerProcess, startServerProcess } from '@linkoteca/server-process/start-server-process';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findPostgres, freezePostgres } from './support/postgres-processes.ts';
import { readKeys } from './support/read-keys.ts';
import { required } from './support/required.ts';

const alerts = readAlerts();
/** They speak of the machine that the tests run on. */
const OF_THE_MACHINE = ['LinkotecaDiskAlmostFull', 'LinkotecaEventLoopLate'];

let data: DataFolder;
let server: ServerProcess;
let port: number;
let headers: Readonly<Record<string, string>>;
beforeAll(async () => {
  data = await createDataFolder();
  port = await findFreePort();
  server = await startServerProcess({ dataFolder: data.path, port });
  headers = { apikey: (await readKeys({ dataFolder: data.path, port })).serviceRoleKey };
});
afterAll(async () => {
  await server.kill();
  await data.remove();
});

/** As Prometheus does: whoever does not answer is not up. */
async function scrape(): Promise<Scrape> {
  const text = await fetch(`${server.url}/metrics`).then(
    (answer) => answer.text(),
    () => undefined,
  );
  return { at: Date.now() / 1000, text };
}

const listFiring = (...scrapes: readonly Scrape[]): string[] =>
  [...alerts].filter(([, rule]) => evaluateAlert(rule, scrapes).length > 0).map(([name]) => name);

const becomes = (path: string, status: number) =>
  expect
    .poll(async () => (await fetch(`${server.url}${path}`)).status, { timeout: 30_000, interval: 50 })
    .toBe(status);

test('every metric of the rules and the dashboard is there on a real server', async () => {
  const { text = '' } = await scrape();
  const there = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  const expressions = [...alerts.values(), ...readDashboard()];
  const named = expressions.flatMap((expression) => expression.match(/\b(?:linkoteca|process)_\w+/g) ?? []);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !there.has(name.replace(/_(?:sum|count|bucket)$/, '')))).toEqual([]);
});

test('a healthy server raises no alert', async () => {
  const first = await scrape();
  expect((await fetch(`${server.url}/rest/v1/folders?select=id`, { headers })).status).toBe(200);
  const firing = listFiring(first, await scrape());
  expect(firing.filter((name) => !OF_THE_MACHINE.includes(name))).toEqual([]);
});

test('LinkotecaPostgresRestarts, LinkotecaChangesMissed: Postgres dies again and again', async () => {
  const before = await scrape();
  for (let time = 0; time < 2; time += 1) {
    await expect
      .poll(async () => (await scrape()).text, { timeout: 30_000 })
      .toContain('linkoteca_realtime_feed_live 1');
    const postgres = await findPostgres(data.path);
    process.kill(postgres, 'SIGKILL');
    await expect
      .poll(() => findPostgres(data.path).catch(() => postgres), { timeout: 30_000, interval: 50 })
      .not.toBe(postgres);
    await becomes('/health', 200);
  }
  await expect
    .poll(async () => listFiring(before, await scrape()), { timeout: 30_000 })
    .toEqual(expect.arrayContaining(['LinkotecaPostgresRestarts', 'LinkotecaChangesMissed']));
});

test('LinkotecaDatabaseDown, LinkotecaNotReady, LinkotecaErrors: Postgres is frozen, and metrics still answer', async () => {
  await becomes('/health/ready', 200);
  const before = await scrape();
  const frozen = await freezePostgres(data.path);
  try {
    // Some hang on a connection, the others wait in vain for one.
    for (let asked = 0; asked < 20; asked += 1)
      fetch(`${server.url}/rest/v1/folders?select=id`, { headers }).catch(() => undefined);
    await becomes('/health/ready', 503);
    await expect.poll(async () => (await scrape()).text, { timeout: 10_000 }).toMatch(/status="503"/);
    const startedAt = performance.now();
    const after = await scrape();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(listFiring(before, after)).toEqual(
      expect.arrayContaining(['LinkotecaDatabaseDown', 'LinkotecaNotReady', 'LinkotecaErrors']),
    );
    const down = required(alerts.get('LinkotecaNotReady'));
    expect(evaluateAlert(down, [after])).toContainEqual({ condition: 'database' });
  } finally {
    frozen.thaw();
  }
  await becomes('/health/ready', 200);
});

/** A server that archives its log, in folders of its own. */
async function startArchiving() {
  const [kept, archive, port] = await Promise.all([createDataFolder(), createDataFolder(), findFreePort()]);
  onTestFinished(kept.remove);
  onTestFinished(archive.remove);
  const environment = { WAL_ARCHIVE_DIR: archive.path };
  const archiving = await startServerProcess({ dataFolder: kept.path, port, environment });
  onTestFinished(async () => {
    await archiving.kill();
  });
  const database = await openServerDatabase(kept.path);
  onTestFinished(() => database.end());
  const read = async () => (await fetch(`${archiving.url}/metrics`)).text();
  return {
    dataFolder: kept.path,
    port,
    archiving,
    /** What it archives into; there, or away. */
    disk: [join(archive.path, 'wal'), join(archive.path, 'away')] as const,
    read,
    evaluate: async () => {
      await database.query(
        `select pg_logical_emit_message(false, 'test', 'something to archive'), pg_switch_wal()`,
      );
      return evaluateArchiving(await read());
    },
  };
}

const evaluateArchiving = (text: string) =>
  evaluateAlert(required(alerts.get('LinkotecaArchivingFails')), [{ at: Date.now() / 1000, text }]);

test('LinkotecaArchivingFails: the disk of the archive goes away, and comes back', async () => {
  const { disk, read, evaluate } = await startArchiving();
  const [there, away] = disk;
  await expect
    .poll(read, { timeout: 30_000 })
    .toMatch(/^linkoteca_wal_archive_finished_timestamp_seconds \d/m);
  expect(await evaluate()).toEqual([]);
  await rename(there, away);
  await expect.poll(evaluate, { timeout: 30_000, interval: 500 }).toEqual([{}]);
  await rename(away, there);
  await expect.poll(evaluate, { timeout: 90_000, interval: 500 }).toEqual([]);
}, 150_000);

test('LinkotecaArchivingFails: no longer where archiving was given up while it failed', async () => {
  const { dataFolder, port, archiving, disk, evaluate } = await startArchiving();
  await rename(...disk);
  await expect.poll(evaluate, { timeout: 30_000, interval: 500 }).toEqual([{}]);
  await archiving.stop();
  const without = await startServerProcess({ dataFolder, port });
  onTestFinished(async () => {
    await without.kill();
  });
  const text = await (await fetch(`${without.url}/metrics`)).text();
  expect(evaluateArchiving(text)).toEqual([]);
}, 150_000);

test('LinkotecaDown: the server has gone', async () => {
  await server.stop();
  const gone = await scrape();
  server = await startServerProcess({ dataFolder: data.path, port });
  expect(listFiring(gone)).toEqual(['LinkotecaDown']);
});
