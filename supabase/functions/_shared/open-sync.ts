import type { Stripe } from 'stripe';
import { openCustomerSource } from './open-customer-source.ts';
import { openStripe } from './open-stripe.ts';
import { openSubscriptionStore } from './open-subscription-store.ts';
import { readPriceBook } from './read-price-book.ts';
import type { SyncDeps } from './sync-customer.ts';

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
