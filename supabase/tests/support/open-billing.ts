import type { ThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import { openCustomerSource } from '../../functions/_shared/open-customer-source.ts';
import { openStripe } from '../../functions/_shared/open-stripe.ts';
import { openSubscriptionStore } from '../../functions/_shared/open-subscription-store.ts';
import {
  createStripeModel,
  type StripeModel,
} from '../../functions/_shared/test-support/create-stripe-model.ts';
import { PRICE_BOOK } from '../../functions/_shared/test-support/make-subscription.ts';
import {
  type EventFields,
  signEvent,
  WEBHOOK_SECRET,
} from '../../functions/_shared/test-support/sign-event.ts';
import {
  createStripeWebhook,
  type StripeWebhookDeps,
} from '../../functions/stripe-webhook/create-stripe-webhook.ts';
import { callRpc } from './call-rpc.ts';

export type Billing = {
  readonly model: StripeModel;
  readonly deps: StripeWebhookDeps;
  readonly warnings: string[];
  /** Sends a signed event. @returns the status of the answer. */
  send(event: EventFields): Promise<number>;
};

/**
 * The webhook on the SDK and the real database; only the provider is made up.
 * @param wrap what is put between the webhook and what it asks: to let others go first, or to fail.
 */
export function openBilling(
  database: ThrowawayDatabase,
  wrap: (inner: typeof fetch) => typeof fetch = (inner) => inner,
): Billing {
  const model = createStripeModel();
  const stripe = openStripe({ fetch: wrap(model.fetch), secretKey: 'sk_test_1', retries: 0 });
  const warnings: string[] = [];
  const deps: StripeWebhookDeps = {
    stripe,
    store: openSubscriptionStore({ fetch: wrap(callRpc(database)), url: 'http://p.test', key: 'service' }),
    source: openCustomerSource(stripe),
    priceBook: PRICE_BOOK,
    secrets: [WEBHOOK_SECRET],
    isLive: false,
    warn: (message) => warnings.push(message),
    info: () => undefined,
  };
  const handle = createStripeWebhook(deps);
  return { model, deps, warnings, send: async (event) => (await handle(await signEvent(event))).status };
}
