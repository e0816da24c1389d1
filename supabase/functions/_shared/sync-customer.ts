import { deriveSubscriptionState } from './derive-subscription-state.ts';
import type { CustomerSource } from './open-customer-source.ts';
import type { Applied, SubscriptionStore } from './open-subscription-store.ts';
import type { PriceBook } from './read-price-book.ts';

export type SyncDeps = {
  readonly store: SubscriptionStore;
  readonly source: CustomerSource;
  readonly priceBook: PriceBook;
  /** What an operator should look at. */
  readonly warn: (message: string, fields: object) => void;
  readonly info: (message: string, fields: object) => void;
};

export type SyncCause = {
  /** The event to be marked with it. */
  readonly eventId?: string;
  /** The account that the event itself names. */
  readonly userId?: string | undefined;
};

/** `missing`: the provider does not know the customer; nothing was written. */
export type SyncOutcome = Applied | 'missing';

/**
 * Makes the database say what the payment provider says of a customer. The ticket comes before the question: what changes after it
 * has an event of its own, so the newest ticket's state is always the last word.
 * @throws when one of the two cannot be asked; nothing is written then.
 */
export async function syncCustomer(
  deps: SyncDeps,
  customerId: string,
  { eventId, userId }: SyncCause = {},
): Promise<SyncOutcome> {
  const { store, source, priceBook, warn } = deps;
  const ticket = (await store.begin(customerId)) ?? (await beginAsNew(deps, customerId, userId));
  if (ticket === undefined) return 'unknown';
  const snapshot = await source.read(customerId);
  if (snapshot === 'missing') {
    warn('the payment provider does not know a customer of ours: are its keys the right ones?', {
      customerId,
    });
    return 'missing';
  }
  const { state, unknownPrices } = deriveSubscriptionState(snapshot, priceBook);
  if (unknownPrices.length > 0)
    warn('a subscription has a price that no setting names', { customerId, unknownPrices });
  if (!snapshot.isDeleted) return await store.apply(customerId, ticket, state, eventId);
  await store.apply(customerId, ticket, state, undefined);
  return await release(store, customerId, eventId);
}

/** The account may have another customer from now on; how the last subscription ended stays written. */
async function release(store: SubscriptionStore, customerId: string, eventId: string | undefined) {
  const ticket = await store.begin(customerId);
  return ticket === undefined ? 'unknown' : await store.apply(customerId, ticket, undefined, eventId);
}

/** A customer who is nobody's yet becomes the account's that its metadata name. */
async function beginAsNew(
  { store, source, warn, info }: SyncDeps,
  customerId: string,
  named: string | undefined,
): Promise<number | undefined> {
  const userIds = await source.readUserIds(customerId);
  if (userIds === undefined) return undefined;
  for (const userId of new Set([...userIds, ...(named === undefined ? [] : [named])])) {
    const standing = await store.claim(userId, customerId);
    if (standing === customerId) return await store.begin(customerId);
    if (standing === undefined)
      info('a customer names an account that does not exist', { customerId, userId });
    else warn('a customer names an account that is not its own', { customerId, userId, standing });
  }
  return undefined;
}
