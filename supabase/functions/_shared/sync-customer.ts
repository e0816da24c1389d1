import type { Stripe } from 'stripe';
import { PLAN_IDS } from '../../../packages/domain/src/plans.ts';
import type {
  CustomerSnapshot,
  CustomerSource,
  PaidSubscription,
  SubscriptionPayment,
} from './open-customer-source.ts';
import {
  type Applied,
  NO_SUBSCRIPTION,
  type SubscriptionState,
  type SubscriptionStatus,
  type SubscriptionStore,
} from './open-subscription-store.ts';
import type { ListedPrice, PriceBook } from './read-price-book.ts';

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
  let latest: number | undefined = ticket;
  // It does not change any more: a newer ticket, whose question was answered before the deletion, does not have the last word.
  while (latest !== undefined && (await store.apply(customerId, latest, state, undefined)) === 'superseded')
    latest = await store.begin(customerId);
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

type Derivation = {
  readonly state: SubscriptionState;
  /** Of subscriptions that are none of our plans. */
  readonly unknownPrices: readonly string[];
};

type Candidate = {
  readonly subscription: Stripe.Subscription;
  readonly item: Stripe.SubscriptionItem;
  readonly price: ListedPrice;
  readonly status: SubscriptionStatus;
};

/** What a customer's subscriptions come to: the best of those that live, else the one that ended last. Pure. */
export function deriveSubscriptionState(snapshot: CustomerSnapshot, book: PriceBook): Derivation {
  const unknownPrices: string[] = [];
  const candidates: Candidate[] = [];
  for (const paid of snapshot.subscriptions) {
    const found = findPrice(paid, book);
    if (found) candidates.push({ ...found, ...paid, status: deriveSubscriptionStatus(paid) });
    else unknownPrices.push(...paid.subscription.items.data.map(({ price }) => price.id));
  }
  const [best] = candidates.sort(compare);
  return { state: best ? describe(best) : NO_SUBSCRIPTION, unknownPrices };
}

function findPrice({ subscription }: PaidSubscription, book: PriceBook) {
  for (const item of subscription.items.data) {
    const price = book.find(item.price.id);
    if (price) return { item, price };
  }
  return undefined;
}

/** The best first: whoever pays twice gets the better plan, and a failed second purchase takes nothing away. */
function compare(a: Candidate, b: Candidate): number {
  return (
    rank(b.status) - rank(a.status) ||
    (a.status === 'active' ? PLAN_IDS.indexOf(b.price.plan) - PLAN_IDS.indexOf(a.price.plan) : 0) ||
    lastMoment(b.subscription) - lastMoment(a.subscription) ||
    b.subscription.created - a.subscription.created ||
    (a.subscription.id < b.subscription.id ? 1 : -1)
  );
}

function rank(status: SubscriptionStatus): number {
  if (status === 'active') return 2;
  return status === 'payment_failed' ? 1 : 0;
}

function lastMoment(subscription: Stripe.Subscription): number {
  return subscription.ended_at ?? readTerm(subscription).end;
}

function describe({ subscription, item, price, status }: Candidate): SubscriptionState {
  return {
    plan: price.plan,
    subscription_status: status,
    stripe_subscription_id: subscription.id,
    current_period_end: toTime(subscription.ended_at ?? item.current_period_end),
    // The portal writes either of the two, depending on how the account bills.
    cancel_at_period_end:
      subscription.ended_at === null &&
      (subscription.cancel_at_period_end || subscription.cancel_at !== null),
    trial_end: toTime(subscription.trial_end),
    stripe_price_id: price.priceId,
    billing_interval: price.interval,
    amount_cents: costOf(subscription, item),
    currency: subscription.currency.toLowerCase(),
  };
}

function toTime(seconds: number | null): string | null {
  return seconds === null ? null : new Date(seconds * 1000).toISOString();
}

/** What the next renewal costs, in cents. A discount may stand on the subscription and end before it is good for a renewal. */
function costOf({ discounts }: Stripe.Subscription, item: Stripe.SubscriptionItem) {
  const { price, quantity = 1, current_period_end: renewal } = item;
  let cost = (price.unit_amount ?? 0) * quantity;
  for (const discount of discounts) {
    if (typeof discount === 'string' || (discount.end !== null && discount.end <= renewal)) continue;
    const { coupon } = discount.source;
    if (coupon === null || typeof coupon === 'string' || coupon.duration === 'once') continue;
    cost -= coupon.percent_off ? Math.round((cost * coupon.percent_off) / 100) : (coupon.amount_off ?? 0);
  }
  return Math.max(0, cost);
}

/**
 * Stripe's status of a subscription in the specification's words (decision 0037). A subscription that is past due or unpaid waits for a
 * payment; one that is paused has seen its trial end without a card, and does not begin again by itself.
 */
function deriveSubscriptionStatus({ subscription, payments }: PaidSubscription): SubscriptionStatus {
  switch (subscription.status) {
    case 'active':
    case 'trialing':
      return isMoneyBack(subscription, payments) ? 'refunded' : 'active';
    case 'past_due':
    case 'unpaid':
    case 'incomplete':
      return 'payment_failed';
    case 'canceled':
      return classifyEnd(subscription, payments);
    default:
      // incomplete_expired and paused; a status that does not exist yet gives nobody a plan.
      return 'expired';
  }
}

/** Canceled is what somebody ended before its time; what ran out, or was given up for want of a payment, has expired. */
function classifyEnd(subscription: Stripe.Subscription, payments: readonly SubscriptionPayment[]) {
  if (listTermPayments(subscription, payments).some(({ isReturned }) => isReturned)) return 'refunded';
  if (subscription.cancellation_details?.reason === 'payment_failed') return 'expired';
  const { end } = readTerm(subscription);
  const endedAt = subscription.ended_at ?? subscription.canceled_at ?? 0;
  return endedAt >= Math.min(end, subscription.cancel_at ?? end) ? 'expired' : 'canceled';
}

/** Of what was paid for the running term nothing is left. Part of it back changes nothing. */
function isMoneyBack(subscription: Stripe.Subscription, payments: readonly SubscriptionPayment[]): boolean {
  const ofTerm = listTermPayments(subscription, payments);
  return ofTerm.length > 0 && ofTerm.every(({ isReturned }) => isReturned);
}

/** A payment is taken when the term begins or, for a renewal, an hour or some days later; never before. */
function listTermPayments(subscription: Stripe.Subscription, payments: readonly SubscriptionPayment[]) {
  const { start } = readTerm(subscription);
  return payments.filter(({ created }) => created >= start - CLOCK_SLACK_SECONDS);
}

const CLOCK_SLACK_SECONDS = 60;

/** The time that is or was paid for, in seconds. */
function readTerm({ items, start_date }: Stripe.Subscription): { start: number; end: number } {
  const starts = items.data.map((item) => item.current_period_start);
  const ends = items.data.map((item) => item.current_period_end);
  return { start: Math.max(start_date, ...starts), end: Math.max(start_date, ...ends) };
}
