import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLibrary } from './support/create-library.ts';

let database: ThrowawayDatabase;
// Figures are of the whole installation: each test has one of its own.
beforeEach(async () => {
  database = await createThrowawayDatabase();
});
afterEach(() => database.drop());

type Figures = {
  readonly database_bytes: number;
  readonly mails: readonly unknown[];
  readonly rounds: readonly { readonly round: string; readonly finished_at: number }[];
};

async function measure(): Promise<Figures> {
  const { rows } = await queryAs<{ figures: Figures }>(
    database,
    'service_role',
    'select private.measure_installation() as figures',
  );
  return rows[0]?.figures as Figures;
}

test.each([
  'select private.measure_installation()',
  `select private.finish_round('file_sweep')`,
  'select * from private.finished_rounds',
  'delete from private.finished_rounds',
])('a stranger is refused: %s', async (statement) => {
  for (const caller of ['anon', await createUser(database.admin)] as const)
    await expect(queryAs(database, caller, statement)).rejects.toMatchObject({ code: '42501' });
});

test('the service role writes rounds by the function alone, and only rounds that there are', async () => {
  const attempt = queryAs(database, 'service_role', 'select * from private.finished_rounds');
  await expect(attempt).rejects.toMatchObject({ code: '42501' });
  const unknown = queryAs(database, 'service_role', `select private.finish_round('nothing')`);
  await expect(unknown).rejects.toMatchObject({ code: '23514' });
});

test('shows the size, nothing that waits, and no round where none was made', async () => {
  const figures = await measure();
  expect(figures.database_bytes).toBeGreaterThan(1_000_000);
  expect(figures.mails).toEqual([
    { queue: 'access_request', waiting: 0, oldest_seconds: 0 },
    { queue: 'account', waiting: 0, oldest_seconds: 0 },
    { queue: 'daily', waiting: 0, oldest_seconds: 0 },
    { queue: 'invitation', waiting: 0, oldest_seconds: 0 },
  ]);
  expect(figures.rounds).toEqual([]);
});

test('shows when a round was last finished, and never an older time', async () => {
  for (let time = 0; time < 2; time += 1)
    await queryAs(database, 'service_role', `select private.finish_round('file_sweep')`);
  const { rounds } = await measure();
  expect(rounds).toHaveLength(1);
  expect(Math.abs(Number(rounds[0]?.finished_at) - Date.now() / 1000)).toBeLessThan(60);
});

test('counts what waits or is being sent, and how long the oldest has waited; nothing that is over', async () => {
  const { owner, categoryId } = await createLibrary(database, { plan: 'pro', email: 'ana@a.br' });
  const states = ['sending', 'waiting', 'sent', 'refused', 'withdrawn'];
  for (const [hours, state] of states.entries()) {
    await database.admin.query(
      `insert into private.account_mails (user_id, kind, occasion, deadline, queued_at, state)
       values ($1, 'deleted', now() - $2 * interval '1 hour', now(), now() - (1 + $2) * interval '1 hour', $3)`,
      [owner.id, hours, state],
    );
    if (state === 'withdrawn') continue;
    await database.admin.query(
      `insert into private.share_notifications (category_id, email, sender_id, state, queued_at, claimed_at)
       values ($1, $2 || '@b.br', $3, $2, now() - (1 + $4) * interval '1 hour', case when $2 = 'sent' then now() end)`,
      [categoryId, state, owner.id, hours],
    );
  }
  expect((await measure()).mails).toEqual([
    { queue: 'access_request', waiting: 0, oldest_seconds: 0 },
    { queue: 'account', waiting: 2, oldest_seconds: expect.closeTo(7_200, -2) },
    { queue: 'daily', waiting: 0, oldest_seconds: 0 },
    { queue: 'invitation', waiting: 2, oldest_seconds: expect.closeTo(7_200, -2) },
  ]);
});

test('shows mails that wait and for how long, without what only its sender’s limit holds back', async () => {
  const { owner, categoryId } = await createLibrary(database, { plan: 'pro', email: 'ana@a.br' });
  await database.admin.query(
    `insert into private.account_mails (user_id, kind, occasion, deadline, queued_at)
     values ($1, 'deleted', now(), now(), now() - interval '2 hours')`,
    [owner.id],
  );
  const queue = (email: string, state: string, age: string) =>
    database.admin.query(
      `insert into private.share_notifications (category_id, email, sender_id, state, queued_at, claimed_at)
       values ($1, $2, $3, $4, now() - $5::interval, case when $4 = 'sent' then now() end)`,
      [categoryId, email, owner.id, state, age],
    );
  await queue('bia@b.br', 'waiting', '3 hours');
  const { mails } = await measure();
  expect(mails).toEqual([
    { queue: 'access_request', waiting: 0, oldest_seconds: 0 },
    { queue: 'account', waiting: 1, oldest_seconds: expect.closeTo(7_200, -2) },
    { queue: 'daily', waiting: 0, oldest_seconds: 0 },
    { queue: 'invitation', waiting: 1, oldest_seconds: expect.closeTo(10_800, -2) },
  ]);
  for (let sent = 0; sent < 50; sent += 1) await queue(`pessoa${sent}@b.br`, 'sent', '1 minute');
  expect((await measure()).mails[3]).toEqual({ queue: 'invitation', waiting: 0, oldest_seconds: 0 });
});

test('counts mails about requests for access while they may go', async () => {
  const { owner, categoryId } = await createLibrary(database, { plan: 'pro' });
  await queryAs(database, await createUser(database.admin), 'select request_access($1)', [categoryId]);
  await database.admin.query(
    `update private.access_request_mails set queued_at = now() - interval '1 hour' where owner_id = $1`,
    [owner.id],
  );
  const waiting = async () => (await measure()).mails[0];
  expect(await waiting()).toEqual({
    queue: 'access_request',
    waiting: 1,
    oldest_seconds: expect.closeTo(3_600, -2),
  });
  await queryAs(database, owner, 'select answer_access_request(id, false) from list_access_requests()');
  expect(await waiting()).toEqual({ queue: 'access_request', waiting: 0, oldest_seconds: 0 });
});

test('counts daily mails that are due, until they were told or are not wanted any more', async () => {
  const { id } = await createUser(database.admin);
  const waiting = async () => (await measure()).mails[2];
  const none = { queue: 'daily', waiting: 0, oldest_seconds: 0 };
  await database.admin.query(
    `insert into private.daily_mails (user_id, due_at, next_attempt_at)
     values ($1, now() - interval '1 hour', now() + interval '1 hour')`,
    [id],
  );
  expect(await waiting()).toEqual({ queue: 'daily', waiting: 1, oldest_seconds: expect.closeTo(3_600, -2) });
  await database.admin.query('update private.daily_mails set unsubscribed_at = now() where user_id = $1', [
    id,
  ]);
  expect(await waiting()).toEqual(none);
  await database.admin.query(
    `update private.daily_mails set unsubscribed_at = null, due_at = now() + interval '1 hour' where user_id = $1`,
    [id],
  );
  expect(await waiting()).toEqual(none);
});
