import { createId } from '../ledger/create-id.ts';
import { idOf } from '../ledger/id-of.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Invoice, InvoiceItem, Price, Subscription } from '../ledger/object-kinds.ts';
import { asDecimal } from './as-decimal.ts';
import { collectInvoice } from './collect-invoice.ts';
import type { InvoiceLine } from './draw-invoice.ts';
import { describePlan } from './draw-subscription.ts';
import { issueInvoice } from './issue-invoice.ts';
import { itemOf, keepSubscription } from './keep-subscription.ts';
import { type PriceChange, planPriceChange } from './plan-price-change.ts';
import { takePendingLines } from './renew-subscription.ts';

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
  keepSubscription(ledger, subscription);
  const lines = plan.lines.filter(({ isProration }) => !isProration || change.behaviour !== 'none');
  const isBilledNow = plan.newPeriod !== null || change.behaviour === 'always_invoice';
  if (!isBilledNow || lines.length === 0) {
    for (const line of lines) keepForLater(ledger, subscription, line);
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
    lines: [...(await takePendingLines(ledger, subscription)), ...lines],
    prorationDate,
  });
  keepSubscription(ledger, subscription);
  await collectInvoice(ledger, invoice);
  return invoice;
}

function keepForLater(ledger: Ledger, subscription: Subscription, line: InvoiceLine): void {
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
