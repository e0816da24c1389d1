import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { letRest } from './let-rest.ts';

const now = new Date('2027-03-01T12:00:00Z');
const aWeekAgo = new Date('2027-02-22T12:00:00Z');

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

const readDue = async () =>
  (await database.admin.query('select due_at from private.account_upkeep')).rows[0]?.due_at.toISOString();

it('changes no row where less than an hour has passed', async () => {
  const before = await readDue();
  expect(await letRest(database.connection, new Date(now.getTime() - 3_599_999), now)).toBe(0);
  expect(await readDue()).toBe(before);
});

it('gives time back to what was in a bin then, none to what had been emptied or rests, and counts whom the next round deletes', async () => {
  const { id } = await createUser(database.admin);
  const closed = await createUser(database.admin);
  const add = (userId: string, purgeAfter: string) =>
    database.admin.query(
      `insert into private.deletions (user_id, transaction_id, deleted_at, purge_after, link_count, category_count, zones_until)
       values ($1, pg_current_xact_id(), $2::timestamptz - interval '30 days', $2, 1, 0, '-infinity')`,
      [userId, purgeAfter],
    );
  for (const moment of ['2027-02-22T11:59:59Z', '2027-02-22T12:00:01Z', '2027-03-20T00:00:00Z'])
    await add(id, moment);
  await add(closed.id, '2027-02-23T00:00:00Z');
  await database.admin.query(
    `insert into private.account_closures (user_id, reason, closed_at, purge_after) values ($1, 'deletion', $2, $3)`,
    [closed.id, '2027-01-31T12:00:00Z', '2027-03-02T12:00:00Z'],
  );
  expect(await letRest(database.connection, aWeekAgo, now)).toBe(1);
  const { rows } = await database.admin.query(
    'select purge_after from private.deletions order by user_id = $1, purge_after',
    [id],
  );
  expect(rows.map((row) => row.purge_after.toISOString())).toEqual([
    '2027-02-23T00:00:00.000Z',
    '2027-02-22T11:59:59.000Z',
    '2027-03-01T12:00:01.000Z',
    '2027-03-27T00:00:00.000Z',
  ]);
  expect(await readDue()).toBe('2027-03-02T12:00:00.000Z');
});

it('forgets when backups and the round that waits were finished, and no other round', async () => {
  await database.admin.query(
    `insert into linkoteca_platform.backups (kind, started_at, finished_at, bytes, place, failed_at, failure)
     select kind, $1, $1, 1, '/backups', $1, 'no room' from unnest('{by_hand,scheduled,before_migration}'::text[]) kind
     on conflict (kind) do update set started_at = excluded.started_at, finished_at = excluded.finished_at,
       bytes = excluded.bytes, place = excluded.place, failed_at = excluded.failed_at, failure = excluded.failure`,
    [aWeekAgo],
  );
  await database.admin.query(
    `insert into private.finished_rounds (round, finished_at) values ('account_upkeep', $1), ('file_sweep', $1)
     on conflict (round) do nothing`,
    [aWeekAgo],
  );
  await letRest(database.connection, aWeekAgo, now);
  const backups = await database.admin.query('select * from linkoteca_platform.backups');
  const none = { finished_at: null, bytes: null, place: null, failed_at: null, failure: null };
  expect(backups.rows).toEqual([{ kind: 'scheduled', started_at: now, ...none }]);
  const rounds = await database.admin.query('select round from private.finished_rounds');
  expect(rounds.rows).toEqual([{ round: 'file_sweep' }]);
});

it('puts the backup off also at a moment between its migration and the one of the bin', async () => {
  const older = await createThrowawayDatabase();
  onTestFinished(() => older.drop());
  await older.admin.query('alter table private.deletions drop column purge_after cascade');
  expect(await letRest(older.connection, aWeekAgo, now)).toBe(0);
  const { rows } = await older.admin.query('select kind, started_at from linkoteca_platform.backups');
  expect(rows).toEqual([{ kind: 'scheduled', started_at: now }]);
  await older.admin.query('drop table linkoteca_platform.backups');
  expect(await letRest(older.connection, aWeekAgo, now)).toBe(0);
});
