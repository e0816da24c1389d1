import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from '../kernel/create-logger.ts';
import { type JobDeclaration, runOnce } from './create-job.ts';
import { declareReconciliation, type ReconciliationDeps } from './reconciliation.ts';

let database: ThrowawayDatabase;
beforeEach(async () => {
  database = await createThrowawayDatabase();
  const { id } = await createUser(database.admin);
  await database.admin.query(`select public.claim_stripe_customer($1, 'cus_1')`, [id]);
  await setLastRun('1 day');
});
afterEach(() => database.drop());

const DONE = { checked: 3, repaired: 1, failed: 0, complete: true };
const NIGHT = new Date('2027-01-02T06:30:00Z');
const DAY = new Date('2027-01-02T15:00:00Z');

const setLastRun = (age: string) =>
  database.admin.query(
    `update private.subscription_reconciliation
     set started_at = now() - $1::interval, finished_at = now() - $1::interval, checked = null`,
    [age],
  );
const readRun = async () =>
  (
    await database.admin.query(
      `select checked, repaired, finished_at is not null as finished, now() - started_at < interval '1 minute' as now
       from private.subscription_reconciliation`,
    )
  ).rows[0];

function declare(
  reconcile: ReconciliationDeps['reconcile'],
  { now = DAY, logger = createLogger('silent'), hasProvider = false } = {},
): JobDeclaration {
  return declareReconciliation({
    db: { pool: database.callers },
    logger,
    reconcile,
    now: () => now,
    hasProvider,
  });
}

test('of several copies one reconciles, at once when the last run is older than a day', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const reconcile = vi.fn(async () => {
    await held;
    return DONE;
  });
  const had: boolean[] = [];
  const copies = [1, 2, 3].map(async () => had.push(await runOnce(declare(reconcile))));
  // While the one reconciles, the others find that there is nothing for them to do.
  await expect.poll(() => had).toEqual([false, false]);
  release();
  await Promise.all(copies);
  expect(had).toEqual([false, false, true]);
  expect(await readRun()).toEqual({ checked: 3, repaired: 1, finished: true, now: true });
  expect(await runOnce(declare(reconcile))).toBe(false);
  expect(reconcile).toHaveBeenCalledExactlyOnceWith(DAY);
});

test('after half a day the night is waited for', async () => {
  await setLastRun('13 hours');
  const reconcile = vi.fn(async () => DONE);
  expect(await runOnce(declare(reconcile))).toBe(false);
  expect(reconcile).not.toHaveBeenCalled();
  expect(await runOnce(declare(reconcile, { now: NIGHT }))).toBe(true);
});

test('where nobody is known to have bought the provider is asked, the emulator is not', async () => {
  await database.admin.query('update subscribers set stripe_customer_id = null');
  const reconcile = vi.fn(async () => DONE);
  expect(await runOnce(declare(reconcile))).toBe(false);
  expect(await runOnce(declare(reconcile, { hasProvider: true }))).toBe(true);
});

test('a run of several parts goes on until it is complete, all parts of one time', async () => {
  const reconcile = vi
    .fn<ReconciliationDeps['reconcile']>()
    .mockResolvedValue(DONE)
    .mockResolvedValueOnce({ ...DONE, complete: false })
    .mockResolvedValueOnce({ ...DONE, complete: false });
  await runOnce(declare(reconcile));
  expect(await readRun()).toMatchObject({ checked: 9, repaired: 3, finished: true });
  expect(reconcile.mock.calls).toEqual([[DAY], [DAY], [DAY]]);
});

test('a server that stops begins no other part', async () => {
  const reconcile = vi.fn(async () => ({ ...DONE, complete: false }));
  await runOnce(declare(reconcile), { shouldStop: () => reconcile.mock.calls.length > 1 });
  expect([reconcile.mock.calls.length, (await readRun()).finished]).toEqual([2, false]);
});

test('a provider that is away is not asked on and on: the run stays unfinished, has failed, and comes back in an hour', async () => {
  const reconcile = vi
    .fn<ReconciliationDeps['reconcile']>()
    .mockResolvedValue(DONE)
    .mockResolvedValueOnce({ checked: 8, repaired: 0, failed: 8, complete: false });
  const job = declare(reconcile);
  await expect(runOnce(job)).rejects.toThrow('"failed":8');
  expect(await runOnce(job)).toBe(false);
  expect([reconcile.mock.calls.length, (await readRun()).finished]).toEqual([1, false]);
  await database.admin.query(
    `update private.subscription_reconciliation set started_at = now() - interval '61 min'`,
  );
  expect(await runOnce(job)).toBe(true);
  expect((await readRun()).finished).toBe(true);
});

test('one customer whom the provider does not have holds nobody else up, and is told of', async () => {
  const logger = createLogger('silent');
  const warn = vi.spyOn(logger, 'warn');
  const reconcile = vi
    .fn<ReconciliationDeps['reconcile']>()
    .mockResolvedValue(DONE)
    .mockResolvedValueOnce({ checked: 8, repaired: 0, failed: 1, complete: false });
  await runOnce(declare(reconcile, { logger }));
  expect(reconcile).toHaveBeenCalledTimes(2);
  expect(await readRun()).toMatchObject({ checked: 11, repaired: 1, finished: true });
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    { checked: 11, repaired: 1, failed: 1, complete: true },
    'subscriptions reconciled in part',
  );
});

test('a function that fails is logged, except by a server that stops and takes it along', async () => {
  const logger = createLogger('silent');
  const warn = vi.spyOn(logger, 'warn');
  const job = declare(async () => Promise.reject(new Error('broken')), { logger });
  await expect(runOnce(job)).rejects.toThrow('broken');
  expect(await readRun()).toMatchObject({ finished: false, now: true });
  job.onFailure(new Error('broken'), true);
  expect(warn).not.toHaveBeenCalled();
  job.onFailure(new Error('broken'), false);
  expect(warn).toHaveBeenCalledOnce();
});
