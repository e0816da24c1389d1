import type { Stripe } from 'stripe';
import { PAYMENT_REFUSALS } from '../../../packages/domain/src/payment-refusals.ts';
import { answerJson, refuse } from '../_shared/answer-json.ts';
import { describeFailure } from '../_shared/describe-failure.ts';
import type { SubscriptionStore } from '../_shared/open-subscription-store.ts';
import { readLimitedBytes } from '../_shared/read-limited-bytes.ts';
import { type SyncDeps, type SyncOutcome, syncCustomer } from '../_shared/sync-customer.ts';
import { findEventCustomer } from './find-event-customer.ts';
import { verifyEvent } from './verify-event.ts';

export type StripeWebhookDeps = SyncDeps & {
  readonly stripe: Stripe;
  readonly store: SubscriptionStore;
  /** The endpoint's signing secrets: two while one is being replaced. */
  readonly secrets: readonly string[];
  /** Whether the secret key moves real money; events of the other kind are not ours. */
  readonly isLive: boolean;
};

/** Stripe's largest events are some tens of kilobytes. */
const MAX_BYTES = 1_048_576;

/**
 * The function `stripe-webhook`: a signed event in, 200 `{received:true}` when nothing is left to be done for it, 500 when it should be
 * sent again. An event says only that something has changed: what is written is what the provider says at this moment, so
 * neither order nor repetition matters (decision 0037).
 */
export function createStripeWebhook(deps: StripeWebhookDeps): (request: Request) => Promise<Response> {
  const { stripe, secrets, isLive, warn, info } = deps;
  return async (request) => {
    if (request.method !== 'POST') return refuse(405, PAYMENT_REFUSALS.method, { allow: 'POST' });
    const body = await readLimitedBytes(request, MAX_BYTES);
    if (body === undefined) return refuse(413, 'O evento é grande demais');
    const signature = request.headers.get('stripe-signature') ?? '';
    const event = await verifyEvent(stripe, body, signature, secrets);
    if (event === undefined) return refuse(400, 'Assinatura inválida');
    const { id, type, livemode } = event;
    if (livemode !== isLive) {
      warn('an event of the other mode came to the webhook', { event: id, type, livemode });
      return refuse(400, 'O evento é de outro modo (teste ou produção)');
    }
    try {
      const outcome = await handleEvent(deps, event);
      if (outcome !== 'irrelevant') info('payment event', { event: id, type, outcome });
      return answerJson(200, { received: true });
    } catch (error) {
      warn('a payment event could not be applied and will be sent again', {
        event: id,
        about: type,
        ...describeFailure(error),
      });
      return refuse(500, 'Não foi possível aplicar o evento agora');
    }
  };
}

/** Written down first, so that nothing that was heard of is lost; marked with the state it brought. */
async function handleEvent(
  deps: StripeWebhookDeps,
  event: Stripe.Event,
): Promise<SyncOutcome | 'irrelevant'> {
  const { stripe, store } = deps;
  const { id, type, created } = event;
  const about = await findEventCustomer(stripe, event);
  if (about === undefined) return 'irrelevant';
  const { customerId, userId } = about;
  if (!(await store.record({ id, type, customerId, created }))) return 'repeated';
  const outcome = await syncCustomer(deps, customerId, { eventId: id, userId });
  if (outcome === 'unknown' || outcome === 'missing') await store.ignore(id);
  return outcome;
}
