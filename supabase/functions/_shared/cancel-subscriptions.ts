import { Stripe } from 'stripe';
import { isMissing } from './answer-payment-failure.ts';

/** What a cancellation needs to know. */
export type Cancellation = { readonly stripe: Stripe; readonly customerId: string };

const PAGE = 100;
const OVER = new Set(['canceled', 'incomplete_expired']);

/**
 * Ends all that a customer could be charged for, at once: subscriptions without a further invoice, and checkouts that are still
 * open. May be called again: what has ended stays so, and a customer whom the provider does not know has nothing.
 * @returns how many subscriptions were ended. @throws Stripe's errors when the provider cannot be asked; then call again.
 */
export async function cancelSubscriptions({ stripe, customerId: customer }: Cancellation): Promise<number> {
  try {
    // First the checkouts: one that is paid meanwhile leaves a subscription to be found.
    await endOpenCheckouts(stripe, customer);
    let ended = 0;
    for await (const { id, status } of stripe.subscriptions.list({ customer, status: 'all', limit: PAGE })) {
      if (!OVER.has(status) && (await cancel(stripe, id))) ended += 1;
    }
    return ended;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}

async function endOpenCheckouts(stripe: Stripe, customer: string): Promise<void> {
  for await (const { id } of stripe.checkout.sessions.list({ customer, status: 'open', limit: PAGE })) {
    const isOpen = async () => (await stripe.checkout.sessions.retrieve(id)).status === 'open';
    await endOnce(() => stripe.checkout.sessions.expire(id), isOpen);
  }
}

async function cancel(stripe: Stripe, id: string): Promise<boolean> {
  const isLive = async () => !OVER.has((await stripe.subscriptions.retrieve(id)).status);
  return await endOnce(() => stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false }), isLive);
}

/** It may have ended by itself since it was listed. @returns whether it was this call that ended it. */
async function endOnce(end: () => Promise<unknown>, isThere: () => Promise<boolean>): Promise<boolean> {
  try {
    await end();
    return true;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || (await isThere())) throw error;
    return false;
  }
}
