import type { Stripe } from 'stripe';

/** Those that a second subscription must not stand beside, the one to go on with first. */
const LIVE = ['active', 'trialing', 'past_due', 'unpaid', 'paused'];

const MOST = 100;

/** The subscription that the customer has: whoever has one changes it instead of paying for two. */
export async function findLiveSubscription(
  stripe: Stripe,
  customer: string,
): Promise<Stripe.Subscription | undefined> {
  const { data } = await stripe.subscriptions.list({ customer, status: 'all', limit: MOST });
  return data
    .filter(({ status }) => LIVE.includes(status))
    .sort((one, other) => LIVE.indexOf(one.status) - LIVE.indexOf(other.status))[0];
}
