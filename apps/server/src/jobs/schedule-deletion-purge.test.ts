import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { createLogger } from '../kernel/create-logger.ts';
import { scheduleDeletionPurge } from './sweeps.ts';

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

async function deleteSomething(age: string): Promise<void> {
  const { id } = await createUser(database.admin);
  await database.admin.query(
    `with gone as (
       insert into private.deletions (user_id, transaction_id, deleted_at, link_count, category_count, zones_until)
       values ($1, pg_current_xact_id(), now() - $2::interval, 1, 0, '-infinity') returning id
     )
     insert into private.deleted_rows (deletion_id, kind, id, content) select id, 'link', gen_random_uuid(), '{}' from gone`,
    [id, age],
  );
}

const countRows = async () =>
  (await database.admin.query(`select count(*)::int as n from private.deleted_rows`)).rows[0].n;

it('deletes for good what has expired, at once and again and again, and leaves what may still be undone', async () => {
  await deleteSomething('6 minutes');
  await deleteSomething('4 minutes');
  onTestFinished(scheduleDeletionPurge({ pool: database.callers }, createLogger('silent'), 30));
  await expect.poll(countRows).toBe(1);
  await deleteSomething('1 day');
  await expect.poll(countRows).toBe(1);
});

it('writes a warning and goes on when the database is away', async () => {
  const other = await createThrowawayDatabase();
  await other.drop();
  const logger = createLogger('silent');
  const warn = vi.spyOn(logger, 'warn');
  onTestFinished(scheduleDeletionPurge({ pool: other.callers }, logger, 30));
  await expect.poll(() => warn.mock.calls.length).toBeGreaterThan(1);
  expect(warn.mock.calls[0]?.[1]).toContain('expired deletions could not be purged');
});
