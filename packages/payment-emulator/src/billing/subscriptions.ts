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
export function saveSubscription(ledger: Ledger, subscription: Subscription): void {
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
  } else {
    moments.push(itemOf(subscription).current_period_end);
  }
  return Math.min(...moments);
}

/** What the invoices and pending items of a subscription have in common, as a query matches it. */
export function belongingTo({ id }: Pick<Subscription, 'id'>): Readonly<Record<string, unknown>> {
  return { parent: { subscription_details: { subscription: id } } };
}

type SubscriptionEnd = {
  readonly reason: 'cancellation_requested' | 'payment_failed';
};

/** Ends a subscription now. What it still owes is not asked for again. */
export async function endSubscription(
  ledger: Ledger,
  subscription: Subscription,
  { reason }: SubscriptionEnd,
): Promise<void> {
  const time = Math.floor(ledger.time);
  subscription.status = 'canceled';
  subscription.ended_at = time;
  subscription.canceled_at ??= time;
  subscription.cancellation_details = {
    comment: null,
    feedback: null,
    feedback_option: null,
    ...subscription.cancellation_details,
    reason: subscription.cancellation_details?.reason ?? reason,
  };
  saveSubscription(ledger, subscription);
  ledger.emit('customer.subscription.deleted', subscription);
  for (const invoice of await ledger.list('invoice', {
    match: { status: 'open', ...belongingTo(subscription) },
  })) {
    invoice.auto_advance = false;
    invoice.next_payment_attempt = null;
    ledger.save('invoice', invoice, { dueAt: null });
  }
  for (const item of await ledger.list('invoiceitem', {
    match: { invoice: null, ...belongingTo(subscription) },
  }))
    ledger.remove(item.id);
}

/** Lets a subscription end when the period that is paid for ends, or takes that back. */
export function scheduleCancellation(ledger: Ledger, subscription: Subscription, atPeriodEnd: boolean): void {
  const before = structuredClone(subscription);
  subscription.cancel_at_period_end = atPeriodEnd;
  subscription.cancel_at = atPeriodEnd ? itemOf(subscription).current_period_end : null;
  subscription.canceled_at = atPeriodEnd ? Math.floor(ledger.time) : null;
  subscription.cancellation_details = {
    comment: null,
    feedback: null,
    feedback_option: null,
    reason: atPeriodEnd ? 'cancellation_requested' : null,
  };
  saveSubscription(ledger, subscription);
  ledger.emit('customer.subscription.updated', subscription, before);
}
