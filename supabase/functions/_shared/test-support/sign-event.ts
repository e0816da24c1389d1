import { Stripe } from 'stripe';

export type EventFields = {
  readonly id: string;
  readonly type: string;
  readonly object: object;
  readonly livemode?: boolean;
};

export const WEBHOOK_SECRET = 'whsec_um_segredo_de_teste';

/** An event as Stripe sends it. @param timestamp seconds; missing means now. */
export async function signEvent(
  { id, type, object, livemode = false }: EventFields,
  { secret = WEBHOOK_SECRET, timestamp = Math.floor(Date.now() / 1000) } = {},
): Promise<Request> {
  const created = Math.floor(Date.now() / 1000);
  const payload = JSON.stringify({ id, object: 'event', type, livemode, created, data: { object } });
  const signature = await Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp });
  return new Request('http://p.test/functions/v1/stripe-webhook', {
    method: 'POST',
    headers: { 'stripe-signature': signature, 'content-type': 'application/json' },
    body: payload,
  });
}
