import { Stripe } from 'stripe';
import { PAYMENT_REFUSALS } from '../../../packages/domain/src/payment-refusals.ts';
import { refuse } from './answer-json.ts';
import { InstallationUnreachable } from './installation-unreachable.ts';

const RETRY_AFTER_SECONDS = '5';

/**
 * Turns what a payment function stumbled over into an answer: 503 when it passes by itself, 502 when somebody has to look.
 * The log gets the provider's codes and its request's id, never its sentences: they may repeat an address or a card.
 * @throws what is neither the provider's nor the database's.
 */
export function answerPaymentFailure(error: unknown): Response {
  if (error instanceof InstallationUnreachable) {
    console.error('the database cannot be asked', { reason: error.message });
    return unreachable();
  }
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  const { type, code, param, statusCode, requestId } = error;
  console.error('the payment provider did not do it', { type, code, param, statusCode, requestId });
  return isPassing(error) ? unreachable() : refuse(502, PAYMENT_REFUSALS.unexpected);
}

/** The provider says that there is no such thing (any more). */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
}

function isPassing(error: Stripe.errors.StripeError): boolean {
  const { StripeConnectionError, StripeAPIError, StripeRateLimitError } = Stripe.errors;
  return [StripeConnectionError, StripeAPIError, StripeRateLimitError].some((kind) => error instanceof kind);
}

function unreachable(): Response {
  return refuse(503, PAYMENT_REFUSALS.unreachable, { 'retry-after': RETRY_AFTER_SECONDS });
}
