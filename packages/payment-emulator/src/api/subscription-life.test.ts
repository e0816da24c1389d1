import type Stripe from 'stripe';
import { beforeEach, describe, expect, test } from 'vitest';
import { type OpenedEmulator, openEmulator, START } from '../test-support/open-emulator.ts';

const DAY = 86_400;
const [PLUS, PLUS_YEAR, PRO, PRO_YEAR] = ['plus_monthly', 'plus_yearly', 'pro_monthly', 'pro_yearly'].map(
  (name) => `price_emulator_${name}`,
) as [string, string, string, string];

let opened: OpenedEmulator;
let stripe: Stripe;
beforeEach(() => {
  opened = openEmulator();
  stripe = opened.stripe;
});

const at = (text: string) => Date.parse(`${text}T12:00:00Z`) / 1000;
const advanceTo = (text: string) =>
  stripe.testHelpers.testClocks.advance('clock_emulator', { frozen_time: at(text) + 60 });

async function subscribe(
  price: string,
  card = 'pm_card_visa',
  more: Partial<Stripe.SubscriptionCreateParams> = {},
) {
  const customer = await stripe.customers.create({ email: 'ana@example.com', metadata: { user_id: 'u1' } });
  return stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price }],
    default_payment_method: card,
    ...more,
  });
}
const reload = (id: string, expand: string[] = []) => stripe.subscriptions.retrieve(id, { expand });
const itemOf = (subscription: Stripe.Subscription) => subscription.items.data[0] as Stripe.SubscriptionItem;
const typesOf = async () => (await stripe.events.list({ limit: 100 })).data.map(({ type }) => type).reverse();

describe('a subscription', () => {
  test('is active from its first payment on and renews on the anchor’s day, or the month’s last', async () => {
    const { id, status, items } = await subscribe(PLUS);
    expect(status).toBe('active');
    expect(items.data[0]).toMatchObject({
      current_period_start: START,
      current_period_end: at('2026-02-28'),
    });
    await advanceTo('2026-03-31');
    const renewed = await reload(id, ['latest_invoice.payments.data.payment.payment_intent']);
    expect(itemOf(renewed)).toMatchObject({
      current_period_start: at('2026-03-31'),
      current_period_end: at('2026-04-30'),
    });
  });
});
