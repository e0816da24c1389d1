import type { Ledger } from '../ledger/ledger.ts';
import type { Customer } from '../ledger/object-kinds.ts';
import { endSubscription } from './subscriptions.ts';

/** A customer of whom nothing is known yet. Nothing is kept. */
export function buildCustomer(ledger: Ledger, id: string): Customer {
  return {
    id,
    object: 'customer',
    address: null,
    balance: 0,
    created: Math.floor(ledger.time),
    currency: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: null,
    invoice_prefix: id.slice(-8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: {},
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
}

/** Deletes a customer for good: their subscriptions end at once. What remains is the id, as Stripe answers it. */
export async function deleteCustomer(ledger: Ledger, customer: Customer): Promise<void> {
  for (const subscription of await ledger.list('subscription', { match: { customer: customer.id } }))
    if (subscription.ended_at === null)
      await endSubscription(ledger, subscription, { reason: 'cancellation_requested' });
  ledger.emit('customer.deleted', customer);
  const rest = { id: customer.id, object: 'customer', deleted: true, created: customer.created };
  for (const name of Object.keys(customer)) delete (customer as Record<string, unknown>)[name];
  Object.assign(customer, rest);
  ledger.save('customer', customer);
}

/** A deleted customer is still found by id, without anything about them. */
export function isDeleted(customer: Customer): boolean {
  return (customer as { readonly deleted?: unknown }).deleted === true;
}
