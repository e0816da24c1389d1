import { readFileSync } from 'node:fs';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, setPlan, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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

const ask = async <T>(call: string, values: readonly unknown[] = []): Promise<T> => {
  const { rows } = await queryAs<{ answer: T }>(database, 'service_role', `select ${call} as answer`, values);
  return rows[0]?.answer as T;
};
const write = (text: string, values: readonly unknown[] = []) => database.admin.query(text, [...values]);

/** What the provider knows of Ana, written as it is. */
const subscribe = (columns: Readonly<Record<string, unknown>>, user = ana) =>
  write(
    `insert into subscribers select (jsonb_populate_record(null::subscribers,
       '{"plan":"plus","cancel_at_period_end":false,"created_at":"2026-01-01","updated_at":"2026-01-01"}'::jsonb || $1::jsonb)).*`,
    [JSON.stringify({ user_id: user.id, stripe_customer_id: customer, ...columns })],
  );
const readSubscriber = async (user = ana) => {
  const { rows } = await write('select * from subscribers where user_id = $1', [user.id]);
  return rows[0];
};

describe('who is closed and still charged', () => {
  const listCharged = async () => {
    const { rows } = await queryAs<{ stripe_customer_id: string }>(
      database,
      'service_role',
      'select * from find_charged_closed_accounts()',
    );
    return rows.map((row) => row.stripe_customer_id).filter((id) => id === customer);
  };
  const close = (reason: string, reopened = false) =>
    write(
      `insert into private.account_closures (user_id, reason, purge_after, reopened_at)
       values ($1, $2, case $2 when 'deletion' then now() + interval '30 days' end, case when $3 then now() end)`,
      [ana.id, reason, reopened],
    );

  test.each(['active', 'payment_failed'])('is who asked for deletion and is %s', async (status) => {
    await subscribe({ subscription_status: status });
    expect(await listCharged()).toEqual([]);
    await close('deletion');
    expect(await listCharged()).toEqual([customer]);
  });

  test.each(['canceled', 'expired', 'refunded', null])(
    'is nobody whose subscription is %s',
    async (status) => {
      await subscribe({ subscription_status: status });
      await close('deletion');
      expect(await listCharged()).toEqual([]);
    },
  );

  test('is nobody who came back, was closed for absence, or has no customer', async () => {
    await subscribe({ subscription_status: 'active' });
    await close('deletion', true);
    expect(await listCharged()).toEqual([]);
    await write('delete from private.account_closures where user_id = $1', [ana.id]);
    await close('inactivity');
    expect(await listCharged()).toEqual([]);
    await write(`update subscribers set stripe_customer_id = null where user_id = $1`, [ana.id]);
    await write('delete from private.account_closures where user_id = $1', [ana.id]);
    await close('deletion');
    const { rows } = await queryAs(database, 'service_role', 'select * from find_charged_closed_accounts()');
    expect(rows).not.toContainEqual({ stripe_customer_id: null });
  });
});

describe('a customer that is gone', () => {
  const release = () => ask<string>(`apply_subscription($1, begin_subscription_sync($1), null)`, [customer]);

  test.each([
    ['active', 'canceled'],
    ['payment_failed', 'canceled'],
    ['expired', 'expired'],
    ['refunded', 'refunded'],
  ])('leaves of a subscription that was %s one that is %s', async (before, after) => {
    await subscribe({
      subscription_status: before,
      stripe_subscription_id: `sub_${count}`,
      cancel_at_period_end: true,
    });
    expect(await release()).toBe('changed');
    expect(await readSubscriber()).toMatchObject({
      subscription_status: after,
      stripe_customer_id: null,
      cancel_at_period_end: false,
      stripe_subscription_id: `sub_${count}`,
    });
  });

  test('leaves a plan that was given by hand, and the JSON null of the wire says the same as none', async () => {
    await subscribe({ subscription_status: 'active' });
    expect(await ask(`apply_subscription($1, begin_subscription_sync($1), 'null'::jsonb)`, [customer])).toBe(
      'changed',
    );
    expect(await readSubscriber()).toMatchObject({ subscription_status: 'active', stripe_customer_id: null });
  });
});

