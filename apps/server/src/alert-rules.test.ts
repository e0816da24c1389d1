import { readFileSync } from 'node:fs';
import { evaluateAlert, type Scrape } from '@linkoteca/server-process/evaluate-alert';
import { readAlerts } from '@linkoteca/server-process/read-alerts';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { eventually } from '@linkoteca/test-kit/eventually';
import Fastify from 'fastify';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { letRest } from './backups/let-rest.ts';
import { createJob } from './jobs/create-job.ts';
import { registerJobMetrics } from './jobs/register-job-metrics.ts';
import {
  declareDeletionPurge,
  declareFileSweep,
  declareHistoryPurge,
  declareIdempotencyKeyPurge,
  declareSearchZoneRefresh,
  declareShortIdPurge,
  declareUploadSweep,
} from './jobs/sweeps.ts';
import { createFakeTimers } from './jobs/test-support/create-fake-timers.ts';
import { declareWebhookPurge } from './jobs/webhooks/webhook-job.ts';
import { asServiceRole, createDatabase, type Database } from './kernel/database.ts';
import { createOperatorAccess } from './kernel/gateway/operator-access.ts';
import { registerMetrics } from './kernel/gateway/register-metrics.ts';
import { createHealth } from './kernel/health/create-health.ts';
import type { DiskSpace } from './kernel/health/disk-space.ts';
import { registerPaymentMetrics } from './payments/payment-metrics.ts';
import {
  type InstallationMetricsDeps,
  registerInstallationMetrics,
} from './register-installation-metrics.ts';

const alerts = readAlerts();
/** What a busy machine reads late is not to be shown as it was before. */
const PATIENCE_MS = 20_000;

let database: ThrowawayDatabase;
let pool: Database;
let registry: Registry;
let disk: DiskSpace;
/** A minute passes from one look to the next: nothing is shown as it was before. */
let now: () => Date;
function registerInstallation(deps: Partial<InstallationMetricsDeps> = {}) {
  registerInstallationMetrics(registry, {
    db: { pool: database.callers },
    now,
    folders: { data: '/data' },
    readSpace: async () => disk,
    version: '1.0.0',
    patienceMs: PATIENCE_MS,
    ...deps,
  });
}
beforeEach(async () => {
  database = await createThrowawayDatabase();
  pool = createDatabase({ ...database.authenticator, max: 1 });
  registry = new Registry();
  disk = { freeBytes: 50e9, sizeBytes: 100e9, freeFiles: undefined };
  let time = Date.now();
  now = () => {
    time += 60_000;
    return new Date(time);
  };
  const db = { pool: database.callers };
  registerPaymentMetrics(registry, { db, now, patienceMs: PATIENCE_MS });
  registerInstallation();
  const app = Fastify();
  registerMetrics(app, {
    registry,
    pools: [pool],
    access: 'everyone',
    operator: createOperatorAccess({ siteUrl: 'http://localhost:3000', trustProxy: false, key: 'key' }),
    health: createHealth({ probes: db, requiredMigrations: { platform: [], product: [] } }),
  });
  onTestFinished(async () => {
    await app.close();
  });
});
afterEach(async () => {
  await pool.pool.end();
  await database.drop();
});

const scrape = async (at = Date.now() / 1000): Promise<Scrape> => ({ at, text: await registry.metrics() });
const evaluate = (name: string, ...scrapes: Scrape[]) => evaluateAlert(alerts.get(name) ?? '', scrapes);

/** Quiet before its cause, and not after. @returns the labels of what fires. */
async function expectToFire(name: string, cause: () => unknown) {
  expect(evaluate(name, await scrape())).toEqual([]);
  await cause();
  const firing = evaluate(name, await scrape());
  expect(firing.length).toBeGreaterThan(0);
  return firing;
}

test('LinkotecaDiskAlmostFull: a tenth of the disk is left', async () => {
  const firing = await expectToFire('LinkotecaDiskAlmostFull', () => {
    disk = { ...disk, freeBytes: 10e9 };
  });
  expect(firing).toEqual([{ place: 'data' }]);
});

