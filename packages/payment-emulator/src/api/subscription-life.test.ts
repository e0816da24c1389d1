import type Stripe from 'stripe';
import { beforeEach, describe, expect, test } from 'vitest';
import { type OpenedEmulator, openEmulator, START } from '../test-support/open-emulator.ts';
import { itemOf, startTestSubscription } from '../test-support/start-subscription.ts';

const DAY = 86_400;
const PLUS = 'price_emulator_plus_monthly';
const PRO = 'price_emulator_pro_monthly';

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
/** The events of some kinds, oldest first. */
const typesOf = async (pattern: RegExp) =>
  (await opened.listObjects('event')).flatMap(({ type }) => (pattern.test(type) ? [type] : [])).reverse();

describe('a subscription', () => {
  test('is active from its first payment on and renews on the anchor’s day, or the month’s last', async () => {
    const subscription = await subscribe(PLUS);
    expect(subscription.status).toBe('active');
    expect(itemOf(subscription)).toMatchObject({
      current_period_start: START,
      current_period_end: at('2026-02-28'),
    });
    await advanceTo('2026-03-31');
    const path = 'latest_invoice.payments.data.payment.payment_intent';
    const renewed = await reload(subscription, [path]);
    expect(itemOf(renewed)).toMatchObject({
      current_period_start: at('2026-03-31'),
      current_period_end: at('2026-04-30'),
    });
    const latest = renewed.latest_invoice as Stripe.Invoice;
    expect(latest).toMatchObject({
      status: 'paid',
      amount_paid: 199,
      billing_reason: 'subscription_cycle',
      created: at('2026-03-31'),
      payments: { data: [{ payment: { payment_intent: { status: 'succeeded', amount: 199 } } }] },
    });
    expect((await invoicesOf(subscription)).map(({ created }) => created)).toEqual([
      at('2026-03-31'),
      at('2026-02-28'),
      START,
    ]);
  });

  test('tells its life in Stripe’s events', async () => {
    await subscribe(PLUS);
    expect(await typesOf(/^(customer\.sub|invoice\.|charge|payment_intent)/)).toEqual([
      'invoice.created',
      'invoice.finalized',
      'customer.subscription.created',
      'payment_intent.created',
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice.paid',
      'invoice.payment_succeeded',
      'customer.subscription.updated',
    ]);
    const [newest] = await opened.listObjects('event');
    expect(newest).toMatchObject({
      type: 'customer.subscription.updated',
      api_version: '2026-10-28.endive',
      livemode: false,
      data: { object: { status: 'active' }, previous_attributes: { status: 'incomplete' } },
    });
  });

  test('that ends with its period is not charged again', async () => {
    const subscription = await subscribe(PLUS);
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    await advanceTo('2026-02-27');
    expect((await reload(subscription)).status).toBe('active');
    await advanceTo('2026-02-28');
    expect(await reload(subscription)).toMatchObject({ status: 'canceled', ended_at: at('2026-02-28') });
    expect(await invoicesOf(subscription)).toHaveLength(1);
    expect(await typesOf(/deleted/)).toEqual(['customer.subscription.deleted']);
    await expect(changeTo(subscription, PRO)).rejects.toMatchObject({ statusCode: 400 });
  });

  test('cancelled at once is gone at once, and cannot be cancelled again', async () => {
    const subscription = await subscribe(PLUS);
    const ended = await stripe.subscriptions.cancel(subscription.id, {
      cancellation_details: { comment: 'obrigada' },
    });
    expect(ended).toMatchObject({ status: 'canceled', cancellation_details: { comment: 'obrigada' } });
    await expect(stripe.subscriptions.cancel(subscription.id)).rejects.toMatchObject({
      code: 'resource_missing',
      statusCode: 404,
    });
    expect((await stripe.subscriptions.list()).data).toEqual([]);
    expect((await stripe.subscriptions.list({ status: 'all' })).data).toHaveLength(1);
  });

  test('whose first payment fails is incomplete and expires after 23 hours', async () => {
    const subscription = await subscribe(PLUS, 'pm_card_chargeDeclined');
    expect(subscription.status).toBe('incomplete');
    await advance(DAY);
    expect((await reload(subscription)).status).toBe('incomplete_expired');
    expect(await invoicesOf(subscription)).toMatchObject([{ status: 'void' }]);
    await expect(
      subscribe(PLUS, 'pm_card_chargeDeclined', { payment_behavior: 'error_if_incomplete' }),
    ).rejects.toMatchObject({
      type: 'StripeCardError',
      code: 'card_declined',
      decline_code: 'generic_decline',
      statusCode: 402,
    });
  });
});

