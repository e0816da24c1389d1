import type { Ledger } from '../ledger/ledger.ts';
import type { CheckoutSession, Subscription } from '../ledger/object-kinds.ts';
import { collectInvoice } from './collect-invoice.ts';
import { endTrial, renewSubscription } from './renew-subscription.ts';
import {
  belongingTo,
  endSubscription,
  INCOMPLETE_FOR_SECONDS,
  itemOf,
  saveSubscription,
} from './subscriptions.ts';

/** The kinds of objects that need attention at a time of their own. */
export const DUE_KINDS = ['subscription', 'invoice', 'checkout.session'] as const;
export type DueKind = (typeof DUE_KINDS)[number];

/** Does what an object was waiting for. `ledger.time` is the moment at which it was due, however late this runs. */
export async function runDueWork(ledger: Ledger, kind: DueKind, id: string): Promise<void> {
  if (kind === 'subscription') return advanceSubscription(ledger, await ledger.require(kind, id));
  if (kind === 'checkout.session') return expireSession(ledger, await ledger.require(kind, id));
  const invoice = await ledger.require('invoice', id);
  // A further failure sets the next attempt.
  ledger.save('invoice', invoice, { dueAt: null });
  if (invoice.status === 'open') await collectInvoice(ledger, invoice);
}

async function advanceSubscription(ledger: Ledger, subscription: Subscription): Promise<void> {
  const { status, cancel_at: cancelAt, trial_end: trialEnd, created } = subscription;
  const { time } = ledger;
  if (status === 'incomplete' && time >= created + INCOMPLETE_FOR_SECONDS)
    return expireSubscription(ledger, subscription);
  if (cancelAt !== null && time >= cancelAt)
    return endSubscription(ledger, subscription, { reason: 'cancellation_requested' });
  if (status === 'trialing' && trialEnd !== null) {
    if (time >= trialEnd) return endTrial(ledger, subscription);
    ledger.emit('customer.subscription.trial_will_end', subscription);
  } else if (time >= itemOf(subscription).current_period_end) {
    return renewSubscription(ledger, subscription);
  }
  saveSubscription(ledger, subscription);
}

async function expireSubscription(ledger: Ledger, subscription: Subscription): Promise<void> {
  const before = structuredClone(subscription);
  subscription.status = 'incomplete_expired';
  subscription.ended_at = Math.floor(ledger.time);
  saveSubscription(ledger, subscription);
  for (const invoice of await ledger.list('invoice', {
    match: { status: 'open', ...belongingTo(subscription) },
  })) {
    invoice.status = 'void';
    invoice.amount_remaining = 0;
    invoice.status_transitions.voided_at = Math.floor(ledger.time);
    ledger.save('invoice', invoice, { dueAt: null });
    ledger.emit('invoice.voided', invoice);
  }
  ledger.emit('customer.subscription.updated', subscription, before);
}

/** Ends a checkout that nobody has paid. */
export function expireSession(ledger: Ledger, session: CheckoutSession): void {
  if (session.status === 'open') {
    session.status = 'expired';
    session.url = null;
    ledger.emit('checkout.session.expired', session);
  }
  ledger.save('checkout.session', session, { dueAt: null });
}
