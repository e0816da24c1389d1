import { idOf } from '../ledger/id-of.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Subscription } from '../ledger/object-kinds.ts';

/** The card that is charged: the subscription's own, else the customer's. */
export async function findPaymentMethod(
  ledger: Ledger,
  customerId: string | null,
  subscription: Subscription | undefined,
): Promise<string | null> {
  const own = idOf(subscription?.default_payment_method);
  if (own !== null) return own;
  const customer = await ledger.find('customer', customerId);
  return idOf(customer?.invoice_settings?.default_payment_method);
}
