import type { Ledger } from '../ledger/ledger.ts';
import type { Customer } from '../ledger/object-kinds.ts';
import { endSubscription } from './end-subscription.ts';

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
