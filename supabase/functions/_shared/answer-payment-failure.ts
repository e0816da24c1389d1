import { Stripe } from 'stripe';
import { refuse } from './answer-json.ts';
import { InstallationUnreachable } from './call-database.ts';
import { PAYMENT_REFUSALS } from './payment-refusals.ts';
import { readPerson } from './read-person.ts';

const RETRY_AFTER_SECONDS = '5';

/**
 * Turns what a payment function stumbled over into an answer: 503 when it passes by itself, 502 when somebody has to look.
 * The log gets the provider's codes and its request's id, never its sentences: they may repeat an address or a card.
 * @throws what is neither the provider's nor the database's.
 */
export function answerPaymentFailure(
  error: unknown,
  unreachableSentence: string = PAYMENT_REFUSALS.unreachable,
): Response {
  if (error instanceof InstallationUnreachable) {
    console.error('the database cannot be asked', { reason: error.message });
    return unreachable(unreachableSentence);
  }
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  const { type, code, param, statusCode, requestId } = error;
  console.error('the payment provider did not do it', { type, code, param, statusCode, requestId });
  return isPassing(error) ? unreachable(unreachableSentence) : refuse(502, PAYMENT_REFUSALS.unexpected);
}

/** The provider says that there is no such thing (any more). */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
}

function isPassing(error: Stripe.errors.StripeError): boolean {
  const { StripeConnectionError, StripeAPIError, StripeRateLimitError } = Stripe.errors;
  return [StripeConnectionError, StripeAPIError, StripeRateLimitError].some((kind) => error instanceof kind);
}

function unreachable(sentence: string): Response {
  return refuse(503, sentence, { 'retry-after': RETRY_AFTER_SECONDS });
}

/** Who asks, as the gateway has verified. */
export type Person = { readonly id: string; readonly authorization: string };

/**
 * A payment function that signed-in people call, by one method. Everybody else is refused before anything is looked at:
 * visitors, API keys, accounts without a name.
 * @param unreachableSentence what they read while something does not answer.
 */
export function forPerson(
  method: 'GET' | 'POST',
  handle: (request: Request, person: Person) => Promise<Response>,
  unreachableSentence?: string,
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== method) return refuse(405, PAYMENT_REFUSALS.method, { allow: method });
    const id = readPerson(request.headers);
    const authorization = request.headers.get('authorization');
    if (id === undefined || authorization === null) return refuse(401, PAYMENT_REFUSALS.signIn);
    try {
      return await handle(request, { id, authorization });
    } catch (error) {
      return answerPaymentFailure(error, unreachableSentence);
    }
  };
}

/** What a failure is called, for the log: the provider's sentences may repeat what a person typed. */
export function nameFailure(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { type } = error as { readonly type?: unknown };
  return typeof type === 'string' ? type : error.name;
}

/** What the log may know of a failure: the provider's codes and its request's id, never its sentences, which may repeat an address or a card. */
export function describeFailure(error: unknown): object {
  if (!(error instanceof Stripe.errors.StripeError)) return { reason: String(error) };
  const { type, code, statusCode, requestId } = error;
  return { type, code, statusCode, requestId };
}
