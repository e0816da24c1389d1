import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, setPlan, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NO_SUBSCRIPTION, type SubscriptionState } from '../functions/_shared/open-subscription-store.ts';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
let ana: TestUser;
let customer: string;
let count = 0;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ana = await createUser(database.admin);
  count += 1;
  customer = `cus_${count}`;
});

const ask = async <T>(call: string, values: readonly unknown[]): Promise<T> => {
  const { rows } = await queryAs<{ answer: T }>(database, 'service_role', `select ${call} as answer`, values);
  return rows[0]?.answer as T;
};
const claim = (user: TestUser | { id: string } = ana, id = customer) =>
  ask<string | null>('claim_stripe_customer($1, $2)', [user.id, id]);
const begin = (id = customer) => ask<string | null>('begin_subscription_sync($1)', [id]);
const apply = (ticket: string | null, state: SubscriptionState | null, event: string | null = null) =>
  ask<string>('apply_subscription($1, $2, $3, $4)', [
    customer,
    ticket,
    state && JSON.stringify(state),
    event,
  ]);
const record = (event: string) =>
  ask<boolean>('record_stripe_event($1, $2, $3, now())', [event, 'customer.subscription.updated', customer]);
const read = async (user = ana) => {
  const { rows } = await database.admin.query(
    `select p.plan as counts_as, s.plan, s.subscription_status as status, s.stripe_customer_id as customer
     from profiles p left join subscribers s on s.user_id = p.id where p.id = $1`,
    [user.id],
  );
  return rows[0];
};
const plus = (): SubscriptionState => ({
  plan: 'plus',
  subscription_status: 'active',
  stripe_subscription_id: `sub_${count}`,
  current_period_end: '2030-01-01T00:00:00.000Z',
  cancel_at_period_end: true,
  trial_end: '2029-01-01T00:00:00.000Z',
  stripe_price_id: 'price_plus_monthly',
  billing_interval: 'month',
  amount_cents: 199,
  currency: 'usd',
});
const pro = (): SubscriptionState => ({ ...plus(), plan: 'pro' });

describe('a customer', () => {
  test('is claimed once: neither is it moved nor does an account get a second one', async () => {
    const bia = await createUser(database.admin);
    expect(await claim()).toBe(customer);
    expect(await claim(ana, 'cus_other')).toBe(customer);
    expect(await claim(bia)).toBeNull();
    expect(await claim(bia, `${customer}_bia`)).toBe(`${customer}_bia`);
    expect(await claim({ id: '11111111-2222-4333-8444-555555555555' }, 'cus_nobody')).toBeNull();
    expect(await read()).toMatchObject({ counts_as: 'free', plan: 'free', status: null, customer });
  });

  test('is claimed by one of two who try at once, and for one account only one of two', async () => {
    const bia = await createUser(database.admin);
    const rivals = await Promise.all([claim(ana), claim(bia)]);
    expect(rivals.toSorted()).toEqual([customer, null]);
    const caio = await createUser(database.admin);
    const both = await Promise.all(['a', 'b', 'c', 'd'].map((end) => claim(caio, `${customer}_${end}`)));
    expect(new Set(both).size).toBe(1);
  });

  test('that is no customer is refused, and a claim leaves a plan alone', async () => {
    expect(
      await readOutcome(database, 'service_role', `select claim_stripe_customer($1, '../x')`, [ana.id]),
    ).toEqual({ code: 'PT400' });
    await setPlan(database.admin, ana.id, 'pro');
    await claim();
    expect(await read()).toMatchObject({ counts_as: 'pro', customer });
  });

  test('who is nobody’s gets no ticket, and nothing is written for them', async () => {
    expect(await begin('cus_nobody')).toBeNull();
    expect(await apply('1', plus())).toBe('unknown');
  });
});

