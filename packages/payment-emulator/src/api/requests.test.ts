import type Stripe from 'stripe';
import { beforeEach, describe, expect, test } from 'vitest';
import { type OpenedEmulator, openEmulator, SECRET_KEY, START } from '../test-support/open-emulator.ts';
import { parseForm } from './parameters.ts';

const PLUS = 'price_emulator_plus_monthly';
const URLS = { success_url: 'https://linkoteca.test/plans', cancel_url: 'https://linkoteca.test/plans' };

let opened: OpenedEmulator;
let stripe: Stripe;
beforeEach(() => {
  opened = openEmulator();
  stripe = opened.stripe;
});

describe('idempotency keys', () => {
  test('answer the same again, and refuse other parameters', async () => {
    const create = (email: string) => stripe.customers.create({ email }, { idempotencyKey: 'customer-u1' });
    const first = await create('ana@example.com');
    const again = await create('ana@example.com');
    expect(again.id).toBe(first.id);
    expect((await stripe.customers.list()).data).toHaveLength(1);
    await expect(create('bia@example.com')).rejects.toMatchObject({ type: 'StripeIdempotencyError' });
    await expect(
      stripe.refunds.create({ charge: 'ch_1' }, { idempotencyKey: 'customer-u1' }),
    ).rejects.toMatchObject({ type: 'StripeIdempotencyError' });
  });

  test('are forgotten after a day, and not kept for requests that were refused', async () => {
    await expect(stripe.customers.create({ email: 'não' }, { idempotencyKey: 'k' })).rejects.toMatchObject({
      code: 'email_invalid',
    });
    const first = await stripe.customers.create({ email: 'ana@example.com' }, { idempotencyKey: 'k' });
    opened.clock.now += 86_401_000;
    const later = await stripe.customers.create({ email: 'bia@example.com' }, { idempotencyKey: 'k' });
    expect(later.id).not.toBe(first.id);
  });

  test('keep a card’s refusal: the card is not charged twice', async () => {
    const { id } = await stripe.customers.create({ email: 'ana@example.com' });
    const subscribe = () =>
      stripe.subscriptions.create(
        {
          customer: id,
          items: [{ price: PLUS }],
          default_payment_method: 'pm_card_chargeDeclined',
          payment_behavior: 'error_if_incomplete',
        },
        { idempotencyKey: 's' },
      );
    for (let turn = 0; turn < 2; turn += 1)
      await expect(subscribe()).rejects.toMatchObject({ code: 'card_declined' });
    expect((await stripe.charges.list({ customer: id })).data).toHaveLength(1);
  });
});

describe('lists', () => {
  test('go through all pages by themselves, newest first', async () => {
    const ids: string[] = [];
    for (let turn = 0; turn < 7; turn += 1)
      ids.unshift((await stripe.customers.create({ name: `${turn}` })).id);
    const all: string[] = [];
    for await (const { id } of stripe.customers.list({ limit: 3 })) all.push(id);
    expect(all).toEqual(ids);
    expect((await stripe.customers.list({ limit: 7 })).has_more).toBe(false);
    expect((await stripe.customers.list({ limit: 6 })).has_more).toBe(true);
  });

  test('refuse limits and cursors that make no sense', async () => {
    for (const limit of [0, 101])
      await expect(stripe.customers.list({ limit })).rejects.toMatchObject({ statusCode: 400 });
    await expect(stripe.customers.list({ starting_after: 'cus_none' })).rejects.toMatchObject({
      code: 'resource_missing',
    });
  });

  test('leave deleted customers out, and begin at a moment', async () => {
    const ana = await stripe.customers.create({ email: 'ana@example.com' });
    await opened.advance(60);
    const bia = await stripe.customers.create({ email: 'bia@example.com' });
    const idsOf = async (created?: { gte: number }) =>
      (await stripe.customers.list(created ? { created } : {})).data.map(({ id }) => id);
    expect(await idsOf()).toEqual([bia.id, ana.id]);
    expect(await idsOf({ gte: START + 60 })).toEqual([bia.id]);
    await stripe.customers.del(ana.id);
    expect(await idsOf()).toEqual([bia.id]);
    await expect(stripe.customers.list({ created: { lt: START } })).rejects.toMatchObject({
      statusCode: 400,
    });
  });
});

describe('objects', () => {
  test('expand where they can be, and say where they cannot', async () => {
    const customer = await stripe.customers.create({ email: 'ana@example.com' });
    const { id } = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: PLUS }],
      default_payment_method: 'pm_card_visa',
    });
    const expanded = await stripe.subscriptions.retrieve(id, {
      expand: ['customer', 'default_payment_method', 'items.data.price.product', 'latest_invoice.payments'],
    });
    expect(expanded).toMatchObject({
      customer: { email: 'ana@example.com' },
      default_payment_method: { card: { last4: '4242' } },
      items: { data: [{ price: { product: { name: 'Linkoteca Plus' } } }] },
    });
    const list = await stripe.invoices.list({
      customer: customer.id,
      expand: ['data.payments', 'data.customer'],
    });
    expect(list.data[0]).toMatchObject({
      payments: { data: [{ status: 'paid' }] },
      customer: { id: customer.id },
    });
    for (const path of ['status', 'nothing', 'items.data.quantity', 'a.b.c.d.e'])
      await expect(stripe.subscriptions.retrieve(id, { expand: [path] })).rejects.toMatchObject({
        statusCode: 400,
      });
    // Expanding shows and does not keep.
    expect((await stripe.subscriptions.retrieve(id)).customer).toBe(customer.id);
  });

  test('the four prices are there with amounts, currency and product', async () => {
    const sold = [];
    for (const name of ['plus_monthly', 'plus_yearly', 'pro_monthly', 'pro_yearly']) {
      const price = await stripe.prices.retrieve(`price_emulator_${name}`, { expand: ['product'] });
      sold.push([price.active, price.unit_amount, price.currency, (price.product as Stripe.Product).name]);
    }
    expect(sold).toEqual([
      [true, 199, 'usd', 'Linkoteca Plus'],
      [true, 1990, 'usd', 'Linkoteca Plus'],
      [true, 399, 'usd', 'Linkoteca Pro'],
      [true, 3990, 'usd', 'Linkoteca Pro'],
    ]);
    expect(await stripe.prices.retrieve(PLUS)).toMatchObject({
      recurring: { interval: 'month' },
      metadata: { plan: 'plus' },
    });
  });

  test('metadata: what is named changes, what is empty goes, the rest stays', async () => {
    const { id } = await stripe.customers.create({ metadata: { a: '1', b: '2' } });
    const updated = await stripe.customers.update(id, { metadata: { b: '', c: '3' } });
    expect(updated.metadata).toEqual({ a: '1', c: '3' });
  });
});

