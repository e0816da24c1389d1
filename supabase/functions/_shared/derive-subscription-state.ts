import type { Stripe } from 'stripe';
import { PLAN_IDS } from '../../../packages/domain/src/plans.ts';
import type { CustomerSnapshot, PaidSubscription } from './customer-snapshot.ts';
import { judgeSubscriptionStatus, readTerm } from './judge-subscription-status.ts';
import type { ListedPrice, PriceBook } from './read-price-book.ts';
import { NO_SUBSCRIPTION, type SubscriptionState, type SubscriptionStatus } from './subscription-state.ts';

export type Derivation = {
  readonly state: SubscriptionState;
  /** Of subscriptions that are none of our plans. */
  readonly unknownPrices: readonly string[];
};

type Candidate = {
  readonly subscription: Stripe.Subscription;
  readonly item: Stripe.SubscriptionItem;
  readonly price: ListedPrice;
  readonly status: SubscriptionStatus;
};

/** What a customer's subscriptions come to: the best of those that live, else the one that ended last. Pure. */
export function deriveSubscriptionState(snapshot: CustomerSnapshot, book: PriceBook): Derivation {
  const unknownPrices: string[] = [];
  const candidates: Candidate[] = [];
  for (const paid of snapshot.subscriptions) {
    const found = findPrice(paid, book);
    if (found) candidates.push({ ...found, ...paid, status: judgeSubscriptionStatus(paid) });
    else unknownPrices.push(...paid.subscription.items.data.map(({ price }) => price.id));
  }
  const [best] = candidates.sort(compare);
  return { state: best ? describe(best) : NO_SUBSCRIPTION, unknownPrices };
}

function findPrice({ subscription }: PaidSubscription, book: PriceBook) {
  for (const item of subscription.items.data) {
    const price = book.find(item.price.id);
    if (price) return { item, price };
  }
  return undefined;
}

/** The best first: whoever pays twice gets the better plan, and a failed second purchase takes nothing away. */
function compare(a: Candidate, b: Candidate): number {
  return (
    rank(b.status) - rank(a.status) ||
    (a.status === 'active' ? PLAN_IDS.indexOf(b.price.plan) - PLAN_IDS.indexOf(a.price.plan) : 0) ||
    lastMoment(b.subscription) - lastMoment(a.subscription) ||
    b.subscription.created - a.subscription.created ||
    (a.subscription.id < b.subscription.id ? 1 : -1)
  );
}

function rank(status: SubscriptionStatus): number {
  if (status === 'active') return 2;
  return status === 'payment_failed' ? 1 : 0;
}

function lastMoment(subscription: Stripe.Subscription): number {
  return subscription.ended_at ?? readTerm(subscription).end;
}

function describe({ subscription, item, price, status }: Candidate): SubscriptionState {
  return {
    plan: price.plan,
    subscription_status: status,
    stripe_subscription_id: subscription.id,
    current_period_end: toTime(subscription.ended_at ?? item.current_period_end),
    // The portal writes either of the two, depending on how the account bills.
    cancel_at_period_end:
      subscription.ended_at === null &&
      (subscription.cancel_at_period_end || subscription.cancel_at !== null),
    trial_end: toTime(subscription.trial_end),
    stripe_price_id: price.priceId,
    billing_interval: price.interval,
    amount_cents: costOf(subscription, item),
    currency: subscription.currency.toLowerCase(),
  };
}

function toTime(seconds: number | null): string | null {
  return seconds === null ? null : new Date(seconds * 1000).toISOString();
}

/** What the next renewal costs, in cents. A discount stands on the subscription as long as it is good for a renewal. */
function costOf({ discounts }: Stripe.Subscription, { price, quantity = 1 }: Stripe.SubscriptionItem) {
  let cost = (price.unit_amount ?? 0) * quantity;
  for (const discount of discounts) {
    const coupon = typeof discount === 'string' ? null : discount.source.coupon;
    if (coupon === null || typeof coupon === 'string' || coupon.duration === 'once') continue;
    cost -= coupon.percent_off ? Math.round((cost * coupon.percent_off) / 100) : (coupon.amount_off ?? 0);
  }
  return Math.max(0, cost);
}
