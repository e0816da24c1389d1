import { idOf } from '../ledger/ids.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { InvoiceItem, Price, Subscription } from '../ledger/object-kinds.ts';
import { findNextPeriodEnd } from './add-interval.ts';
import type { InvoiceLine } from './build-invoice.ts';
import { collectInvoice } from './collect-invoice.ts';
import { describePeriodLine, issueInvoice } from './issue-invoice.ts';
import { belongingTo, itemOf, saveSubscription } from './subscriptions.ts';

/** Begins the next period, bills it together with what is pending, and collects. */
export async function renewSubscription(ledger: Ledger, subscription: Subscription): Promise<void> {
  const before = structuredClone(subscription);
  const item = itemOf(subscription);
  const { interval = 'month', interval_count: intervalCount = 1 } = item.price.recurring ?? {};
  item.current_period_start = item.current_period_end;
  item.current_period_end = findNextPeriodEnd(
    subscription.billing_cycle_anchor,
    interval,
    intervalCount,
    item.current_period_start,
  );
  // A trial becomes a paying subscription; whether it pays is seen below.
  if (subscription.status === 'trialing') subscription.status = 'active';
  saveSubscription(ledger, subscription);
  const customer = await ledger.require('customer', idOf(subscription.customer));
  const invoice = await issueInvoice(ledger, {
    customer,
    subscription,
    reason: 'subscription_cycle',
    lines: [...(await takePendingItems(ledger, subscription)), describePeriodLine(item)],
  });
  saveSubscription(ledger, subscription);
  ledger.emit('customer.subscription.updated', subscription, before);
  if (invoice.status === 'open') await collectInvoice(ledger, invoice);
}

/** The prorations that wait for the next invoice, as its lines. They are pending no longer. */
export async function takePendingItems(ledger: Ledger, subscription: Subscription): Promise<InvoiceLine[]> {
  const pending = await ledger.list('invoiceitem', {
    match: { invoice: null, ...belongingTo(subscription) },
  });
  const lines: InvoiceLine[] = [];
  for (const item of pending.reverse()) {
    const price = await ledger.require('price', idOf(item.pricing?.price_details?.price));
    lines.push(toLine(item, price, itemOf(subscription).id));
    ledger.remove(item.id);
  }
  return lines;
}

function toLine(item: InvoiceItem, price: Price, subscriptionItem: string): InvoiceLine {
  return {
    amount: item.amount,
    description: item.description ?? '',
    price,
    quantity: item.quantity,
    period: item.period,
    subscriptionItem,
    isProration: true,
    invoiceItem: item.id,
  };
}

/** A trial is over: the first period that is paid for begins, whether there is a card or not (`create_invoice`). */
export async function endTrial(ledger: Ledger, subscription: Subscription): Promise<void> {
  const time = Math.floor(ledger.time);
  subscription.billing_cycle_anchor = time;
  subscription.trial_end = time;
  itemOf(subscription).current_period_end = time;
  await renewSubscription(ledger, subscription);
}
