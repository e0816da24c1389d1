import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY, T0 } from '../functions/_shared/test-support/make-subscription.ts';
import { createReconcileSubscriptions } from '../functions/reconcile-subscriptions/create-reconcile-subscriptions.ts';
import { type Billing, openBilling } from './support/open-billing.ts';

let database: ThrowawayDatabase;
let billing: Billing;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.admin.query('delete from auth.users');
  billing = openBilling(database);
});

/** A person with a subscription that nobody has told us of. */
async function subscribe(name: string, { isClaimed = true, created = T0 + DAY } = {}): Promise<TestUser> {
  const user = await createUser(database.admin);
  billing.model.addCustomer(`cus_${name}`, { user_id: user.id });
  billing.model.addSubscription({ id: `sub_${name}`, customer: `cus_${name}`, created });
  if (isClaimed) await billing.deps.store.claim(user.id, `cus_${name}`);
  return user;
}
const daysAgo = (days: number) => Math.floor(Date.now() / 1000) - days * DAY;
const planOf = async (user: TestUser) =>
  (await database.admin.query('select plan from profiles where id = $1', [user.id])).rows[0]?.plan;

async function run({ key = 'service', body = undefined as string | undefined, budgetMs = 60_000 } = {}) {
  const handle = createReconcileSubscriptions({
    ...billing.deps,
    operatorKeys: ['service'],
    now: Date.now,
    budgetMs,
  });
  const headers = { authorization: `Bearer ${key}` };
  const response = await handle(
    new Request('http://p.test/', { method: 'POST', headers, ...(body === undefined ? {} : { body }) }),
  );
  return [response.status, await response.json()];
}

test('what lost webhooks missed is repaired: purchases, ends, deletions, and customers nobody has claimed', async () => {
  const [bought, ended, deleted, unclaimed, known] = [
    await subscribe('bought'),
    await subscribe('ended'),
    await subscribe('deleted'),
    await subscribe('unclaimed', { isClaimed: false, created: daysAgo(6) }),
    await subscribe('known'),
  ];
  const paid = (name: string) =>
    billing.send({
      id: `evt_${name}`,
      type: 'invoice.paid',
      object: { object: 'invoice', customer: `cus_${name}` },
    });
  for (const name of ['ended', 'deleted', 'known']) await paid(name);
  billing.model.update('sub_ended', { status: 'canceled', endedAt: T0 + 30 * DAY });
  billing.model.deleteCustomer('cus_deleted');

  expect(await run()).toEqual([200, { checked: 5, repaired: 4, failed: 0, complete: true }]);
  expect(await Promise.all([bought, ended, deleted, unclaimed, known].map(planOf))).toEqual([
    'plus',
    'free',
    'free',
    'plus',
    'plus',
  ]);
  const [, again] = await run();
  expect(again).toMatchObject({ repaired: 0, complete: true });
});

test('a run forgets events that are too old to come again', async () => {
  await database.admin.query(
    `insert into private.stripe_events (id, type, created_at, received_at)
     values ('evt_old', 'invoice.paid', now(), now() - interval '91 days'), ('evt_new', 'invoice.paid', now(), now())`,
  );
  await run();
  const { rows } = await database.admin.query(
    `select id from private.stripe_events where id in ('evt_old', 'evt_new')`,
  );
  expect(rows).toEqual([{ id: 'evt_new' }]);
});

test('who bought long ago and is nobody’s is not asked for any more', async () => {
  const user = await subscribe('old', { isClaimed: false, created: daysAgo(8) });
  expect(await run()).toEqual([200, { checked: 0, repaired: 0, failed: 0, complete: true }]);
  expect(await planOf(user)).toBe('free');
});

test('who has bought since a moment that the operator names is asked for, however long ago that is', async () => {
  const user = await subscribe('older', { isClaimed: false, created: daysAgo(40) });
  const since = new Date(daysAgo(41) * 1000).toISOString();
  expect(await run({ body: JSON.stringify({ since }) })).toEqual([
    200,
    { checked: 1, repaired: 1, failed: 0, complete: true },
  ]);
  expect(await planOf(user)).toBe('plus');
});

test('a run that was cut short is carried on where it ended', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await subscribe(name, { created: daysAgo(1) });
  const before = new Date(Date.now() + 1000).toISOString();
  expect(await run({ budgetMs: 0 })).toEqual([200, { checked: 0, repaired: 0, failed: 0, complete: false }]);
  await billing.deps.store.begin('cus_a');
  await database.admin.query(
    `update private.subscription_syncs set issued_at = now() + interval '1 hour' where customer_id = 'cus_a'`,
  );
  // The provider still lists the one that was left out among the new ones.
  expect(await run({ body: JSON.stringify({ before }) })).toMatchObject([
    200,
    { repaired: 6, complete: true },
  ]);
});

test('one customer who cannot be asked for does not stop the others', async () => {
  const [first, second] = [await subscribe('fine'), await subscribe('odd')];
  const { deps } = billing;
  const read = (id: string) => (id === 'cus_odd' ? Promise.reject(new Error('odd')) : deps.source.read(id));
  billing = { ...billing, deps: { ...deps, source: { ...deps.source, read } } };
  expect(await run()).toEqual([200, { checked: 2, repaired: 1, failed: 1, complete: true }]);
  expect([await planOf(first), await planOf(second)]).toEqual(['plus', 'free']);
});

test('a provider that is away ends the run early, and a provider of wrong keys takes nobody’s plan', async () => {
  const users: TestUser[] = [];
  for (let n = 0; n < 20; n += 1) users.push(await subscribe(`n${n}`));
  await run();
  billing.model.setDown(true);
  const asked = billing.model.asked.length;
  expect(await run()).toMatchObject([200, { repaired: 0, failed: 8, complete: false }]);
  expect(billing.model.asked.length - asked).toBe(8);
  billing = openBilling(database);
  expect(await run()).toMatchObject([200, { repaired: 0, failed: 20 }]);
  expect(new Set(await Promise.all(users.map(planOf)))).toEqual(new Set(['plus']));
});

test.each([
  ['a person', { key: 'h.eyJyb2xlIjoiYXV0aGVudGljYXRlZCJ9.s' }, 403],
  ['a visitor', { key: 'anon' }, 403],
  ['a time that is none', { body: '{"before":"ontem"}' }, 400],
  ['a moment to go back to that is none', { body: '{"since":"ontem"}' }, 400],
])('%s is refused', async (_who, init, status) => {
  await subscribe('one');
  expect((await run(init))[0]).toBe(status);
  expect(billing.model.asked).toEqual([]);
});
