import { Stripe } from 'stripe';

export type StripeAccess = {
  readonly fetch: typeof fetch;
  readonly secretKey: string;
  /** Where the API is, without a slash at the end; without it the provider's own address. */
  readonly apiUrl?: string | undefined;
  /** How often a request that got no answer is sent again. */
  readonly retries?: number;
};

/** The version whose shapes this code reads; the account's own may be another. */
export const STRIPE_API_VERSION = '2026-10-28.endive';

/** A person waits: three tries end before they give up. */
const PATIENCE_MS = 8_000;
const RETRIES = 2;

/**
 * The provider's official client. Requests that failed on the way are sent again under the same idempotency key.
 * Nothing goes out before the first call.
 */
export function openStripe({ fetch, secretKey, apiUrl, retries = RETRIES }: StripeAccess): Stripe {
  return new Stripe(secretKey, {
    apiVersion: STRIPE_API_VERSION,
    httpClient: Stripe.createFetchHttpClient(apiUrl === undefined ? fetch : moveTo(apiUrl, fetch)),
    maxNetworkRetries: retries,
    timeout: PATIENCE_MS,
    telemetry: false,
  });
}

/** The client takes a host, not a path below which the API stands. */
function moveTo(apiUrl: string, send: typeof fetch): typeof fetch {
  return (input, init) => {
    const { pathname, search } = new URL(String(input));
    return send(`${apiUrl}${pathname}${search}`, init);
  };
}
