import type { Ledger } from '../ledger/ledger.ts';
import type { Customer, Kind, ObjectOf } from '../ledger/object-kinds.ts';
import { invalidParameter, missingObject } from './stripe-failure.ts';

/**
 * The object that a request names.
 * @param param where its id stands; left out, in the address.
 * @throws StripeFailure when there is none.
 */
export async function findObject<K extends Kind>(
  ledger: Ledger,
  kind: K,
  id: string | undefined,
  param?: string,
): Promise<ObjectOf[K]> {
  const object = await ledger.find(kind, id);
  if (!object) throw missingObject(kind.replaceAll('.', '_'), id ?? '', param);
  return object;
}

/** A customer who has not been deleted. @throws StripeFailure otherwise. */
export async function findCustomer(
  ledger: Ledger,
  id: string | undefined,
  param?: string,
): Promise<Customer> {
  const customer = await findObject(ledger, 'customer', id, param);
  if (isDeleted(customer)) throw missingObject('customer', customer.id, param);
  return customer;
}

/** A deleted customer is still found by id, without anything about them. */
export function isDeleted(customer: Customer): boolean {
  return (customer as { readonly deleted?: unknown }).deleted === true;
}

/** A price that can be bought. @throws StripeFailure otherwise. */
export async function findActivePrice(ledger: Ledger, id: string, param: string): Promise<ObjectOf['price']> {
  const price = await findObject(ledger, 'price', id, param);
  if (!price.active)
    throw invalidParameter(param, 'The price specified is inactive. This field only accepts active prices.');
  return price;
}
