import type { Stripe } from 'stripe';
import { answerJson, refuse } from '../_shared/answer-json.ts';
import { forPerson, isMissing } from '../_shared/answer-payment-failure.ts';
import { findBillingAccount } from '../_shared/find-billing-account.ts';
import { openCustomerSource } from '../_shared/open-customer-source.ts';
import { openSubscriptionStore, type SubscriptionStore } from '../_shared/open-subscription-store.ts';
import { PAYMENT_REFUSALS } from '../_shared/payment-refusals.ts';
import { readFields } from '../_shared/read-body.ts';
import { readEmail } from '../_shared/read-person.ts';
import type { PriceBook } from '../_shared/read-price-book.ts';
import { findReturnAddress, type ReturnPlaces } from '../_shared/return-addresses.ts';
import { deriveSubscriptionState } from '../_shared/sync-customer.ts';
import { changeSubscription } from './change-subscription.ts';
import { openCheckout, type Wish } from './open-checkout.ts';
import { writeReturnAddresses } from './return-addresses.ts';

export type CheckoutDeps = {
  readonly stripe: Stripe;
  readonly book: PriceBook;
  readonly places: ReturnPlaces;
  readonly fetch: typeof fetch;
  readonly supabaseUrl: string;
  readonly anonKey: string;
  readonly serviceRoleKey: string;
};

/** Where people come back to when the caller says nothing. */
const PLANS_PAGE = '/plans';

/**
 * The function `create-checkout` (specification, section 7): `POST {"priceId","redirectUrl","userId"?}` answers the address at which the
 * caller pays, under both of its names. Whoever subscribes already gets the portal's address where that is changed. What is
 * bought is told by the price's id alone; amounts in the body mean nothing.
 */
export function createCheckoutHandler(deps: CheckoutDeps): (request: Request) => Promise<Response> {
  return forPerson('POST', async (request, person) => {
    const fields = await readFields(request);
    if (fields === undefined) return refuse(400, PAYMENT_REFUSALS.malformed);
    const { priceId, userId, redirectUrl = `${deps.places.siteUrl}${PLANS_PAGE}` } = fields;
    if (userId !== undefined && userId !== null && userId !== person.id)
      return refuse(403, PAYMENT_REFUSALS.otherUser);
    const price = typeof priceId === 'string' ? deps.book.findSold(priceId) : undefined;
    if (price === undefined) return refuse(400, PAYMENT_REFUSALS.unknownPrice);
    const page = findReturnAddress(deps.places, redirectUrl);
    if (page === undefined) return refuse(400, PAYMENT_REFUSALS.returnAddress);

    const { fetch, supabaseUrl: url, anonKey, serviceRoleKey } = deps;
    const { authorization } = person;
    const account = await findBillingAccount({ fetch, url, key: anonKey, authorization }, person.id);
    if (account === undefined) return refuse(401, PAYMENT_REFUSALS.signIn);
    const store = openSubscriptionStore({ fetch, url, key: serviceRoleKey });
    const buyer = { id: person.id, email: readEmail(request.headers) };
    const wish = { person: person.id, priceId: price.priceId, addresses: writeReturnAddresses(page) };
    return await buy({ ...deps, store }, buyer, wish, account.customerId);
  });
}

/** A customer whom the provider knows no more is replaced. */
async function buy(
  deps: CheckoutDeps & CustomerDeps,
  buyer: Parameters<typeof createCustomer>[1],
  wish: Omit<Wish, 'customer'>,
  known: string | undefined,
): Promise<Response> {
  if (known !== undefined) {
    // Asked first: what such a customer has left open cannot be paid.
    const isGone = await isCustomerGone(deps.stripe, known);
    if (!isGone) return await sell(deps, { ...wish, customer: known });
    await releaseCustomer(deps.store, known);
  }
  const customer = await createCustomer(deps, buyer);
  if (customer === undefined) return refuse(401, PAYMENT_REFUSALS.signIn);
  return await sell(deps, { ...wish, customer });
}

async function sell(deps: CheckoutDeps, wish: Wish): Promise<Response> {
  const changed = await change(deps, wish);
  if (changed !== undefined) return changed;
  const opened = await openCheckout(deps.stripe, wish);
  if (typeof opened === 'object') return sendTo(opened.url);
  const bought = opened === 'paid' ? await change(deps, wish) : undefined;
  return bought ?? refuse(409, PAYMENT_REFUSALS.checkoutRunning, { 'retry-after': '2' });
}

