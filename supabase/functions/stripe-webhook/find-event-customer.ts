import type { Stripe } from 'stripe';

/** Whom an event is about. */
export type EventCustomer = {
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
export async function findEventCustomer(
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
