import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { keepFresh, registerPaymentMetrics } from './payment-metrics.ts';

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  const { id } = await createUser(database.admin);
  await database.admin.query(
    `insert into private.stripe_events (id, type, created_at, applied_at, outcome) values
     ('evt_1', 'invoice.paid', now(), now(), 'applied'), ('evt_2', 'invoice.paid', now(), now(), 'applied'),
     ('evt_3', 'invoice.paid', now(), null, null), ('evt_4', 'charge.refunded', now(), now(), 'ignored')`,
  );
  await database.admin.query(
    `insert into subscribers (user_id, plan, subscription_status) values ($1, 'pro', 'active')`,
    [id],
  );
});
afterAll(() => database.drop());

async function open() {
  const registry = new Registry();
  const db = { pool: database.callers };
  let now = new Date('2027-01-01T00:00:00Z');
  // On a busy machine, too, what is shown is what was read.
  registerPaymentMetrics(registry, { db, now: () => now, patienceMs: 20_000 });
  return {
    db,
    pass: (ms: number) => {
      now = new Date(now.getTime() + ms);
    },
    look: async () =>
      (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#')),
  };
}

test('shows events by type and outcome, subscriptions, and the last reconciliation once there was one', async () => {
  const { look, pass } = await open();
  const first = await look();
  expect(first.sort()).toEqual([
    'linkoteca_payment_events{type="charge.refunded",outcome="ignored"} 1',
    'linkoteca_payment_events{type="invoice.paid",outcome="applied"} 2',
    'linkoteca_payment_events{type="invoice.paid",outcome="waiting"} 1',
    'linkoteca_subscriptions{plan="pro",state="active"} 1',
  ]);
  await database.admin.query(
    `update private.subscription_reconciliation set finished_at = '2027-01-02T03:04:05Z', checked = 9, repaired = 2`,
  );
  await database.admin.query(`delete from private.stripe_events where id = 'evt_4'`);
  expect((await look()).sort(), 'asked once a minute').toEqual(first);
  pass(60_000);
  const later = await look();
  expect(later).toContain('linkoteca_reconciliation_customers{outcome="checked"} 9');
  expect(later).toContain('linkoteca_reconciliation_customers{outcome="repaired"} 2');
  expect(later).toContain(
    `linkoteca_reconciliation_finished_timestamp_seconds ${Date.UTC(2027, 0, 2, 3, 4, 5) / 1000}`,
  );
  expect(later.join()).not.toContain('charge.refunded');
});

test('is asked anew when the clock is set back', async () => {
  const { look, pass } = await open();
  await look();
  await database.admin.query(
    `insert into private.stripe_events (id, type, created_at, applied_at, outcome)
     values ('evt_5', 'charge.dispute.created', now(), now(), 'applied')`,
  );
  onTestFinished(async () => {
    await database.admin.query(`delete from private.stripe_events where id = 'evt_5'`);
  });
  pass(-6 * 3_600_000);
  expect(await look()).toContain(
    'linkoteca_payment_events{type="charge.dispute.created",outcome="applied"} 1',
  );
});

test('without a database the rest is still shown, and what was last known of payments', async () => {
  const { look, pass, db } = await open();
  const before = await look();
  pass(60_000);
  const { pool } = db;
  db.pool = { connect: () => Promise.reject(new Error('away')) } as unknown as typeof pool;
  expect(await look()).toEqual(before);
});

test('without a database from the beginning, nothing is said of payments', async () => {
  const { look, db } = await open();
  db.pool = { connect: () => Promise.reject(new Error('away')) } as unknown as typeof db.pool;
  expect(await look()).toEqual([]);
});

describe('figures that are slow to read', () => {
  test('are waited for no longer than a second, and read once for all who ask meanwhile', async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.restoreAllMocks();
      vi.useRealTimers();
    });
    const { promise, resolve } = Promise.withResolvers<string>();
    const read = vi.fn(() => promise);
    // Its own by their second: a connection that somebody gives back meanwhile has a timer, too.
    const [begun, ended] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
    const look = keepFresh(read, () => new Date(), { freshMs: 10 });
    const first = look();
    await vi.advanceTimersByTimeAsync(999);
    const second = look();
    const late = await Promise.race([first, Promise.resolve('not yet')]);
    expect(late).toBe('not yet');
    await vi.advanceTimersByTimeAsync(1);
    expect(await first).toBeUndefined();
    resolve('figures');
    expect(await second).toBe('figures');
    expect(read).toHaveBeenCalledOnce();
    const own = begun.mock.results.filter((_, at) => begun.mock.calls[at]?.[1] === 1000);
    expect(own).toHaveLength(2);
    for (const { value } of own)
      expect(ended, 'nothing is left that would hold up the end of the process').toHaveBeenCalledWith(value);
  });
});

test('nobody but the server may ask', async () => {
  for (const caller of ['anon', await createUser(database.admin)] as const)
    await expect(queryAs(database, caller, 'select private.measure_payments()')).rejects.toMatchObject({
      code: '42501',
    });
});
