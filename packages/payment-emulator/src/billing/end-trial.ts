import { idOf } from '../ledger/ids.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Subscription } from '../ledger/object-kinds.ts';
import { findPaymentMethod } from './cards.ts';
import { endSubscription } from './end-subscription.ts';
import { itemOf, keepSubscription } from './keep-subscription.ts';
import { renewSubscription } from './renew-subscription.ts';

/** A trial is over: the first period that is paid for begins, unless there is no card and the subscription wants otherwise. */
export async function endTrial(ledger: Ledger, subscription: Subscription): Promise<void> {
  const hasCard = (await findPaymentMethod(ledger, idOf(subscription.customer), subscription)) !== null;
  const wish = subscription.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice';
  const time = Math.floor(ledger.time);
  subscription.billing_cycle_anchor = time;
  subscription.trial_end = time;
  itemOf(subscription).current_period_end = time;
  if (hasCard || wish === 'create_invoice') return renewSubscription(ledger, subscription);
  if (wish === 'cancel') return endSubscription(ledger, subscription, { reason: 'payment_failed' });
  const before = structuredClone(subscription);
  subscription.status = 'paused';
  keepSubscription(ledger, subscription);
  ledger.emit('customer.subscription.paused', subscription);
  ledger.emit('customer.subscription.updated', subscription, before);
}
