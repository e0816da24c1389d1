import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cancelSubscriptions } from '../functions/_shared/cancel-subscriptions.ts';
import { openShop } from './support/open-shop.ts';
import { required } from './support/required.ts';

let database: ThrowawayDatabase;
let shop: ReturnType<typeof openShop>;
let ana: TestUser;
let customer: string;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  shop = openShop(database);
  ana = await createUser(database.admin);
  await shop.buy(ana);
  const text = 'select stripe_customer_id as id from subscribers where user_id = $1';
  customer = required((await database.admin.query(text, [ana.id])).rows[0]?.id);
});

const refund = () => shop.call('request-refund', ana);
const listInvoices = async () => required((await shop.call('list-invoices', ana)).body.invoices);
const listRefunds = async () => (await shop.stripe.refunds.list({ limit: 100 })).data;
const statusOf = async (id: string) => (await shop.stripe.subscriptions.retrieve(id)).status;

describe('invoices', () => {
  test('are the caller’s own, newest first, with a receipt each and what can be given back', async () => {
    const bia = await createUser(database.admin);
    expect(await listInvoices()).toEqual([]);
    await shop.subscribe(customer, 'pro_monthly');
    const [first, ...others] = await listInvoices();
    expect(others).toEqual([]);
    expect(first).toMatchObject({ amountCents: 399, currency: 'usd', status: 'paid', refundable: true });
    expect(first?.receiptUrl).toContain('/payment-emulator/invoices/');
    expect(Date.parse(first?.date ?? '')).toBeCloseTo(Date.now(), -5);
    expect((await shop.call('list-invoices', bia)).body.invoices).toEqual([]);

    await shop.advanceDays(31);
    const later = await listInvoices();
    expect(later.map(({ refundable }) => refundable)).toEqual([false, false]);
    expect(later[1]?.id).toBe(first?.id);
  });

  test('say what was given back', async () => {
    await shop.subscribe(customer);
    const [charge] = (await shop.stripe.charges.list({ customer })).data;
    await shop.stripe.refunds.create({ charge: charge?.id ?? '', amount: 50 });
    expect((await listInvoices())[0]).toMatchObject({
      status: 'partially_refunded',
      refundable: true,
      refundAmountCents: 149,
    });
    await refund();
    expect((await listInvoices())[0]).toMatchObject({ status: 'refunded', refundable: false });
  });
});

describe('a refund', () => {
  test('gives the whole payment back and ends the subscription at once, however often it is clicked', async () => {
    const { id } = await shop.subscribe(customer, 'plus_yearly');
    const answers = await Promise.all([refund(), refund(), refund()]);
    for (const answer of [...answers, await refund()])
      expect(answer).toEqual({ status: 200, body: { refunded: true } });
    expect(await statusOf(id)).toBe('canceled');
    expect((await listRefunds()).map(({ amount }) => amount)).toEqual([1990]);
  });

  test('includes what a change of plan has cost', async () => {
    const { id, items } = await shop.subscribe(customer);
    await shop.stripe.subscriptions.update(id, {
      items: [{ id: items.data[0]?.id ?? '', price: 'price_emulator_pro_monthly' }],
      proration_behavior: 'always_invoice',
    });
    const invoices = await listInvoices();
    const paid = invoices.map(({ amountCents }) => amountCents);
    expect(paid.length).toBe(2);
    expect(invoices.map(({ refundable, refundAmountCents }) => [refundable, refundAmountCents])).toEqual(
      paid.map((cents) => [true, cents]),
    );
    await refund();
    expect((await listRefunds()).map(({ amount }) => amount).sort()).toEqual([...paid].sort());
  });

  test('that fails halfway leaves the subscription ended and says so; asking again gives the rest back', async () => {
    const { id, items } = await shop.subscribe(customer);
    await shop.stripe.subscriptions.update(id, {
      items: [{ id: items.data[0]?.id ?? '', price: 'price_emulator_pro_monthly' }],
      proration_behavior: 'always_invoice',
    });
    const paid = (await listInvoices()).map(({ amountCents }) => amountCents);
    let asked = 0;
    shop.failWhen((request) => {
      if (request === 'POST /v1/refunds') asked += 1;
      return request === 'POST /v1/refunds' && asked === 2;
    });
    const before = shop.requests.length;
    expect(await refund()).toEqual({
      status: 503,
      body: {
        error: 'Sua assinatura foi encerrada, mas o reembolso ainda não saiu. Tente de novo em instantes.',
      },
    });
    expect(shop.requests.slice(before).filter((request) => !request.startsWith('GET'))).toEqual([
      expect.stringMatching(/^POST \/v1\/checkout\/sessions\/.*\/expire$/),
      `DELETE /v1/subscriptions/${id}`,
      'POST /v1/refunds',
      'POST /v1/refunds',
    ]);
    expect([await statusOf(id), (await listRefunds()).length]).toEqual(['canceled', 1]);

    expect(await refund()).toEqual({ status: 200, body: { refunded: true } });
    expect((await listRefunds()).map(({ amount }) => amount).sort()).toEqual([...paid].sort());
  });

  test('is refused after fourteen days by the provider’s clock, and takes nothing away', async () => {
    const { id } = await shop.subscribe(customer);
    await shop.advanceDays(15);
    expect(await refund()).toEqual({
      status: 409,
      body: {
        error:
          'O reembolso integral vale por 14 dias a partir do primeiro pagamento, e esse prazo já terminou',
      },
    });
    expect([await statusOf(id), await listRefunds()]).toEqual(['active', []]);
  });

  test('is given once in an account’s life', async () => {
    await shop.subscribe(customer);
    await refund();
    const { id } = await shop.subscribe(customer);
    expect((await refund()).status).toBe(409);
    expect([await statusOf(id), (await listRefunds()).length]).toEqual(['active', 1]);
  });

  test('of nothing is refused', async () => {
    expect(await refund()).toEqual({ status: 409, body: { error: 'Não há pagamento a reembolsar' } });
    const bia = await createUser(database.admin);
    await shop.subscribe(customer);
    expect((await shop.call('request-refund', bia)).status).toBe(409);
    expect(await listRefunds()).toEqual([]);
  });
});

test('a closed account is charged for nothing more, however often it is closed', async () => {
  const { stripe } = shop;
  const { id } = await shop.subscribe(customer);
  const [open] = (await stripe.checkout.sessions.list({ customer, status: 'open' })).data;
  expect(await cancelSubscriptions({ stripe, customerId: customer })).toBe(1);
  expect(await cancelSubscriptions({ stripe, customerId: customer })).toBe(0);
  expect(await statusOf(id)).toBe('canceled');
  expect((await stripe.checkout.sessions.retrieve(open?.id ?? '')).status).toBe('expired');
  expect((await stripe.invoices.list({ customer })).data).toHaveLength(1);
  await stripe.customers.del(customer);
  expect(await cancelSubscriptions({ stripe, customerId: customer })).toBe(0);
  expect(await cancelSubscriptions({ stripe, customerId: 'cus_of_nobody' })).toBe(0);
});