function readStatement(): string {
  const document = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const statement = /`(delete from public\.subscribers [^`]+)`/.exec(document)?.[1];
  if (statement === undefined) throw new Error('the operations document takes no plan of the emulator back');
  return statement;
}

describe('a plan', () => {
  const readProfile = async () =>
    (await write('select plan, xmin::text as version from profiles where id = $1', [ana.id])).rows[0];

  test('goes with the row that gave it', async () => {
    await setPlan(database.admin, ana.id, 'pro');
    expect(await readProfile()).toMatchObject({ plan: 'pro' });
    await write('delete from subscribers where user_id = $1', [ana.id]);
    expect(await readProfile()).toMatchObject({ plan: 'free' });
  });

  test('that was bought in the emulator goes with the statement of the operations document, a real one stays', async () => {
    const bia = await createUser(database.admin);
    await subscribe({ subscription_status: 'active', stripe_price_id: 'price_emulator_plus_monthly' });
    await subscribe(
      {
        subscription_status: 'active',
        stripe_price_id: 'price_1Qabc',
        stripe_customer_id: `${customer}_bia`,
      },
      bia,
    );
    await write(readStatement());
    expect(await readProfile()).toMatchObject({ plan: 'free' });
    expect([await readSubscriber(), await readSubscriber(bia)]).toMatchObject([undefined, { plan: 'plus' }]);
  });

  test('is not written anew where it stays what it was, and nobody else’s with it', async () => {
    const bia = await createUser(database.admin, { plan: 'pro' });
    await setPlan(database.admin, ana.id, 'plus');
    const before = await readProfile();
    await write('update subscribers set amount_cents = 1 where user_id = $1', [ana.id]);
    expect(await readProfile()).toEqual(before);
    const { rows } = await write('select plan from profiles where id = $1', [bia.id]);
    expect(rows).toEqual([{ plan: 'pro' }]);
  });

  test.each(['expired', 'canceled', 'refunded', 'payment_failed', null])(
    'of a subscription that is %s is free',
    async (status) => {
      await subscribe({ plan: 'pro', subscription_status: status });
      expect(await readProfile()).toMatchObject({ plan: 'free' });
    },
  );
});

test('a subscription never changes hands, and all else of it may be written', async () => {
  const bia = await createUser(database.admin);
  await subscribe({ subscription_status: 'active' });
  const update = (set: string, values: readonly unknown[]) =>
    readOutcome(database, 'service_role', `update subscribers set ${set} where user_id = $1`, [
      ana.id,
      ...values,
    ]);
  expect(await update('user_id = $2', [bia.id])).toMatchObject({ code: '42501' });
  expect(await update('user_id = $2, plan = $3', [bia.id, 'pro'])).toMatchObject({ code: '42501' });
  expect(await update('user_id = $1, plan = $2', ['pro'])).toEqual({ rows: 1 });
  const before = new Date((await readSubscriber()).updated_at).getTime();
  expect(before).toBeGreaterThan(Date.parse('2026-01-02'));
});

describe('what the database refuses to hold of a subscription', () => {
  test.each([
    ['subscribers_amount_is_not_negative', { amount_cents: -1 }],
    ['subscribers_billing_interval_is_known', { billing_interval: 'week' }],
    ['subscribers_currency_is_a_code', { currency: 'USD' }],
    ['subscribers_currency_is_a_code', { currency: 'reais' }],
    ['subscribers_plan_is_known', { plan: 'gold' }],
    ['subscribers_status_is_known', { subscription_status: 'trialing' }],
    ['subscribers_user_id_is_a_user', { user_id: '11111111-2222-4333-8444-555555555555' }],
  ])('%s: %j', async (constraint, columns) => {
    await expect(subscribe(columns)).rejects.toMatchObject({ constraint });
  });

  test.each([
    { amount_cents: 0, billing_interval: 'month', currency: 'brl' },
    { amount_cents: 1, billing_interval: 'year' },
    ...['active', 'expired', 'canceled', 'refunded', 'payment_failed'].map((status) => ({
      subscription_status: status,
    })),
  ])('and takes %j', async (columns) => {
    await subscribe(columns);
    expect(await readSubscriber()).toMatchObject(columns);
  });

  test.each(['user_id', 'plan', 'created_at', 'updated_at', 'cancel_at_period_end'])(
    'nothing for its %s',
    async (column) => {
      await expect(subscribe({ [column]: null })).rejects.toMatchObject({ code: '23502', column });
    },
  );

  test.each([
    ['private.stripe_events', ['id', 'type', 'created_at', 'received_at']],
    ['private.subscription_syncs', ['customer_id', 'user_id', 'issued', 'applied']],
    ['private.subscription_reconciliation', ['only_row']],
  ])('nothing, in %s, where something has to be said: %j', async (table, columns) => {
    await write(
      `insert into private.stripe_events (id, type, created_at) values ($1, 'invoice.paid', now())`,
      [`evt_${customer}`],
    );
    await write('insert into private.subscription_syncs (customer_id, user_id) values ($1, $2)', [
      customer,
      ana.id,
    ]);
    for (const column of columns)
      await expect(write(`update ${table} set ${column} = null`), column).rejects.toMatchObject({
        code: '23502',
        column,
      });
  });

  test('two accounts with one customer, or with one subscription', async () => {
    const bia = await createUser(database.admin);
    await subscribe({ stripe_subscription_id: `sub_${count}` });
    await expect(subscribe({}, bia)).rejects.toMatchObject({ constraint: 'subscribers_customer_is_unique' });
    await expect(
      subscribe({ stripe_customer_id: 'cus_b', stripe_subscription_id: `sub_${count}` }, bia),
    ).rejects.toMatchObject({ constraint: 'subscribers_subscription_is_unique' });
  });

  test.each([
    ['stripe_events_done_or_not', `(id, type, created_at, applied_at) values ('evt_x', 't', now(), now())`],
    ['stripe_events_done_or_not', `(id, type, created_at, outcome) values ('evt_x', 't', now(), 'applied')`],
    [
      'stripe_events_outcome_is_known',
      `(id, type, created_at, applied_at, outcome) values ('evt_x', 't', now(), now(), 'done')`,
    ],
  ])('an event half done: %s %s', async (constraint, row) => {
    await expect(write(`insert into private.stripe_events ${row}`)).rejects.toMatchObject({ constraint });
  });

  test('a ticket applied that was never issued, and a second row of what there is one of', async () => {
    const { id } = ana;
    const sync = (issued: number, applied: number) =>
      write(
        `insert into private.subscription_syncs (customer_id, user_id, issued, applied) values ($1, $2, $3, $4)`,
        [customer, id, issued, applied],
      );
    await expect(sync(1, 2)).rejects.toMatchObject({ constraint: 'subscription_syncs_applied_was_issued' });
    await sync(2, 2);
    await expect(
      write('insert into private.subscription_reconciliation (only_row) values (false)'),
    ).rejects.toMatchObject({ constraint: 'subscription_reconciliation_has_one_row' });
  });

  test('and nothing of it stays when its person goes', async () => {
    await subscribe({ subscription_status: 'active' });
    await ask('begin_subscription_sync($1)', [customer]);
    await write('delete from auth.users where id = $1', [ana.id]);
    expect(await readSubscriber()).toBeUndefined();
    const { rowCount } = await write('select from private.subscription_syncs where customer_id = $1', [
      customer,
    ]);
    expect(rowCount).toBe(0);
  });
});

describe('an event of the provider', () => {
  const record = (id: string) =>
    ask<boolean>(`record_stripe_event($1, 'customer.updated', $2, '2026-03-04')`, [id, customer]);
  const readEvent = async (id: string) =>
    (
      await write(
        `select type, customer, created_at = '2026-03-04' as is_dated, outcome, applied_at is not null as is_done
         from private.stripe_events where id = $1`,
        [id],
      )
    ).rows[0];

  test('is kept with what it was about; ignored, it is done, and is not done twice', async () => {
    const [id, other] = [`evt_${count}`, `evt_${count}_other`];
    await record(other);
    expect(await record(id)).toBe(true);
    const kept = { type: 'customer.updated', customer, is_dated: true };
    expect(await readEvent(id)).toEqual({ ...kept, outcome: null, is_done: false });
    expect(await ask('ignore_stripe_event($1)', [id])).toBe(true);
    expect(await readEvent(id)).toEqual({ ...kept, outcome: 'ignored', is_done: true });
    expect(await ask('ignore_stripe_event($1)', [id])).toBeNull();
    expect(await record(id)).toBe(false);
    expect(await readEvent(other)).toEqual({ ...kept, outcome: null, is_done: false });
  });

  test('says whether its state was written, or came too late', async () => {
    await subscribe({});
    const [first, second] = [`evt_${count}_1`, `evt_${count}_2`];
    await Promise.all([record(first), record(second)]);
    const [older, newer] = [
      await ask('begin_subscription_sync($1)', [customer]),
      await ask('begin_subscription_sync($1)', [customer]),
    ];
    const state = JSON.stringify({ plan: 'plus', cancel_at_period_end: false });
    const apply = (ticket: unknown, id: string) =>
      ask('apply_subscription($1, $2, $3, $4)', [customer, ticket, state, id]);
    await apply(newer, first);
    expect(await readEvent(first)).toMatchObject({ outcome: 'applied', is_done: true });
    expect(await apply(older, second)).toBe('superseded');
    expect(await readEvent(second)).toMatchObject({ outcome: 'superseded', is_done: true });
  });

  test('that two apply at once is the first one’s; the other waits and is told', async () => {
    const event = `evt_${count}`;
    await subscribe({});
    await record(event);
    const [one, two] = [new pg.Client(database.connection), new pg.Client(database.connection)];
    await Promise.all([one.connect(), two.connect()]);
    const apply = (client: pg.Client, ticket: unknown) =>
      client.query(`select apply_subscription($1, $2, null, $3) as answer`, [customer, ticket, event]);
    const tickets = [
      await ask('begin_subscription_sync($1)', [customer]),
      await ask('begin_subscription_sync($1)', [customer]),
    ];
    try {
      await one.query('begin');
      expect((await apply(one, tickets[0])).rows).toEqual([{ answer: 'changed' }]);
      const waiting = apply(two, tickets[1]);
      await waitForLock();
      await one.query('commit');
      expect((await waiting).rows).toEqual([{ answer: 'repeated' }]);
    } finally {
      await Promise.all([one.end(), two.end()]);
    }
  });

  test('that is done stays done while others wait', async () => {
    await subscribe({});
    const [done, other] = [`evt_${count}`, `evt_${count}_waiting`];
    await Promise.all([record(done), record(other)]);
    const apply = () =>
      ask(
        `apply_subscription($1, begin_subscription_sync($1), '{"plan":"pro","cancel_at_period_end":false}', $2)`,
        [customer, done],
      );
    expect(await apply()).not.toBe('repeated');
    expect(await apply()).toBe('repeated');
    expect(await readEvent(other)).toMatchObject({ is_done: false });
  });

  test('is kept for ninety days and not for ninety-one', async () => {
    const age = (id: string, interval: string) =>
      write(`update private.stripe_events set received_at = now() - $2::interval where id = $1`, [
        id,
        interval,
      ]);
    const [young, old] = [`evt_${count}_young`, `evt_${count}_old`];
    await record(young);
    await record(old);
    await age(young, '89 days 23 hours');
    await age(old, '90 days 1 hour');
    expect(await ask('purge_stripe_events()')).toBe(1);
    expect(await readEvent(young)).toBeDefined();
    expect(await readEvent(old)).toBeUndefined();
  });
});

describe('the provider is asked', () => {
  test('by one screen at a time: another second of it is refused, and a person without a customer asks nothing', async () => {
    const check = () => ask<string | null>('begin_subscription_check($1)', [ana.id]);
    expect(await check()).toBeNull();
    await subscribe({});
    // Who has had a ticket before has a row already, and has not asked.
    await ask('begin_subscription_sync($1)', [customer]);
    expect(await check()).toBe(customer);
    // A clock that is ahead for the length of the test.
    await write(
      `update private.subscription_syncs set asked_at = clock_timestamp() + interval '1 hour' where customer_id = $1`,
      [customer],
    );
    expect(await check()).toBeNull();
    await write(
      `update private.subscription_syncs set asked_at = clock_timestamp() - interval '1510 ms' where customer_id = $1`,
      [customer],
    );
    expect(await check()).toBe(customer);
  });

  test('with tickets that count by one, and belong to whom the customer belongs to now', async () => {
    await subscribe({});
    const first = Number(await ask('begin_subscription_sync($1)', [customer]));
    expect(first).toBe(1);
    const bia = await createUser(database.admin);
    await write('update subscribers set stripe_customer_id = null where user_id = $1', [ana.id]);
    await subscribe({}, bia);
    expect(Number(await ask('begin_subscription_sync($1)', [customer]))).toBe(2);
    const { rows } = await write(
      'select user_id, applied from private.subscription_syncs where customer_id = $1',
      [customer],
    );
    expect(rows).toEqual([{ user_id: bia.id, applied: '0' }]);
  });

  test('about as many customers as are wanted, and no more than five hundred', async () => {
    const own = await createThrowawayDatabase();
    try {
      const list = async (max: number | null) => {
        const { rowCount } = await queryAs(
          own,
          'service_role',
          `select * from list_stale_customers('infinity', $1)`,
          [max],
        );
        return rowCount;
      };
      await own.admin.query(
        `insert into auth.users (id, email) select gen_random_uuid(), n || '@exemplo.com.br' from generate_series(1, 502) n`,
      );
      await own.admin.query(
        `insert into subscribers (user_id, stripe_customer_id)
         select id, case when row_number() over () > 1 then 'cus_' || row_number() over () end from auth.users`,
      );
      expect([await list(-1), await list(0), await list(1), await list(null), await list(501)]).toEqual([
        0, 0, 1, 100, 500,
      ]);
    } finally {
      await own.drop();
    }
  });
});

describe('reconciling', () => {
  const due = (quiet: boolean) => ask<boolean>('private.claim_subscription_reconciliation($1)', [quiet]);
  const began = (ago: string, finished = true) =>
    write(
      `update private.subscription_reconciliation
       set started_at = now() - $1::interval, finished_at = case when $2 then now() - $1::interval end`,
      [ago, finished],
    );

  test.each<readonly [string, boolean, boolean, boolean]>([
    ['23 hours 59 minutes', false, true, false],
    ['24 hours 1 minute', false, true, true],
    ['11 hours 59 minutes', true, true, false],
    ['12 hours 1 minute', true, true, true],
    ['12 hours 1 minute', false, true, false],
    ['59 minutes', true, false, false],
    ['61 minutes', false, false, true],
    ['61 minutes', false, true, false],
    ['-59 minutes', true, true, false],
    ['-61 minutes', false, true, true],
  ])('begun %s ago, quiet %j, finished %j: due %j', async (ago, quiet, finished, expected) => {
    await subscribe({});
    await began(ago, finished);
    expect(await due(quiet)).toBe(expected);
  });

  test('that begins anew is unfinished, and its end says what it found', async () => {
    await subscribe({});
    await began('2 days');
    await due(false);
    const read = async () =>
      (
        await write(
          'select finished_at is not null as is_finished, checked, repaired from private.subscription_reconciliation',
        )
      ).rows;
    expect(await read()).toMatchObject([{ is_finished: false }]);
    await ask('private.finish_subscription_reconciliation(7, 2)');
    expect(await read()).toEqual([{ is_finished: true, checked: 7, repaired: 2 }]);
  });
});

/** Until some statement of this database waits for another's lock. */
async function waitForLock(): Promise<void> {
  const waiting = `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await database.admin.query(waiting)).rows[0].n === 0)
    await new Promise((done) => setTimeout(done, 5));
}
