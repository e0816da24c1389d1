import type { Subscription } from '../ledger/object-kinds.ts';

/** What the invoices and pending items of a subscription have in common, as a query matches it. */
export function belongingTo({ id }: Pick<Subscription, 'id'>): Readonly<Record<string, unknown>> {
  return { parent: { subscription_details: { subscription: id } } };
}
