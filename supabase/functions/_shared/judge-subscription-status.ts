import type { Stripe } from 'stripe';
import type { PaidSubscription, SubscriptionPayment } from './customer-snapshot.ts';
import type { SubscriptionStatus } from './subscription-state.ts';

/**
 * Stripe's status of a subscription in the specification's words (decision 0037). A subscription that is past due or unpaid waits for a
 * payment; one that is paused has seen its trial end without a card, and does not begin again by itself.
 */
export function judgeSubscriptionStatus({ subscription, payments }: PaidSubscription): SubscriptionStatus {
  switch (subscription.status) {
    case 'active':
    case 'trialing':
      return isMoneyBack(subscription, payments) ? 'refunded' : 'active';
    case 'past_due':
    case 'unpaid':
    case 'incomplete':
      return 'payment_failed';
    case 'canceled':
      return judgeEnd(subscription, payments);
    default:
      // incomplete_expired and paused; a status that does not exist yet gives nobody a plan.
      return 'expired';
  }
}

/** Canceled is what somebody ended before its time; what ran out, or was given up for want of a payment, has expired. */
function judgeEnd(subscription: Stripe.Subscription, payments: readonly SubscriptionPayment[]) {
  if (listTermPayments(subscription, payments).some(({ isReturned }) => isReturned)) return 'refunded';
  if (subscription.cancellation_details?.reason === 'payment_failed') return 'expired';
  const { end } = readTerm(subscription);
  const endedAt = subscription.ended_at ?? subscription.canceled_at ?? 0;
  return endedAt >= Math.min(end, subscription.cancel_at ?? end) ? 'expired' : 'canceled';
}

/** Of what was paid for the running term nothing is left. Part of it back changes nothing. */
function isMoneyBack(subscription: Stripe.Subscription, payments: readonly SubscriptionPayment[]): boolean {
  const ofTerm = listTermPayments(subscription, payments);
  return ofTerm.length > 0 && ofTerm.every(({ isReturned }) => isReturned);
}

/** A payment is taken when the term begins or, for a renewal, an hour or some days later; never before. */
function listTermPayments(subscription: Stripe.Subscription, payments: readonly SubscriptionPayment[]) {
  const { start } = readTerm(subscription);
  return payments.filter(({ created }) => created >= start - CLOCK_SLACK_SECONDS);
}

const CLOCK_SLACK_SECONDS = 60;

/** The time that is or was paid for, in seconds. */
export function readTerm({ items, start_date }: Stripe.Subscription): { start: number; end: number } {
  const starts = items.data.map((item) => item.current_period_start);
  const ends = items.data.map((item) => item.current_period_end);
  return { start: Math.max(start_date, ...starts), end: Math.max(start_date, ...ends) };
}
