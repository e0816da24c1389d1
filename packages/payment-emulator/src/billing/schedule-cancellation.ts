import type { Ledger } from '../ledger/ledger.ts';
import type { Subscription } from '../ledger/object-kinds.ts';
import { itemOf, keepSubscription } from './keep-subscription.ts';

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
