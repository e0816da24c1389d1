import type Stripe from 'stripe';
import { createId, idOf } from '../ledger/ids.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Invoice, InvoiceItem, Price, Subscription } from '../ledger/object-kinds.ts';
import { asDecimal, type InvoiceLine } from './build-invoice.ts';
import { describePlan, endOfPeriod } from './build-subscription.ts';
import { collectInvoice } from './collect-invoice.ts';
import { issueInvoice, namePrice } from './issue-invoice.ts';
import { takePendingItems } from './renew-subscription.ts';
import { belongingTo, itemOf, saveSubscription } from './subscriptions.ts';

export type PriceChange = {
  readonly price: Price;
  readonly quantity: number;
  /** The moment to prorate for, seconds since 1970; left out, now. */
  readonly prorationDate?: number | undefined;
};

export type PlannedChange = {
  /** A credit for what is left of the old price, and what the new one costs. */
  readonly lines: readonly InvoiceLine[];
  /** Another interval begins a period of its own. */
  readonly newPeriod: { readonly start: number; readonly end: number } | null;
  /** The moment that was prorated for. */
  readonly time: number;
};

/** Works out what a change to another price costs. Changes nothing. */
export async function planPriceChange(
  ledger: Ledger,
  subscription: Subscription,
  { price, quantity, prorationDate }: PriceChange,
): Promise<PlannedChange> {
  const item = itemOf(subscription);
  const time = Math.floor(prorationDate ?? ledger.time);
  const old = item.price as Price;
  // Nothing was paid for a trial, and its length does not depend on the price.
  if (subscription.status === 'trialing' || (old.id === price.id && (item.quantity ?? 1) === quantity))
    return { lines: [], newPeriod: null, time };
  const rest = { start: time, end: item.current_period_end };
  const credit: InvoiceLine = {
    amount: -(await findCredit(ledger, subscription, time)),
    description: `Unused time on ${namePrice(old)}`,
    price: old,
    quantity: item.quantity ?? 1,
    period: rest,
    subscriptionItem: item.id,
    isProration: true,
  };
  const isSameInterval =
    old.recurring?.interval === price.recurring?.interval &&
    old.recurring?.interval_count === price.recurring?.interval_count;
  const full = (price.unit_amount ?? 0) * quantity;
  const newPeriod = isSameInterval ? null : { start: time, end: endOfPeriod(price, time) };
  const whole = { start: item.current_period_start, end: item.current_period_end };
  const debit: InvoiceLine = {
    amount: newPeriod ? full : prorate(full, whole, time),
    description: newPeriod ? `${quantity} × ${namePrice(price)}` : `Remaining time on ${namePrice(price)}`,
    price,
    quantity,
    period: newPeriod ?? rest,
    subscriptionItem: item.id,
    isProration: newPeriod === null,
  };
  return { lines: [credit, debit], newPeriod, time };
}

/** What is given back: the part that is left of what was billed for the item last, after discounts. */
async function findCredit(ledger: Ledger, subscription: Subscription, time: number): Promise<number> {
  const item = itemOf(subscription);
  const pending = await ledger.list('invoiceitem', {
    match: { invoice: null, ...belongingTo(subscription) },
  });
  const waiting = pending.find(
    ({ amount, pricing }) => amount >= 0 && idOf(pricing?.price_details?.price) === item.price.id,
  );
  if (waiting) return prorate(waiting.amount, waiting.period, time);
  const invoices = await ledger.list('invoice', { match: belongingTo(subscription), limit: 100 });
  const line = invoices
    .filter(({ status }) => status !== 'void' && status !== 'draft')
    .flatMap(linesOf)
    .find(
      ({ amount, period, pricing }) =>
        amount > 0 &&
        idOf(pricing?.price_details?.price) === item.price.id &&
        period.end === item.current_period_end,
    );
  if (!line) return 0;
  const taken = (line.discount_amounts ?? []).reduce((total, { amount }) => total + amount, 0);
  return prorate(line.amount - taken, line.period, time);
}

