import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from '../kernel/create-logger.ts';
import { type AccountUpkeepSchedule, scheduleAccountUpkeep } from './account-jobs.ts';

let database: ThrowawayDatabase;
const stops: (() => void)[] = [];
// A database for each: a round that is under way when its test ends must not take the next one's turn.
beforeEach(async () => {
  database = await createThrowawayDatabase();
  await database.admin.query(`update private.account_upkeep set due_at = '2027-01-01T00:00:00Z'`);
});
afterEach(async () => {
  for (const stop of stops.splice(0)) stop();
  await database.drop();
});

let time = new Date('2027-01-02T00:00:00Z');
const NOTHING_LEFT = { complete: true };

function start(callUpkeep: AccountUpkeepSchedule['callUpkeep'], logger = createLogger('silent')) {
  stops.push(
    scheduleAccountUpkeep({
      db: { pool: database.callers },
      logger,
      callUpkeep,
      now: () => time,
      everyMs: 20,
    }),
  );
}
const dueAt = async () =>
  (await database.admin.query<{ due_at: Date }>('select due_at from private.account_upkeep')).rows[0]?.due_at;
const minutesLater = (minutes: number) => new Date(time.getTime() + minutes * 60_000);

test('of several copies one has the round, and the next one is due in an hour', async () => {
  const upkeep = vi.fn(async () => NOTHING_LEFT);
  for (let copy = 0; copy < 3; copy += 1) start(upkeep);
  await expect.poll(dueAt).toEqual(minutesLater(60));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(upkeep).toHaveBeenCalledOnce();
  time = minutesLater(61);
  await expect.poll(dueAt).toEqual(minutesLater(60));
  expect(upkeep).toHaveBeenCalledTimes(2);
});

test('a round of several parts is called until it is complete', async () => {
  const upkeep = vi
    .fn<AccountUpkeepSchedule['callUpkeep']>()
    .mockResolvedValue(NOTHING_LEFT)
    .mockResolvedValueOnce({ complete: false })
    .mockResolvedValueOnce({ complete: false });
  start(upkeep);
  await expect.poll(dueAt).toEqual(minutesLater(60));
  expect(upkeep).toHaveBeenCalledTimes(3);
});

test('what fails is logged, keeps its turn for a while, and does not end the schedule', async () => {
  const logger = createLogger('silent');
  const warn = vi.spyOn(logger, 'warn');
  const upkeep = vi
    .fn<AccountUpkeepSchedule['callUpkeep']>()
    .mockResolvedValue(NOTHING_LEFT)
    .mockRejectedValueOnce(new Error('the function is broken'));
  start(upkeep, logger);
  await expect.poll(() => warn.mock.calls.length).toBe(1);
  expect(await dueAt()).toEqual(minutesLater(20));
  expect(upkeep).toHaveBeenCalledOnce();
  time = minutesLater(21);
  await expect.poll(dueAt).toEqual(minutesLater(60));
  expect(upkeep).toHaveBeenCalledTimes(2);
});
