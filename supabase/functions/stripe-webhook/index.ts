import { openSync } from '../_shared/open-stripe.ts';
import { createStripeWebhook } from './create-stripe-webhook.ts';

const read = (name: string) => Deno.env.get(name) ?? '';

// No page calls it: without CORS.
Deno.serve(
  createStripeWebhook({
    ...openSync(fetch, read),
    secrets: read('STRIPE_WEBHOOK_SECRET')
      .split(',')
      .map((secret) => secret.trim())
      .filter((secret) => secret !== ''),
    isLive: /^(?:sk|rk)_live_/.test(read('STRIPE_SECRET_KEY')),
  }),
);