describe('a state', () => {
  test('is written as it is, and the plan follows', async () => {
    await claim();
    expect(await apply(await begin(), plus())).toBe('changed');
    expect((await read())?.counts_as).toBe('plus');
    const { rows } = await queryAs(database, ana, 'select to_jsonb(s) as row from subscribers s');
    expect(rows[0]?.['row']).toMatchObject({
      ...plus(),
      current_period_end: expect.stringMatching(/^2030-01-01T00:00:00/),
      trial_end: expect.stringMatching(/^2029-01-01T00:00:00/),
    });
    await apply(await begin(), { ...plus(), subscription_status: 'payment_failed' });
    expect(await read()).toMatchObject({ counts_as: 'free', plan: 'plus', status: 'payment_failed' });
  });

  test('that is the same writes nothing: no screen is told of it', async () => {
    await claim();
    await apply(await begin(), plus());
    const version = () =>
      database.admin.query('select xmin::text, updated_at from subscribers where user_id = $1', [ana.id]);
    const { rows: before } = await version();
    expect(await apply(await begin(), plus())).toBe('unchanged');
    expect((await version()).rows).toEqual(before);
  });

  test.each<Partial<SubscriptionState>>([
    { plan: 'pro' },
    { subscription_status: 'payment_failed' },
    { stripe_subscription_id: 'sub_other' },
    { current_period_end: '2031-01-01T00:00:00.000Z' },
    { cancel_at_period_end: false },
    { trial_end: '2029-02-01T00:00:00.000Z' },
    { trial_end: null },
    { stripe_price_id: 'price_plus_yearly' },
    { billing_interval: 'year' },
    { amount_cents: 99 },
    { currency: 'brl' },
  ])('that differs in one thing alone is written: %j', async (change) => {
    await claim();
    await apply(await begin(), plus());
    expect(await apply(await begin(), { ...plus(), ...change })).toBe('changed');
    const { rows } = await database.admin.query('select * from subscribers where user_id = $1', [ana.id]);
    expect(JSON.parse(JSON.stringify(rows[0]))).toMatchObject({ ...plus(), ...change });
  });

  test('under an older ticket never overwrites one under a newer, and a ticket is good once', async () => {
    await claim();
    const [first, second, third] = [await begin(), await begin(), await begin()];
    expect(await apply(second, pro())).toBe('changed');
    expect(await apply(first, plus())).toBe('superseded');
    expect(await apply(second, plus())).toBe('superseded');
    expect((await read())?.plan).toBe('pro');
    expect(await apply(third, plus())).toBe('changed');
    expect(await apply('99', pro())).toBe('superseded');
  });

  test('of many who write at once is that of the newest ticket', async () => {
    await claim();
    const tickets = await Promise.all(Array.from({ length: 8 }, () => begin()));
    expect(new Set(tickets).size).toBe(8);
    const last = String(Math.max(...tickets.map(Number)));
    await Promise.all(tickets.map((ticket) => apply(ticket, ticket === last ? pro() : plus())));
    expect((await read())?.plan).toBe('pro');
  });

  test('without a subscription leaves a plan that was given by hand, until there has been one', async () => {
    await setPlan(database.admin, ana.id, 'pro');
    await claim();
    expect(await apply(await begin(), NO_SUBSCRIPTION)).toBe('unchanged');
    expect((await read())?.counts_as).toBe('pro');
    await apply(await begin(), plus());
    await apply(await begin(), NO_SUBSCRIPTION);
    expect(await read()).toMatchObject({ counts_as: 'free', plan: 'free', status: null });
  });

  test('of a plan or a status that does not exist is refused as a whole', async () => {
    await claim();
    const ticket = await begin();
    for (const fault of [{ plan: 'gold' }, { subscription_status: 'trialing' }, { billing_interval: 'week' }])
      await expect(apply(ticket, { ...plus(), ...fault } as SubscriptionState)).rejects.toThrow();
    expect(await apply(ticket, plus())).toBe('changed');
  });
});

test('a deleted customer ends the subscription and frees the account for another', async () => {
  await claim();
  await apply(await begin(), plus());
  const late = await begin();
  expect(await apply(await begin(), null)).toBe('changed');
  expect(await read()).toEqual({ counts_as: 'free', plan: 'plus', status: 'canceled', customer: null });
  expect(await apply(late, plus())).toBe('unknown');
  expect(await begin()).toBeNull();
  expect(await claim(ana, `${customer}_new`)).toBe(`${customer}_new`);
});

describe('an event', () => {
  test('is applied once, by whoever comes first', async () => {
    await claim();
    const event = `evt_${count}`;
    expect([await record(event), await record(event)]).toEqual([true, true]);
    const [first, second] = [await begin(), await begin()];
    const outcomes = await Promise.all([apply(first, plus(), event), apply(second, pro(), event)]);
    expect(outcomes.toSorted()).toEqual(['changed', 'repeated']);
    expect(await record(event)).toBe(false);
    expect(await apply(await begin(), pro(), event)).toBe('repeated');
  });

  test('whose state was not written is still to be applied', async () => {
    await claim();
    const event = `evt_${count}`;
    await record(event);
    await expect(apply(await begin(), { ...plus(), plan: 'gold' as 'pro' }, event)).rejects.toThrow();
    expect(await record(event)).toBe(true);
    expect(await apply(await begin(), plus(), event)).toBe('changed');
  });

  test('is forgotten after three months', async () => {
    await record(`evt_${count}`);
    await database.admin.query(
      `update private.stripe_events set received_at = now() - interval '91 days' where id = $1`,
      [`evt_${count}`],
    );
    expect(await ask('purge_stripe_events()', [])).toBe(1);
  });
});

