import { isDeleted } from '../billing/customers.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Customer, Kind, ObjectOf } from '../ledger/object-kinds.ts';
import type { Parameters } from './parameters.ts';
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

/** A price that can be bought. @throws StripeFailure otherwise. */
export async function findActivePrice(ledger: Ledger, id: string, param: string): Promise<ObjectOf['price']> {
  const price = await findObject(ledger, 'price', id, param);
  if (!price.active)
    throw invalidParameter(param, 'The price specified is inactive. This field only accepts active prices.');
  return price;
}

type ListPlan<K extends Kind> = {
  readonly kind: K;
  readonly url: string;
  readonly match?: Readonly<Record<string, unknown>>;
  /** For what `match` cannot say. */
  readonly accept?: (object: ObjectOf[K]) => boolean;
};

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;

/** A list as Stripe writes it. */
export function describePage(data: readonly object[], url: string, hasMore = false): object {
  return { object: 'list', data, has_more: hasMore, url };
}

/** Answers a page of a list, newest first, from `starting_after` and `created[gte]` on. */
export async function listObjects<K extends Kind>(
  ledger: Ledger,
  parameters: Parameters,
  { kind, url, match = {}, accept = () => true }: ListPlan<K>,
): Promise<object> {
  const limit = parameters.integer('limit') ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT)
    throw invalidParameter(
      'limit',
      `Invalid limit: must be between 1 and ${MAX_LIMIT}.`,
      'parameter_invalid_integer',
    );
  let startingAfter = await readCursor(ledger, kind, parameters);
  const createdFrom = readCreated(parameters);
  const found: ObjectOf[K][] = [];
  while (found.length <= limit) {
    const chunk = await ledger.list(kind, { match, createdFrom, startingAfter, limit: MAX_LIMIT });
    found.push(...chunk.filter(accept));
    if (chunk.length < MAX_LIMIT) break;
    startingAfter = chunk.at(-1)?.id;
  }
  return describePage(found.slice(0, limit), url, found.length > limit);
}

async function readCursor<K extends Kind>(ledger: Ledger, kind: K, parameters: Parameters) {
  const id = parameters.text('starting_after');
  if (id === undefined || id === '') return undefined;
  if (!(await ledger.find(kind, id))) throw missingObject(kind, id, 'starting_after');
  return id;
}

/** `created[gte]`, the one bound that is read. */
function readCreated(parameters: Parameters): number | undefined {
  const created = parameters.inner('created');
  const from = created?.integer('gte');
  if (created && from === undefined)
    throw invalidParameter('created', 'The emulator reads created[gte] alone.');
  return from;
}
