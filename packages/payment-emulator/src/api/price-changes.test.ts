import type Stripe from 'stripe';
import { beforeEach, describe, expect, test } from 'vitest';
import { planPriceChange } from '../billing/price-changes.ts';
import { type OpenedEmulator, openEmulator, START } from '../test-support/open-emulator.ts';
import { itemOf, startTestSubscription } from '../test-support/start-subscription.ts';

const DAY = 86_400;
const PLUS = 'price_emulator_plus_monthly';
const PLUS_YEAR = 'price_emulator_plus_yearly';
const PRO = 'price_emulator_pro_monthly';
const PRO_YEAR = 'price_emulator_pro_yearly';

let opened: OpenedEmulator;
let stripe: Stripe;
let advance: (seconds: number) => Promise<void>;
beforeEach(() => {
  opened = openEmulator();
  ({ stripe, advance } = opened);
});

const at = (text: string) => Date.parse(`${text}T12:00:00Z`) / 1000;
const advanceTo = (text: string) =>
  stripe.testHelpers.testClocks.advance('clock_emulator', { frozen_time: at(text) + 60 });

const subscribe = (price: string, card?: string, more?: Partial<Stripe.SubscriptionCreateParams>) =>
  startTestSubscription(stripe, price, card, more);
const reload = ({ id }: Stripe.Subscription, expand: string[] = []) =>
  stripe.subscriptions.retrieve(id, { expand });
const invoicesOf = async ({ id }: Stripe.Subscription) =>
  (await stripe.invoices.list({ subscription: id })).data;
const changeTo = (
  subscription: Stripe.Subscription,
  price: string,
  more: Stripe.SubscriptionUpdateParams = {},
) =>
  stripe.subscriptions.update(subscription.id, {
    items: [{ id: itemOf(subscription).id, price }],
    proration_behavior: 'always_invoice',
    ...more,
  });
/** The amounts of a change as the portal shows them before it is made. */
const preview = ({ id }: Stripe.Subscription, to: string) =>
  opened.objectStore.read(async (ledger) => {
    const price = await ledger.require('price', to);
    const subscription = await ledger.require('subscription', id);
    const { lines } = await planPriceChange(ledger, subscription, { price, quantity: 1 });
    return lines.map(({ amount }) => amount);
  });
/** The events of some kinds, oldest first. */
const typesOf = async (pattern: RegExp) =>
  (await opened.listObjects('event')).flatMap(({ type }) => (pattern.test(type) ? [type] : [])).reverse();

