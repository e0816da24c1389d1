import type { Stripe } from 'stripe';
import { PAYMENT_REFUSALS } from '../../../packages/domain/src/payment-refusals.ts';
import { answerJson, refuse } from '../_shared/answer-json.ts';
import { findBillingAccount } from '../_shared/find-billing-account.ts';
import { findReturnAddress, type ReturnPlaces } from '../_shared/find-return-address.ts';
import { forPerson } from '../_shared/for-person.ts';
import { openSubscriptionStore } from '../_shared/open-subscription-store.ts';
import { readFields } from '../_shared/read-fields.ts';
import { readEmail } from '../_shared/read-person.ts';
import type { PriceBook } from '../_shared/read-price-book.ts';
import { changeSubscription } from './change-subscription.ts';
import { type CustomerDeps, createCustomer, isCustomerGone, releaseCustomer } from './ensure-customer.ts';
import { findLiveSubscription } from './find-live-subscription.ts';
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

async function sell({ stripe, book }: CheckoutDeps, wish: Wish): Promise<Response> {
  const change = async () => {
    const subscription = await findLiveSubscription(stripe, wish.customer);
    if (subscription === undefined) return undefined;
    const url = await changeSubscription(stripe, book, { ...wish, subscription });
    return url === undefined ? refuse(409, PAYMENT_REFUSALS.samePlan) : sendTo(url);
  };
  const changed = await change();
  if (changed !== undefined) return changed;
  const opened = await openCheckout(stripe, wish);
  if (typeof opened === 'object') return sendTo(opened.url);
  const bought = opened === 'paid' ? await change() : undefined;
  return bought ?? refuse(409, PAYMENT_REFUSALS.checkoutRunning, { 'retry-after': '2' });
}

function sendTo(url: string): Response {
  return answerJson(200, { sessionUrl: url, url });
}
