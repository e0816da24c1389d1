import { Stripe } from 'stripe';

/** What the log may know of a failure: the provider's codes and its request's id, never its sentences, which may repeat an address or a card. */
export function describeFailure(error: unknown): object {
  if (!(error instanceof Stripe.errors.StripeError)) return { reason: String(error) };
  const { type, code, statusCode, requestId } = error;
  return { type, code, statusCode, requestId };
}