/** @returns undefined when there is no subscription to change. */
async function change({ stripe, book }: CheckoutDeps, wish: Wish): Promise<Response | undefined> {
  const { customer, addresses } = wish;
  const subscription = await findLiveSubscription(stripe, customer);
  if (subscription === undefined) return undefined;
  const url = await changeSubscription(stripe, book, { ...wish, subscription });
  if (url !== undefined) return sendTo(url);
  if (!(await isRefunded({ stripe, book }, customer, subscription.id)))
    return refuse(409, PAYMENT_REFUSALS.samePlan);
  const portal = await stripe.billingPortal.sessions.create({
    customer,
    locale: 'pt-BR',
    return_url: addresses.plain,
  });
  return sendTo(portal.url);
}

/** A subscription whose money went back gives no plan although it goes on: the portal is where it ends. */
async function isRefunded(
  { stripe, book }: Pick<CheckoutDeps, 'stripe' | 'book'>,
  customer: string,
  id: string,
): Promise<boolean> {
  const snapshot = await openCustomerSource(stripe).read(customer);
  if (snapshot === 'missing') return false;
  const subscriptions = snapshot.subscriptions.filter(({ subscription }) => subscription.id === id);
  return deriveSubscriptionState({ subscriptions }, book).state.subscription_status === 'refunded';
}

function sendTo(url: string): Response {
  return answerJson(200, { sessionUrl: url, url });
}

/** Those that a second subscription must not stand beside, the one to go on with first. */
const LIVE = ['active', 'trialing', 'past_due', 'unpaid', 'paused'];

const MOST = 100;

/** The subscription that the customer has: whoever has one changes it instead of paying for two. */
async function findLiveSubscription(
  stripe: Stripe,
  customer: string,
): Promise<Stripe.Subscription | undefined> {
  const { data } = await stripe.subscriptions.list({ customer, status: 'all', limit: MOST });
  return data
    .filter(({ status }) => LIVE.includes(status))
    .sort((one, other) => LIVE.indexOf(one.status) - LIVE.indexOf(other.status))[0];
}

type CustomerDeps = {
  readonly stripe: Stripe;
  readonly store: CustomerStore;
};

/** Who an account's customer is. */
type CustomerStore = Pick<SubscriptionStore, 'claim' | 'begin' | 'apply'>;

type Buyer = { readonly id: string; readonly email: string | undefined };

/** A person whose customer was deleted more often than that within a day is not helped by one more. */
const MAX_DELETED = 5;

/**
 * Makes the person's customer at the provider, or finds the one that another call has made meanwhile: the provider answers
 * the same customer to the same key, and the database keeps the one that was recorded first.
 * @returns undefined when there is no such account (any more).
 */
async function createCustomer(deps: CustomerDeps, buyer: Buyer): Promise<string | undefined> {
  return await deps.store.claim(buyer.id, await createLivingCustomer(deps.stripe, buyer));
}

async function createLivingCustomer(stripe: Stripe, { id, email }: Buyer): Promise<string> {
  // For a day the provider answers a key as it did at first, even when the customer has been deleted since.
  let key = `customer-${id}`;
  for (let deleted = 0; ; deleted += 1) {
    const customer = await stripe.customers.create({ metadata: { user_id: id } }, { idempotencyKey: key });
    try {
      // Not among the parameters of the key: an address may change between two tries.
      await stripe.customers.update(customer.id, {
        preferred_locales: ['pt-BR'],
        ...(email ? { email } : {}),
      });
      return customer.id;
    } catch (error) {
      if (!isMissing(error) || deleted === MAX_DELETED) throw error;
      key = `customer-${id}-after-${customer.id}`;
    }
  }
}

/** Whether the provider knows this customer no more: deleted there, or of another account of the operator's. */
async function isCustomerGone(stripe: Stripe, customerId: string): Promise<boolean> {
  try {
    const customer = await stripe.customers.retrieve(customerId);
    return customer.deleted === true;
  } catch (error) {
    if (isMissing(error)) return true;
    throw error;
  }
}

/** Lets the account have another customer, as the provider's own word of the deletion would. */
async function releaseCustomer(store: CustomerStore, customerId: string): Promise<void> {
  const ticket = await store.begin(customerId);
  // Without one somebody else has done it.
  if (ticket !== undefined) await store.apply(customerId, ticket, undefined, undefined);
}
