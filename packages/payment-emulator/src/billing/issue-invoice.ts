import type { Ledger } from '../ledger/ledger.ts';
import type { Invoice } from '../ledger/object-kinds.ts';
import { drawInvoice, type InvoicePlan } from './build-invoice.ts';
import { findDiscount, useUpDiscount } from './discounts.ts';

/** Issues an invoice for a subscription: numbered, with the customer's balance and the running discount worked in. */
export async function issueInvoice(ledger: Ledger, plan: Omit<InvoicePlan, 'discount'>): Promise<Invoice> {
  const { customer, subscription } = plan;
  const discount = await findDiscount(ledger, subscription);
  const invoice = drawInvoice(ledger, { ...plan, discount });
  customer.next_invoice_sequence = (customer.next_invoice_sequence ?? 1) + 1;
  customer.balance = invoice.ending_balance ?? 0;
  ledger.save('customer', customer);
  if (discount) useUpDiscount(ledger, subscription, discount);
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