function linesOf({ lines }: Invoice): readonly Stripe.InvoiceLineItem[] {
  return lines.data;
}

type ProratedPeriod = { readonly start: number; readonly end: number };

/**
 * What of an amount falls to the rest of its period, to the second, rounded to the cent (Stripe, "Prorations").
 * @param cents what the whole period costs.
 */
function prorate(cents: number, { start, end }: ProratedPeriod, time: number): number {
  if (time <= start) return cents;
  if (time >= end) return 0;
  return Math.round((cents * (end - time)) / (end - start));
}

export type ProrationBehaviour = 'create_prorations' | 'always_invoice' | 'none';

/**
 * Moves a subscription to another price. With the same interval the period stays and the difference is billed now
 * (`always_invoice`) or with the next invoice (`create_prorations`); another interval begins a new period, billed now.
 * @returns the invoice that was issued, collected or not; undefined when there was none to issue.
 */
export async function changePrice(
  ledger: Ledger,
  subscription: Subscription,
  change: PriceChange & { readonly behaviour: ProrationBehaviour },
): Promise<Invoice | undefined> {
  const plan = await planPriceChange(ledger, subscription, change);
  const item = itemOf(subscription);
  item.price = change.price as typeof item.price;
  item.plan = describePlan(change.price);
  item.quantity = change.quantity;
  if (plan.newPeriod) {
    subscription.billing_cycle_anchor = plan.newPeriod.start;
    item.current_period_start = plan.newPeriod.start;
    item.current_period_end = plan.newPeriod.end;
    if (subscription.cancel_at_period_end) subscription.cancel_at = plan.newPeriod.end;
  }
  saveSubscription(ledger, subscription);
  const lines = plan.lines.filter(({ isProration }) => !isProration || change.behaviour !== 'none');
  const isBilledNow = plan.newPeriod !== null || change.behaviour === 'always_invoice';
  if (!isBilledNow || lines.length === 0) {
    for (const line of lines) addPendingItem(ledger, subscription, line);
    return undefined;
  }
  return billNow(ledger, subscription, lines, plan.time);
}

async function billNow(
  ledger: Ledger,
  subscription: Subscription,
  lines: readonly InvoiceLine[],
  prorationDate: number,
): Promise<Invoice> {
  const customer = await ledger.require('customer', idOf(subscription.customer));
  const invoice = await issueInvoice(ledger, {
    customer,
    subscription,
    reason: 'subscription_update',
    lines: [...(await takePendingItems(ledger, subscription)), ...lines],
    prorationDate,
  });
  saveSubscription(ledger, subscription);
  await collectInvoice(ledger, invoice);
  return invoice;
}

function addPendingItem(ledger: Ledger, subscription: Subscription, line: InvoiceLine): void {
  const item: InvoiceItem = {
    id: createId('ii'),
    object: 'invoiceitem',
    amount: line.amount,
    currency: subscription.currency,
    customer: idOf(subscription.customer) ?? '',
    customer_account: null,
    date: Math.floor(ledger.time),
    description: line.description,
    discountable: false,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: {},
    parent: {
      subscription_details: { subscription: subscription.id, subscription_item: line.subscriptionItem },
      type: 'subscription_details',
    },
    period: line.period,
    pricing: {
      price_details: { price: line.price.id, product: productOf(line.price) },
      type: 'price_details',
      unit_amount_decimal: asDecimal(line.price.unit_amount ?? 0),
    },
    proration: true,
    quantity: line.quantity,
    quantity_decimal: asDecimal(line.quantity),
    tax_rates: [],
    test_clock: null,
  };
  ledger.save('invoiceitem', item);
  ledger.emit('invoiceitem.created', item);
}

function productOf(price: Price): string {
  return idOf(price.product) ?? '';
}