test('LinkotecaConnectionsExhausted: more ask than there are connections, all the time', async () => {
  const ask = () => asServiceRole(pool, 'slow', (tx) => tx.query({ text: 'select pg_sleep(0.05)' }));
  // The login of the one connection is waited for as well.
  await ask();
  const before = await scrape(0);
  await ask();
  expect(evaluate('LinkotecaConnectionsExhausted', before, await scrape(1))).toEqual([]);
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: 20 }, ask));
  const after = await scrape(1 + (performance.now() - startedAt) / 1000);
  expect(evaluate('LinkotecaConnectionsExhausted', before, after)).toEqual([{}]);
});

test('LinkotecaEventLoopLate: the process is busy with something else', async () => {
  const pause = () => new Promise((resolve) => setTimeout(resolve, 30));
  const look = async () => evaluate('LinkotecaEventLoopLate', await scrape());
  // Each look begins anew: on a busy machine the process may be late by itself.
  await expect.poll(look).toEqual([]);
  for (let time = 0; time < 2; time += 1) {
    const until = performance.now() + 700;
    while (performance.now() < until);
    await pause();
  }
  expect(await look()).not.toEqual([]);
});

test('LinkotecaMailsWait: a mail has been in the queue since this morning', async () => {
  const { id } = await createUser(database.admin);
  const firing = await expectToFire('LinkotecaMailsWait', () =>
    database.admin.query(
      `insert into private.account_mails (user_id, kind, occasion, deadline, queued_at)
       values ($1, 'deleted', now(), now(), now() - interval '3 hours')`,
      [id],
    ),
  );
  expect(firing).toEqual([{ queue: 'account' }]);
});

/** As the command and the schedule write it. */
async function recordBackup(fields: { readonly finished?: string; readonly failed?: string }): Promise<void> {
  await database.admin.query(
    `insert into linkoteca_platform.backups (kind, finished_at, bytes, failed_at)
     values ('scheduled', now() - $1::interval, 1000, now() - $2::interval)
     on conflict (kind) do update set finished_at = excluded.finished_at, failed_at = excluded.failed_at`,
    [fields.finished ?? null, fields.failed ?? null],
  );
}

test('LinkotecaBackupOld: the last good one is of three days ago, or there never was one', async () => {
  await recordBackup({ finished: '1 day' });
  await expectToFire('LinkotecaBackupOld', () => recordBackup({ finished: '3 days' }));
  await recordBackup({ failed: '1 minute' });
  expect(evaluate('LinkotecaBackupOld', await scrape())).toEqual([{}]);
});

test('LinkotecaBackupOld: of weekly ones two are missing', async () => {
  registry = new Registry();
  registerInstallation({ backupEveryMs: 7 * 86_400_000 });
  await recordBackup({ finished: '13 days' });
  await expectToFire('LinkotecaBackupOld', () => recordBackup({ finished: '15 days' }));
});

test('LinkotecaBackupFailed: one failed since the last good one', async () => {
  await recordBackup({ finished: '1 day', failed: '2 days' });
  await expectToFire('LinkotecaBackupFailed', () => recordBackup({ finished: '1 day', failed: '1 minute' }));
  expect(await registry.metrics()).toContain('linkoteca_backup_size_bytes 1000');
});

test.each([
  ['file_sweep', '3 days'],
  ['account_upkeep', '5 hours'],
])('LinkotecaRoundMissed: %s was finished %s ago', async (round, age) => {
  const finish = (interval: string) =>
    database.admin.query(
      `insert into private.finished_rounds values ($1, now() - $2::interval)
       on conflict (round) do update set finished_at = excluded.finished_at`,
      [round, interval],
    );
  await finish('30 minutes');
  expect(await expectToFire('LinkotecaRoundMissed', () => finish(age))).toEqual([{ round }]);
});

test('LinkotecaRoundMissed, LinkotecaBackupOld: what waits in a database that comes back from the past is not missed', async () => {
  await recordBackup({ finished: '3 days' });
  await database.admin.query(
    `insert into private.finished_rounds values ('account_upkeep', now() - interval '3 days')`,
  );
  const listFiring = async () => {
    const look = await scrape();
    return ['LinkotecaRoundMissed', 'LinkotecaBackupOld'].filter((name) => evaluate(name, look).length > 0);
  };
  expect(await listFiring()).toEqual(['LinkotecaRoundMissed', 'LinkotecaBackupOld']);
  const at = new Date();
  await letRest(database.connection, new Date(at.getTime() - 3 * 86_400_000), at);
  expect(await listFiring()).toEqual([]);
});