test('a person has the provider asked every second and a half, and nobody else’s customer', async () => {
  const check = (user = ana) => ask<string | null>('begin_subscription_check($1)', [user.id]);
  expect(await check()).toBeNull();
  await claim();
  const first = await database.admin.connect();
  await first.query('begin');
  const { rows } = await first.query('select begin_subscription_check($1) as asked', [ana.id]);
  expect(rows).toEqual([{ asked: customer }]);
  // As if it were that moment still, however long the test takes.
  await first.query(`update private.subscription_syncs set asked_at = asked_at + interval '1 hour'`);
  const others = [check(), check()];
  await expect
    .poll(async () => {
      const waiting = await database.admin.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return waiting.rowCount;
    })
    .toBe(2);
  await first.query('commit');
  first.release();
  expect(await Promise.all(others)).toEqual([null, null]);
  await database.admin.query(
    `update private.subscription_syncs set asked_at = clock_timestamp() - interval '1600 ms'`,
  );
  expect(await check()).toBe(customer);
  expect(await check(await createUser(database.admin))).toBeNull();
});

test('who waited longest is reconciled first, and nobody twice in a run', async () => {
  await claim();
  const bia = await createUser(database.admin);
  await claim(bia, `${customer}_b`);
  await begin(`${customer}_b`);
  const list = (before: string) =>
    queryAs<{ customer_id: string }>(
      database,
      'service_role',
      'select * from list_stale_customers($1::timestamptz)',
      [before],
    ).then(({ rows }) => rows.map((row) => row.customer_id).filter((id) => id.startsWith(customer)));
  expect(await list('infinity')).toEqual([customer, `${customer}_b`]);
  await begin();
  expect(await list('infinity')).toEqual([`${customer}_b`, customer]);
  expect(await list('2020-01-01')).toEqual([]);
  const { rows } = await database.admin.query<{ issued_at: string }>(
    `select issued_at::text from private.subscription_syncs where customer_id = $1`,
    [`${customer}_b`],
  );
  // Asked in the moment in which a run begins: that run has asked.
  expect(await list(rows[0]?.issued_at ?? '')).toEqual([]);
});

test('of many copies one reconciles, once a day, and again when it was not finished', async () => {
  const due = (quiet = false) => ask<boolean>('private.claim_subscription_reconciliation($1)', [quiet]);
  const age = (interval: string) =>
    database.admin.query(
      `update private.subscription_reconciliation set started_at = started_at - $1::interval, finished_at = now()`,
      [interval],
    );
  await claim();
  const answers = await Promise.all(Array.from({ length: 6 }, () => due()));
  expect(answers.filter(Boolean).length).toBe(1);
  await database.admin.query(
    `update private.subscription_reconciliation set started_at = now() - interval '61 min'`,
  );
  expect(await due()).toBe(true);
  await ask('private.finish_subscription_reconciliation(3, 1)', []);
  await age('13 hours');
  expect([await due(), await due(true), await due(true)]).toEqual([false, true, false]);
  await age('24 hours');
  expect(await due()).toBe(true);
  // As a clock leaves it that was ahead for a while.
  await age('-400 days');
  expect([await due(), await due()]).toEqual([true, false]);
  await database.admin.query('update subscribers set stripe_customer_id = null');
  await age('3 days');
  expect(await due(true)).toBe(false);
  // Who has bought may be unknown here: the provider is asked all the same.
  const dueAtProvider = () =>
    ask<boolean>('private.claim_subscription_reconciliation($1, $2)', [false, true]);
  expect([await dueAtProvider(), await dueAtProvider()]).toEqual([true, false]);
});

test.each([
  `claim_stripe_customer(gen_random_uuid(), 'cus_1')`,
  `begin_subscription_sync('cus_1')`,
  `begin_subscription_check(gen_random_uuid())`,
  `record_stripe_event('evt_1', 'x', 'cus_1', now())`,
  `ignore_stripe_event('evt_1')`,
  `apply_subscription('cus_1', 1, '{"plan":"pro"}')`,
  `list_stale_customers(now())`,
  `purge_stripe_events()`,
  `private.claim_subscription_reconciliation(true)`,
  `private.finish_subscription_reconciliation(1, 1)`,
])('neither a person nor a visitor may call %s', async (call) => {
  for (const caller of [ana, 'anon'] as const)
    expect(await readOutcome(database, caller, `select ${call}`)).toEqual({ code: '42501' });
});

test.each(['subscription_syncs', 'stripe_events', 'subscription_reconciliation'])(
  'private.%s is closed to all, the service role included',
  async (table) => {
    for (const caller of [ana, 'anon', 'service_role'] as const)
      for (const text of [`select from private.${table}`, `delete from private.${table}`])
        expect(await readOutcome(database, caller, text)).toEqual({ code: '42501' });
  },
);

test('a person’s own row cannot be written by themselves, column by column', async () => {
  await claim();
  for (const set of [`plan = 'pro'`, 'amount_cents = 0', 'trial_end = now()', 'cancel_at_period_end = true'])
    expect(await readOutcome(database, ana, `update subscribers set ${set}`)).toEqual({ code: '42501' });
  const { rowCount } = await queryAs(database, await createUser(database.admin), 'select from subscribers');
  expect(rowCount).toBe(0);
});
