import { Stripe } from 'stripe';
import { openCustomerSource } from './open-customer-source.ts';
import { openSubscriptionStore } from './open-subscription-store.ts';
import { readPriceBook } from './read-price-book.ts';
import type { SyncDeps } from './sync-customer.ts';

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

/**
 * What bringing the database in step takes, from a function's settings.
 * @param read a setting's text, empty when it is not set. @throws Error when one is missing.
 */
export function openSync(
  send: typeof fetch,
  read: (name: string) => string,
): SyncDeps & { readonly stripe: Stripe } {
  const secretKey = read('STRIPE_SECRET_KEY');
  if (secretKey === '') throw new Error('STRIPE_SECRET_KEY is not set');
  const stripe = openStripe({ fetch: send, secretKey, apiUrl: read('STRIPE_API_URL') || undefined });
  return {
    stripe,
    store: openSubscriptionStore({
      fetch: send,
      url: read('SUPABASE_URL'),
      key: read('SUPABASE_SERVICE_ROLE_KEY'),
    }),
    source: openCustomerSource(stripe),
    priceBook: readPriceBook(read),
    warn: (message, fields) => console.warn(message, fields),
    info: (message, fields) => console.info(message, fields),
  };
}