test('LinkotecaJobFails: one has failed since half an hour', async () => {
  const timers = createFakeTimers();
  let run = async () => undefined as unknown;
  const onFailure = vi.fn();
  const job = createJob(
    { name: 'deletion_purge', everyMs: 300_000, run: () => run(), onFailure },
    { timers, metrics: registerJobMetrics(registry) },
  );
  job.start();
  const before = await scrape();
  const firing = async () => evaluate('LinkotecaJobFails', before, await scrape());
  expect(await firing()).toEqual([]);
  run = () => Promise.reject(new Error('broken'));
  for (let failures = 1; failures <= 6; failures += 1) {
    expect(await firing()).toEqual([]);
    timers.advance(300_000);
    await eventually(() => expect(onFailure).toHaveBeenCalledTimes(failures));
  }
  expect(await firing()).toEqual([{ name: 'deletion_purge' }]);
});

const quiet = { warn: () => undefined };
// Of backups other alerts tell.
test.each([
  () => declareDeletionPurge(pool, quiet),
  () => declareFileSweep({ db: pool, logger: quiet } as never),
  () => declareHistoryPurge(pool, quiet),
  () => declareIdempotencyKeyPurge(pool, quiet),
  () => declareSearchZoneRefresh(pool, quiet),
  () => declareShortIdPurge(pool, quiet),
  () => declareUploadSweep({ db: pool, logger: quiet } as never),
  () => declareWebhookPurge(pool, quiet),
])('LinkotecaJobFails: a job has failed each time, however seldom it runs (%#)', (declare) => {
  const { name, everyMs } = declare();
  expectToFireAtLast(name, Number(everyMs) / 1000);
});

// These look more often than they work: the turn is one for all copies of the server.
test.each([
  ['account_upkeep', 1],
  ['account_upkeep', 3],
  ['reconciliation', 1],
  ['reconciliation', 3],
])('LinkotecaJobFails: %s has failed at each turn, of %i copies', (name, copies) => {
  expectToFireAtLast(name, copies * (name === 'reconciliation' ? 3600 : 1200));
});

function expectToFireAtLast(name: string, seconds: number): void {
  const looks = Array.from({ length: 1 + (4 * 86_400) / seconds }, (_, failures) => ({
    at: failures * seconds,
    text: `linkoteca_job_failures_total{name="${name}"} ${failures}`,
  }));
  expect(evaluate('LinkotecaJobFails', ...looks)).toEqual([{ name }]);
  expect(evaluate('LinkotecaJobFails', ...looks.slice(0, 2))).toEqual([]);
}

test('LinkotecaReconciliationMissed: the last one is of three days ago', async () => {
  const finish = (interval: string) =>
    database.admin.query(
      'update private.subscription_reconciliation set finished_at = now() - $1::interval, checked = 0, repaired = 0',
      [interval],
    );
  await finish('1 day');
  await expectToFire('LinkotecaReconciliationMissed', () => finish('3 days'));
});

test('LinkotecaPaymentEventsWait: an event was heard and not applied', async () => {
  await expectToFire('LinkotecaPaymentEventsWait', () =>
    database.admin.query(
      `insert into private.stripe_events (id, type, created_at) values ('evt_1', 'invoice.paid', now())`,
    ),
  );
});

test('every alert has a test that makes its cause', () => {
  const listTested = (path: string) =>
    [
      ...readFileSync(new URL(path, import.meta.url), 'utf8').matchAll(
        /test(?:\.each\([^)]*\))?\(\s*'([^']*):/g,
      ),
    ].flatMap(([, names = '']) => names.split(', '));
  const tested = new Set([
    ...listTested('alert-rules.test.ts'),
    ...listTested('../../../conformance/src/alerts.test.ts'),
  ]);
  expect([...alerts.keys()].filter((name) => !tested.has(name))).toEqual([]);
  expect(alerts.size).toBeGreaterThan(10);
});