describe('a trial', () => {
  test('is announced to end, ends, and is paid for then', async () => {
    const subscription = await subscribe(PLUS, 'pm_card_visa', { trial_period_days: 7 });
    expect(subscription).toMatchObject({ status: 'trialing', trial_end: START + 7 * DAY });
    await advance(5 * DAY);
    expect(await typesOf(/trial_will_end/)).toHaveLength(1);
    expect((await stripe.charges.list()).data).toEqual([]);
    await advance(2 * DAY + 60);
    const after = await reload(subscription);
    expect(after.status).toBe('active');
    expect(itemOf(after)).toMatchObject({
      current_period_start: START + 7 * DAY,
      current_period_end: at('2026-03-07'),
    });
    expect((await stripe.charges.list()).data).toMatchObject([{ amount: 199 }]);
    expect(await typesOf(/trial_will_end/)).toHaveLength(1);
  });

  test('can be ended early, and a change of price during it costs nothing', async () => {
    const subscription = await subscribe(PLUS, 'pm_card_visa', { trial_period_days: 7 });
    await changeTo(subscription, PRO);
    expect(await invoicesOf(subscription)).toMatchObject([{ total: 0 }]);
    await stripe.subscriptions.update(subscription.id, { trial_end: 'now' });
    expect(await reload(subscription)).toMatchObject({ status: 'active' });
    expect((await stripe.charges.list()).data).toMatchObject([{ amount: 399 }]);
  });

  test('whose card is bad ends past due', async () => {
    const subscription = await subscribe(PLUS, 'pm_card_chargeDeclined', { trial_period_days: 1 });
    await advance(DAY + 60);
    expect((await reload(subscription)).status).toBe('past_due');
  });
});

describe('dunning', () => {
  test('tries again after 3, 5 and 7 days, then ends the subscription', async () => {
    const subscription = await subscribe(PLUS, 'pm_card_chargeCustomerFail');
    const renewal = at('2026-02-28');
    await advanceTo('2026-02-28');
    for (const [attempt, days] of [3, 8, 15].entries()) {
      const [invoice] = await invoicesOf(subscription);
      expect(invoice).toMatchObject({
        status: 'open',
        attempt_count: attempt + 1,
        next_payment_attempt: renewal + days * DAY,
      });
      expect((await reload(subscription)).status).toBe('past_due');
      await stripe.testHelpers.testClocks.advance('clock_emulator', {
        frozen_time: renewal + days * DAY + 60,
      });
    }
    expect(await reload(subscription)).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'payment_failed' },
      ended_at: renewal + 15 * DAY,
    });
    expect(await typesOf(/payment_failed$/)).toEqual(
      Array(4).fill(['payment_intent.payment_failed', 'invoice.payment_failed']).flat(),
    );
    await advance(60 * DAY);
    expect(await typesOf(/^charge.failed/)).toHaveLength(4);
  });

  test('is over when a good card is given before the next attempt', async () => {
    const subscription = await subscribe(PLUS, 'pm_card_chargeCustomerFail');
    await advanceTo('2026-02-28');
    const customer = String(subscription.customer);
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: 'pm_card_visa' } });
    await stripe.subscriptions.update(subscription.id, { default_payment_method: '' });
    await advance(3 * DAY);
    expect((await reload(subscription)).status).toBe('active');
    expect((await invoicesOf(subscription)).map(({ status }) => status)).toEqual(['paid', 'paid']);
  });
});
