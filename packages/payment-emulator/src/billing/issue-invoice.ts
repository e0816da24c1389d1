import type Stripe from 'stripe';
import type { Ledger } from '../ledger/ledger.ts';
import type { Invoice, Price } from '../ledger/object-kinds.ts';
import { buildInvoice, type InvoiceLine, type InvoicePlan } from './build-invoice.ts';
import { consumeDiscount, findDiscount } from './discounts.ts';

/** Issues an invoice for a subscription: numbered, with the customer's balance and the running discount worked in. */
export async function issueInvoice(ledger: Ledger, plan: Omit<InvoicePlan, 'discount'>): Promise<Invoice> {
  const { customer, subscription } = plan;
  const discount = await findDiscount(ledger, subscription);
  const invoice = buildInvoice(ledger, { ...plan, discount });
  customer.next_invoice_sequence = (customer.next_invoice_sequence ?? 1) + 1;
  customer.balance = invoice.ending_balance ?? 0;
  ledger.save('customer', customer);
  if (discount) consumeDiscount(ledger, subscription, discount);
  subscription.latest_invoice = invoice.id;
  ledger.save('subscription', subscription);
  ledger.save('invoice', invoice);
  ledger.emit('invoice.created', { ...invoice, status: 'draft' });
  // A subscription that could not be collected goes on being billed, but nobody is charged (Stripe, "unpaid").
  if (subscription.status === 'unpaid') {
    invoice.status = 'draft';
    invoice.auto_advance = false;
    invoice.status_transitions.finalized_at = null;
    return invoice;
  }
  ledger.emit('invoice.finalized', invoice);
  return invoice;
}

/** The line for the period that a subscription's item is in, paid in advance. */
export function describePeriodLine(item: Stripe.SubscriptionItem, { isFree = false } = {}): InvoiceLine {
  const price = item.price as Price;
  const quantity = item.quantity ?? 1;
  return {
    amount: isFree ? 0 : (price.unit_amount ?? 0) * quantity,
    description: isFree ? `Trial period for ${namePrice(price)}` : `${quantity} × ${namePrice(price)}`,
    price,
    quantity,
    period: { start: item.current_period_start, end: item.current_period_end },
    subscriptionItem: item.id,
    isProration: false,
  };
}

/** As in `Linkoteca Plus (at $1.99 / month)`, the way Stripe describes its lines. */
export function namePrice(price: Price): string {
  const amount = ((price.unit_amount ?? 0) / 100).toFixed(2);
  return `${price.nickname ?? price.id} (at $${amount} / ${price.recurring?.interval ?? 'month'})`;
}
