import { Stripe } from 'stripe';
import type { ReturnAddresses } from './return-addresses.ts';

export type Wish = {
  readonly person: string;
  readonly customer: string;
  readonly priceId: string;
  readonly addresses: ReturnAddresses;
};

/** `paid`: a purchase was completed meanwhile. `busy`: too many at once. */
export type OpenedCheckout = { readonly url: string } | 'paid' | 'busy';

const TRIES = 3;
/** A person's checkouts of a day; an unpaid one ends after 24 hours. */
const LATEST = 20;

/**
 * Opens the provider's checkout. Of a person's checkouts one at most stays open, so nobody pays twice: the same wish gets
 * the open one again, another wish ends it first. Calls at the same moment share a key and so a session.
 */
export async function openCheckout(stripe: Stripe, wish: Wish): Promise<OpenedCheckout> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const { data } = await stripe.checkout.sessions.list({ customer: wish.customer, limit: LATEST });
    const open = data.filter(({ status }) => status === 'open');
    const same = open.find((session) => isFor(wish, session));
    for (const other of open) {
      if (other !== same && !(await expire(stripe, other.id))) return 'paid';
    }
    if (same?.url) return { url: same.url };
    // The newest session is in the key: once it is paid or over, the key is a new one.
    const created = await create(stripe, wish, `checkout-${wish.customer}-${data[0]?.id ?? 'first'}`);
    if (created !== undefined) return { url: created };
  }
  return 'busy';
}

function isFor({ priceId, addresses }: Wish, session: Stripe.Checkout.Session): boolean {
  return (
    session.metadata?.['price_id'] === priceId &&
    session.success_url === addresses.success &&
    session.cancel_url === addresses.canceled
  );
}

/** @returns whether it can be paid no more and was not: one that was just paid cannot be ended. */
async function expire(stripe: Stripe, id: string): Promise<boolean> {
  try {
    await stripe.checkout.sessions.expire(id);
    return true;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    const { status } = await stripe.checkout.sessions.retrieve(id);
    if (status === 'open') throw error;
    return status === 'expired';
  }
}

/** @returns undefined when a call at the same moment took the key for another wish. */
async function create(stripe: Stripe, wish: Wish, idempotencyKey: string): Promise<string | undefined> {
  const { person, customer, priceId, addresses } = wish;
  try {
    const session = await stripe.checkout.sessions.create(
      {
        mode: 'subscription',
        customer,
        client_reference_id: person,
        line_items: [{ price: priceId, quantity: 1 }],
        success_url: addresses.success,
        cancel_url: addresses.canceled,
        allow_promotion_codes: true,
        locale: 'pt-BR',
        metadata: { user_id: person, price_id: priceId },
        subscription_data: { metadata: { user_id: person } },
      },
      { idempotencyKey },
    );
    return session.url ?? undefined;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeIdempotencyError) return undefined;
    throw error;
  }
}