describe('bad requests', () => {
  test('are told apart by status, code and parameter, each with a request id', async () => {
    const refused = async (request: Promise<unknown>) => {
      const error = await request.then(
        () => undefined,
        (reason: Stripe.errors.StripeError) => reason,
      );
      expect(error?.requestId).toMatch(/^req_\w{24}$/);
      return [error?.statusCode, error?.code, error?.param];
    };
    const { sessions } = stripe.checkout;
    expect(await refused(stripe.subscriptions.retrieve('sub_none'))).toEqual([404, 'resource_missing', 'id']);
    expect(await refused(sessions.create({ ...URLS, mode: 'subscription' }))).toEqual([
      400,
      'parameter_missing',
      'line_items',
    ]);
    const unknown = sessions.create({
      ...URLS,
      mode: 'subscription',
      line_items: [{ price: 'price_none', quantity: 1 }],
    });
    expect(await refused(unknown)).toEqual([400, 'resource_missing', 'line_items[0][price]']);
    const nobody = sessions.create({
      ...URLS,
      mode: 'subscription',
      customer: 'cus_none',
      line_items: [{ price: PLUS, quantity: 1 }],
    });
    expect(await refused(nobody)).toEqual([400, 'resource_missing', 'customer']);
    expect(await refused(stripe.balance.retrieve())).toEqual([404, undefined, undefined]);
    expect(await refused(stripe.billingPortal.sessions.create({ customer: 'cus_none' }))).toEqual([
      400,
      'resource_missing',
      'customer',
    ]);
  });

  test.each([
    ['a[b', 'not closed'],
    ['[a]=1', 'without a name'],
    [`${'a[b]'.padEnd(40, '[c]')}=1`, 'too deep'],
    [`${'a=1&'.repeat(1001)}`, 'too many'],
  ])('%s: parameters %s are refused', (text) => {
    expect(() => parseForm(text)).toThrow();
  });

  test('names from outside reach no prototype', async () => {
    const form = parseForm(
      '__proto__[polluted]=1&metadata[__proto__]=1&items[0][price]=p&expand[]=a&expand[]=b',
    );
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(form).toMatchObject({ items: [{ price: 'p' }], expand: ['a', 'b'] });
    const answer = await opened.open('/v1/customers', {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRET_KEY}` },
      body: 'metadata[constructor]=x&__proto__[polluted]=1',
    });
    expect(answer.status).toBe(200);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('checkout sessions', () => {
  const create = (more: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
    stripe.checkout.sessions.create({
      ...URLS,
      mode: 'subscription',
      line_items: [{ price: PLUS, quantity: 1 }],
      ...more,
    });

  test('have an address nobody can guess, live for a day and can be ended', async () => {
    const session = await create();
    expect(session.url).toMatch(/\/payment-emulator\/checkout\/cs_test_\w{58}$/);
    expect(session).toMatchObject({
      status: 'open',
      expires_at: START + 86_400,
      amount_total: 199,
      livemode: false,
    });
    expect((await stripe.checkout.sessions.expire(session.id)).status).toBe('expired');
    await expect(stripe.checkout.sessions.expire(session.id)).rejects.toMatchObject({ statusCode: 400 });
  });

  test('refuse what cannot be sold, and addresses that are none', async () => {
    const bad: Partial<Stripe.Checkout.SessionCreateParams>[] = [
      { mode: 'payment' },
      { line_items: [{ price: PLUS, quantity: 0 }] },
      { expires_at: START + 60 },
      { success_url: '/plans' },
      { discounts: [{ coupon: 'none' }] },
    ];
    for (const more of bad) await expect(create(more)).rejects.toMatchObject({ statusCode: 400 });
    expect((await stripe.checkout.sessions.list()).data).toEqual([]);
  });
});

test('the clock never goes back', async () => {
  const { testClocks } = stripe.testHelpers;
  const clock = await testClocks.retrieve('clock_emulator');
  expect(clock).toMatchObject({ frozen_time: START, status: 'ready' });
  for (const time of [START - 1, START + 3 * 366 * 86_400])
    await expect(testClocks.advance(clock.id, { frozen_time: time })).rejects.toMatchObject({
      statusCode: 400,
    });
  await testClocks.advance(clock.id, { frozen_time: START + 60 });
  // Whoever compares dates with the provider's own time reads it here.
  const { lastResponse } = await stripe.prices.retrieve(PLUS);
  expect(new Headers(lastResponse.headers).get('date')).toBe(new Date((START + 60) * 1000).toUTCString());
  expect((await testClocks.retrieve(clock.id)).frozen_time).toBe(START + 60);
});
