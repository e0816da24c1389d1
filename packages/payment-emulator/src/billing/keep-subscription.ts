import type Stripe from 'stripe';
import type { Ledger } from '../ledger/ledger.ts';
import type { Subscription } from '../ledger/object-kinds.ts';

const HOUR_SECONDS = 3600;
/** A subscription whose first invoice stays unpaid for so long is gone (Stripe, "incomplete_expired"). */
export const INCOMPLETE_FOR_SECONDS = 23 * HOUR_SECONDS;
/** So long before its end a trial is announced to end. */
export const TRIAL_WARNING_SECONDS = 72 * HOUR_SECONDS;

/** The one item of a subscription: the emulator sells one thing at a time. */
export function itemOf(subscription: Subscription): Stripe.SubscriptionItem {
  const item = subscription.items.data[0];
  if (!item) throw new Error(`subscription ${subscription.id} has no item`);
  return item;
}

/** Saves a subscription together with the moment at which it needs attention next. */
export function keepSubscription(ledger: Ledger, subscription: Subscription): void {
  ledger.save('subscription', subscription, { dueAt: findDueTime(subscription, ledger.time) });
}

function findDueTime(subscription: Subscription, time: number): number | null {
  const { status, cancel_at: cancelAt, trial_end: trialEnd, created } = subscription;
  if (status === 'canceled' || status === 'incomplete_expired') return null;
  if (status === 'incomplete') return created + INCOMPLETE_FOR_SECONDS;
  const moments = cancelAt === null ? [] : [cancelAt];
  if (status === 'trialing' && trialEnd !== null) {
    moments.push(trialEnd);
    if (trialEnd - TRIAL_WARNING_SECONDS > time) moments.push(trialEnd - TRIAL_WARNING_SECONDS);
  } else if (status !== 'paused') {
    moments.push(itemOf(subscription).current_period_end);
  }
  return moments.length === 0 ? null : Math.min(...moments);
}

/** What the invoices and pending items of a subscription have in common, as a query matches it. */
export function belongingTo({ id }: Pick<Subscription, 'id'>): Readonly<Record<string, unknown>> {
  return { parent: { subscription_details: { subscription: id } } };
}
