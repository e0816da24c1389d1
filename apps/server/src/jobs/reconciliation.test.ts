import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createLogger } from '../kernel/create-logger.ts';
import { type ReconciliationSchedule, scheduleReconciliation } from './reconciliation.ts';

let database: ThrowawayDatabase;
// A database for each: a look that is under way when its test ends must not take the next one's run.
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

function start(
  reconcile: ReconciliationSchedule['reconcile'],
  { now = DAY, logger = createLogger('silent') } = {},
): void {
  const db = { pool: database.callers };
  onTestFinished(scheduleReconciliation({ db, logger, reconcile, now: () => now, everyMs: 20 }));
}
const settle = () => new Promise((resolve) => setTimeout(resolve, 120));

test('of several copies one reconciles, at the start when the last run is older than a day', async () => {
  const reconcile = vi.fn(async () => DONE);
  for (let copy = 0; copy < 3; copy += 1) start(reconcile);
  await expect.poll(readRun).toEqual({ checked: 3, repaired: 1, finished: true, now: true });
  await settle();
  expect(reconcile).toHaveBeenCalledExactlyOnceWith(DAY);
});

test('after half a day the night is waited for', async () => {
  await setLastRun('13 hours');
  const byDay = vi.fn(async () => DONE);
  start(byDay);
  await settle();
  expect(byDay).not.toHaveBeenCalled();
  const byNight = vi.fn(async () => DONE);
  start(byNight, { now: NIGHT });
  await expect.poll(() => byNight.mock.calls.length).toBe(1);
});

test('a run of several parts goes on until it is complete, all parts of one time', async () => {
  const reconcile = vi
    .fn<ReconciliationSchedule['reconcile']>()
    .mockResolvedValue(DONE)
    .mockResolvedValueOnce({ ...DONE, complete: false })
    .mockResolvedValueOnce({ ...DONE, complete: false });
  start(reconcile);
  await expect.poll(readRun).toMatchObject({ checked: 9, repaired: 3, finished: true });
  expect(reconcile.mock.calls).toEqual([[DAY], [DAY], [DAY]]);
});

test('a provider that is away is not asked on and on: the run stays unfinished, is logged, and comes back in an hour', async () => {
  const logger = createLogger('silent');
  const warn = vi.spyOn(logger, 'warn');
  const reconcile = vi
    .fn<ReconciliationSchedule['reconcile']>()
    .mockResolvedValue(DONE)
    .mockResolvedValueOnce({ checked: 8, repaired: 0, failed: 8, complete: false });
  start(reconcile, { logger });
  await expect.poll(() => warn.mock.calls.length).toBe(1);
  await settle();
  expect([reconcile.mock.calls.length, (await readRun()).finished]).toEqual([1, false]);
  await database.admin.query(
    `update private.subscription_reconciliation set started_at = now() - interval '61 min'`,
  );
  await expect.poll(async () => (await readRun()).finished).toBe(true);
});

test('a function that fails is logged and ends nothing', async () => {
  const logger = createLogger('silent');
  const warn = vi.spyOn(logger, 'warn');
  const reconcile = vi.fn(async () => Promise.reject(new Error('broken')));
  start(reconcile, { logger });
  await expect.poll(() => warn.mock.calls.length).toBe(1);
  expect(await readRun()).toMatchObject({ finished: false, now: true });
});
