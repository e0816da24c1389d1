import type { Ledger } from '../ledger/ledger.ts';
import type { Customer, Invoice, Subscription } from '../ledger/object-kinds.ts';
import { buildSubscription, type SubscriptionPlan } from './build-subscription.ts';
import { type Collection, collectInvoice } from './collect-invoice.ts';
import { applyDiscount, type RedeemableCoupon } from './discounts.ts';
import { describePeriodLine, issueInvoice } from './issue-invoice.ts';
import { itemOf, saveSubscription, TRIAL_WARNING_SECONDS } from './subscriptions.ts';

export type StartedSubscription = {
  readonly subscription: Subscription;
  readonly invoice: Invoice;
  readonly collection: Collection;
};

/**
 * Starts a subscription and tries to collect its first invoice: active when that went through, else incomplete; a trial
 * begins with an invoice of nothing.
 */
export async function startSubscription(
  ledger: Ledger,
  plan: SubscriptionPlan,
  redeemed?: RedeemableCoupon | undefined,
): Promise<StartedSubscription> {
  const subscription = buildSubscription(ledger, plan);
  recordCurrency(ledger, plan.customer, subscription.currency);
  // A discount that is given once is for the first payment, which a trial puts off.
  if (redeemed) applyDiscount(ledger, subscription, redeemed);
  saveSubscription(ledger, subscription);
  const invoice = await issueFirstInvoice(ledger, plan, subscription);
  ledger.emit('customer.subscription.created', subscription);
  const collection = await collectInvoice(ledger, invoice);
  warnOfShortTrial(ledger, subscription);
  return { subscription, invoice, collection };
}

async function issueFirstInvoice(
  ledger: Ledger,
  { customer }: SubscriptionPlan,
  subscription: Subscription,
): Promise<Invoice> {
  const { discounts } = subscription;
  const isTrial = subscription.status === 'trialing';
  const invoice = await issueInvoice(ledger, {
    customer,
    subscription,
    reason: 'subscription_create',
    lines: [describePeriodLine(itemOf(subscription), { isFree: isTrial })],
  });
  if (isTrial) subscription.discounts = discounts;
  saveSubscription(ledger, subscription);
  return invoice;
}

function recordCurrency(ledger: Ledger, customer: Customer, currency: string): void {
  customer.currency = currency;
  ledger.save('customer', customer);
}

function warnOfShortTrial(ledger: Ledger, subscription: Subscription): void {
  const { trial_end: end } = subscription;
  if (end !== null && end - TRIAL_WARNING_SECONDS <= ledger.time)
    ledger.emit('customer.subscription.trial_will_end', subscription);
}
