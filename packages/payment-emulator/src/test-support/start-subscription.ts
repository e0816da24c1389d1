import type Stripe from 'stripe';

/** A customer of their own who subscribes without a page, with a test card. */
export async function startTestSubscription(
  stripe: Stripe,
  price = 'price_emulator_plus_monthly',
  card = 'pm_card_visa',
  more: Partial<Stripe.SubscriptionCreateParams> = {},
): Promise<Stripe.Subscription> {
  const customer = await stripe.customers.create({ email: 'ana@example.com', metadata: { user_id: 'u1' } });
  return stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price }],
    default_payment_method: card,
    ...more,
  });
}

/** The one item of a subscription. */
export function itemOf(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = subscription.items.data;
  if (!item) throw new Error(`${subscription.id} has no item`);
  return item;
}
