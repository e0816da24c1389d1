import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../../../kernel/caller-context.ts';
import { createDatabase, type Database } from '../../../../kernel/database.ts';
import type { BoundTable } from '../catalogue/bound-table.ts';
import { createRowChecks, type RowAnswer } from './create-row-checks.ts';
import { renderRowCheck } from './render-row-check.ts';

const INT4 = 23;
const caller: Caller = { role: 'service_role', claims: { role: 'service_role' } };
const published = { schema: 'public', name: 'numbers' } as BoundTable['published'];
const table = { published, columns: [{ name: 'n', position: 0, baseOid: INT4 }] } as unknown as BoundTable;

let database: ThrowawayDatabase;
let db: Database;
let asked = 0;

beforeAll(async () => {
  database = await createThrowawayDatabase();
  await database.admin.query('create table public.numbers (n integer)');
  db = createDatabase({ ...database.authenticator, max: 2 });
  db.pool.on('acquire', () => {
    asked += 1;
  });
});
afterAll(async () => {
  await db.pool.end();
  await database.drop();
});

/** The answer for each number, and how often the database was asked. */
async function ask(
  condition: string,
  numbers: readonly number[],
): Promise<readonly [readonly RowAnswer[], number]> {
  const checks = createRowChecks(db);
  const check = renderRowCheck(published, condition);
  asked = 0;
  const answers = numbers.map((n) => checks.ask({ table, caller, check, values: [], row: [String(n)] }));
  return [await Promise.all(answers), asked];
}

test('rows are asked for together, and each has its own answer', async () => {
  expect(await ask('n > 1', [1, 2, 3])).toEqual([[false, true, true], 1]);
});

test('a row that the condition stumbles over says nothing about the others', async () => {
  expect(await ask('6 / n > 1', [3, 0, 6])).toEqual([[true, 'failed', false], 4]);
});

test('a condition that is wrong is refused for all of them, and not asked again one by one', async () => {
  expect(await ask('nowhere > 1', [1, 2])).toEqual([['refused', 'refused'], 1]);
});

test('more rows than fit a statement are asked for in several, and keep their places', async () => {
  const numbers = Array.from({ length: 501 }, (_, index) => index);
  const [answers, times] = await ask('n % 2 = 0', numbers);
  expect([answers, times]).toEqual([numbers.map((n) => n % 2 === 0), 2]);
});

test('a value that is null or was not sent counts as null', async () => {
  const checks = createRowChecks(db);
  const check = renderRowCheck(published, 'n is null');
  const answers = [[null], [], ['1']].map((row) => checks.ask({ table, caller, check, values: [], row }));
  expect(await Promise.all(answers)).toEqual([true, true, false]);
});

test('a statement that takes too long is no answer', async () => {
  await database.admin.query(`
    create function public.too_late() returns boolean language plpgsql as
    $$ begin raise exception 'late' using errcode = 'query_canceled'; end $$`);
  await expect(ask('public.too_late()', [1])).rejects.toThrow('late');
});
