import { Stripe } from 'stripe';
import { answerJson, refuse } from '../_shared/answer-json.ts';
import { describeFailure } from '../_shared/answer-payment-failure.ts';
import type { SubscriptionStore } from '../_shared/open-subscription-store.ts';
import { PAYMENT_REFUSALS } from '../_shared/payment-refusals.ts';
import { readLimitedBytes } from '../_shared/read-body.ts';
import { type SyncDeps, type SyncOutcome, syncCustomer } from '../_shared/sync-customer.ts';

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

/** How old a signature may be, in seconds: what Stripe's own libraries allow. */
const TOLERANCE_SECONDS = 300;

/**
 * The event in a body that Stripe has signed with one of the secrets; several are good while one replaces the other.
 * @returns undefined when none did, or long ago, or what they signed is no event.
 */
async function verifyEvent(
  stripe: Stripe,
  body: Uint8Array,
  signature: string,
  secrets: readonly string[],
): Promise<Stripe.Event | undefined> {
  const crypto = Stripe.createSubtleCryptoProvider();
  for (const secret of secrets) {
    try {
      const event: unknown = await stripe.webhooks.constructEventAsync(
        body,
        signature,
        secret,
        TOLERANCE_SECONDS,
        crypto,
      );
      return isEvent(event) ? event : undefined;
    } catch {
      // The next secret may be the one. What is signed and is no JSON is no event either.
    }
  }
  return undefined;
}

function isEvent(value: unknown): value is Stripe.Event {
  if (typeof value !== 'object' || value === null) return false;
  const { id, type, created, data } = value as Readonly<Record<string, unknown>>;
  if (typeof id !== 'string' || typeof type !== 'string' || !Number.isSafeInteger(created)) return false;
  const object = (data as { readonly object?: unknown } | null | undefined)?.object;
  return typeof object === 'object' && object !== null;
}

/** Whom an event is about. */
type EventCustomer = {
  readonly customerId: string;
  /** The account that the event's object names: a checkout session knows it before its customer does. */
  readonly userId: string | undefined;
};

/** What can change a plan; everything else is answered and forgotten. */
const RELEVANT = [
  'checkout.session.',
  'customer.deleted',
  'customer.subscription.',
  'invoice.',
  'charge.dispute.',
  'charge.refunded',
  'charge.refund.',
  'refund.',
];
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Whose state an event may have changed; undefined when it is nobody's. A dispute and a refund name a charge alone, so the provider
 * is asked whose it is. @throws when it cannot be asked.
 */
async function findEventCustomer(
  stripe: Stripe,
  { type, data }: Stripe.Event,
): Promise<EventCustomer | undefined> {
  if (!RELEVANT.some((prefix) => type.startsWith(prefix))) return undefined;
  const { object, id, customer, charge, metadata } = data.object as EventObject;
  const userId = metadata?.['user_id'];
  const customerId =
    object === 'customer' ? id : (idOf(customer) ?? (await findChargeCustomer(stripe, idOf(charge))));
  if (customerId === undefined) return undefined;
  return { customerId, userId: userId !== undefined && UUID.test(userId) ? userId : undefined };
}

type Reference = string | { readonly id: string } | null;

/** What the objects of these events have in common. */
type EventObject = {
  readonly object: string;
  readonly id?: string;
  readonly customer?: Reference;
  readonly charge?: Reference;
  readonly metadata?: Readonly<Record<string, string>> | null;
};

async function findChargeCustomer(stripe: Stripe, charge: string | undefined): Promise<string | undefined> {
  if (charge === undefined) return undefined;
  const { customer } = await stripe.charges.retrieve(charge);
  return idOf(customer);
}

function idOf(reference: Reference | undefined): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id;
}
