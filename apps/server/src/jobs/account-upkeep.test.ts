import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from '../kernel/create-logger.ts';
import { type AccountUpkeepDeps, declareAccountUpkeep } from './account-upkeep.ts';
import { runOnce } from './create-job.ts';

let database: ThrowawayDatabase;
let time: Date;
beforeEach(async () => {
  database = await createThrowawayDatabase();
  time = new Date('2027-01-02T00:00:00Z');
  await database.admin.query(`update private.account_upkeep set due_at = '2027-01-01T00:00:00Z'`);
});
afterEach(() => database.drop());

const NOTHING_LEFT = { complete: true };

const declare = (callUpkeep: AccountUpkeepDeps['callUpkeep']) =>
  declareAccountUpkeep({
    db: { pool: database.callers },
    logger: createLogger('silent'),
    callUpkeep,
    now: () => time,
  });
const dueAt = async () =>
  (await database.admin.query<{ due_at: Date }>('select due_at from private.account_upkeep')).rows[0]?.due_at;
const minutesLater = (minutes: number) => new Date(time.getTime() + minutes * 60_000);

test('of several copies one has the round, and the next one is due in an hour', async () => {
  const upkeep = vi.fn(async () => NOTHING_LEFT);
  const had = await Promise.all([1, 2, 3].map(() => runOnce(declare(upkeep))));
  expect(had.filter(Boolean)).toHaveLength(1);
  expect(await dueAt()).toEqual(minutesLater(60));
  time = minutesLater(61);
  expect(await runOnce(declare(upkeep))).toBe(true);
  expect(await dueAt()).toEqual(minutesLater(60));
  expect(upkeep).toHaveBeenCalledTimes(2);
});

test('a round of several parts is called until it is complete', async () => {
  const upkeep = vi
    .fn<AccountUpkeepDeps['callUpkeep']>()
    .mockResolvedValue(NOTHING_LEFT)
    .mockResolvedValueOnce({ complete: false })
    .mockResolvedValueOnce({ complete: false });
  await runOnce(declare(upkeep));
  expect(await dueAt()).toEqual(minutesLater(60));
  expect(upkeep).toHaveBeenCalledTimes(3);
});

test('a round that does not come to its end goes on in a minute, and is only then said to be finished', async () => {
  const finished = async () => (await database.admin.query('select round from private.finished_rounds')).rows;
  const upkeep = vi.fn(async () => ({ complete: false }));
  await runOnce(declare(upkeep));
  expect(upkeep).toHaveBeenCalledTimes(10);
  expect(await dueAt()).toEqual(minutesLater(1));
  expect(await finished()).toEqual([]);
  time = minutesLater(2);
  await runOnce(declare(async () => NOTHING_LEFT));
  expect(await dueAt()).toEqual(minutesLater(60));
  expect(await finished()).toEqual([{ round: 'account_upkeep' }]);
});

test('one that fails keeps its turn for a while, and the next goes well', async () => {
  const upkeep = vi
    .fn<AccountUpkeepDeps['callUpkeep']>()
    .mockResolvedValue(NOTHING_LEFT)
    .mockRejectedValueOnce(new Error('the function is broken'));
  const job = declare(upkeep);
  await expect(runOnce(job)).rejects.toThrow('the function is broken');
  expect(await dueAt()).toEqual(minutesLater(20));
  expect(await runOnce(job)).toBe(false);
  time = minutesLater(21);
  expect(await runOnce(job)).toBe(true);
  expect(await dueAt()).toEqual(minutesLater(60));
});