// 31 January to 28 February: 28 days. Half of it, 14 days, is left on 14 February.
describe('a change of price is prorated to the cent', () => {
  test.each([
    ['month to month, upwards', PLUS, PRO, [-100, 200], 100],
    ['month to month, downwards', PRO, PLUS, [-200, 100], -100],
    ['month to year', PLUS, PRO_YEAR, [-100, 3990], 3890],
    // 365 days, 14 of them used.
    ['year to month', PRO_YEAR, PLUS, [-3837, 199], -3638],
    ['year to year', PLUS_YEAR, PRO_YEAR, [-1914, 3837], 1923],
  ])('%s', async (_name, from, to, amounts, total) => {
    const subscription = await subscribe(from);
    await stripe.testHelpers.testClocks.advance('clock_emulator', { frozen_time: START + 14 * DAY });
    expect(await preview(subscription, to)).toEqual(amounts);
    const changed = await changeTo(subscription, to, { proration_date: START + 14 * DAY });
    const [invoice] = await invoicesOf(subscription);
    expect(invoice?.lines.data.map(({ amount }) => amount)).toEqual(amounts);
    expect(invoice).toMatchObject({
      total,
      amount_due: Math.max(0, total),
      status: 'paid',
      billing_reason: 'subscription_update',
    });
    const isNewPeriod = (from === PLUS || from === PRO) !== (to === PLUS || to === PRO);
    expect(itemOf(changed).current_period_start).toBe(isNewPeriod ? START + 14 * DAY : START);
    // What was not used up is credit for the invoices that follow.
    const customer = (await stripe.customers.retrieve(String(subscription.customer))) as Stripe.Customer;
    expect(customer.balance).toBe(Math.min(0, total));
  });

  test('credit pays the following invoices first', async () => {
    const subscription = await subscribe(PRO);
    await advance(14 * DAY);
    await changeTo(subscription, PLUS, { proration_date: START + 14 * DAY });
    await advanceTo('2026-02-28');
    const [renewal] = await invoicesOf(subscription);
    expect(renewal).toMatchObject({
      total: 199,
      starting_balance: -100,
      amount_due: 99,
      amount_paid: 99,
      ending_balance: 0,
    });
  });

  test('and back again: what is given back is what was billed', async () => {
    const subscription = await subscribe(PLUS);
    await advance(14 * DAY);
    await changeTo(subscription, PRO, { proration_date: START + 14 * DAY });
    await changeTo(subscription, PLUS, { proration_date: START + 14 * DAY });
    expect((await invoicesOf(subscription)).map(({ total }) => total)).toEqual([-100, 100, 199]);
  });

  test('without `always_invoice` it waits for the next invoice; `none` asks for nothing', async () => {
    const subscription = await subscribe(PLUS);
    await advance(14 * DAY);
    await changeTo(subscription, PRO, {
      proration_behavior: 'create_prorations',
      proration_date: START + 14 * DAY,
    });
    expect(await invoicesOf(subscription)).toHaveLength(1);
    await advanceTo('2026-02-28');
    const [renewal] = await invoicesOf(subscription);
    expect(renewal?.lines.data.map(({ amount }) => amount)).toEqual([-100, 200, 399]);
    await changeTo(subscription, PLUS, { proration_behavior: 'none' });
    expect(await invoicesOf(subscription)).toHaveLength(2);
  });

  test('a discount is not given back: the credit is what was paid', async () => {
    const subscription = await subscribe(PLUS, 'pm_card_visa', {
      discounts: [{ promotion_code: 'promo_emulator_linkoteca10' }],
    });
    await advance(14 * DAY);
    await changeTo(subscription, PRO, { proration_date: START + 14 * DAY });
    const [invoice, first] = await invoicesOf(subscription);
    expect(first).toMatchObject({ subtotal: 199, total: 179 });
    expect(invoice?.lines.data.map(({ amount }) => amount)).toEqual([-90, 200]);
  });

  test('`error_if_incomplete`: a refused card changes nothing', async () => {
    const subscription = await subscribe(PLUS, 'pm_card_chargeCustomerFail');
    await expect(
      changeTo(subscription, PRO, { payment_behavior: 'error_if_incomplete' }),
    ).rejects.toMatchObject({ statusCode: 402 });
    expect(itemOf(await reload(subscription)).price.id).toBe(PLUS);
    expect(await invoicesOf(subscription)).toHaveLength(1);
    // Without it the change stands and the subscription is past due.
    expect((await changeTo(subscription, PRO)).status).toBe('past_due');
  });
});

describe('money that goes back', () => {
  test('refunds: a part, the rest, and no more', async () => {
    await subscribe(PRO);
    const [charge] = (await stripe.charges.list()).data;
    const id = charge?.id ?? '';
    await stripe.refunds.create({ charge: id, amount: 100 });
    expect(await stripe.charges.retrieve(id)).toMatchObject({ amount_refunded: 100, refunded: false });
    await expect(stripe.refunds.create({ charge: id, amount: 300 })).rejects.toMatchObject({
      statusCode: 400,
    });
    await stripe.refunds.create({ charge: id });
    expect(await stripe.charges.retrieve(id)).toMatchObject({ amount_refunded: 399, refunded: true });
    expect((await stripe.refunds.list({ charge: id })).data).toMatchObject([
      { amount: 299 },
      { amount: 100 },
    ]);
    await expect(stripe.refunds.create({ charge: id })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    });
    expect(await typesOf(/refund/)).toEqual([
      'refund.created',
      'charge.refunded',
      'refund.created',
      'charge.refunded',
    ]);
  });

  test('a deleted customer has no subscription, and only their id is left', async () => {
    const subscription = await subscribe(PRO);
    const id = String(subscription.customer);
    expect(await stripe.customers.del(id)).toEqual(expect.objectContaining({ id, deleted: true }));
    expect((await reload(subscription)).status).toBe('canceled');
    expect(JSON.stringify(await stripe.customers.retrieve(id))).not.toContain('ana@example.com');
    await expect(stripe.customers.update(id, { name: 'Ana' })).rejects.toMatchObject({
      code: 'resource_missing',
    });
    expect((await stripe.customers.list()).data).toEqual([]);
    await advance(40 * DAY);
    expect((await stripe.charges.list()).data).toHaveLength(1);
  });
});
