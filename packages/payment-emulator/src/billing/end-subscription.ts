import type { Ledger } from '../ledger/ledger.ts';
import type { Subscription } from '../ledger/object-kinds.ts';
import { belongingTo, itemOf, keepSubscription } from './keep-subscription.ts';

export type SubscriptionEnd = {
  readonly reason: 'cancellation_requested' | 'payment_failed' | 'payment_disputed';
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
  keepSubscription(ledger, subscription);
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
  keepSubscription(ledger, subscription);
  ledger.emit('customer.subscription.updated', subscription, before);
}
