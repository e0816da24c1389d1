import { FIELDS, type SubscriptionFields, toStripeSubscription } from './make-subscription.ts';

type Charge = {
  readonly id: string;
  readonly customer: string;
  readonly subscription: string;
  readonly created: number;
  readonly amount: number;
  refunded: number;
  dispute: string | null;
};

/** A payment provider of a few objects: what the SDK asks for it answers as of the moment it is asked. */
export type StripeModel = {
  readonly fetch: typeof fetch;
  addCustomer(id: string, metadata?: Readonly<Record<string, string>>): void;
  deleteCustomer(id: string): void;
  addSubscription(fields: Partial<SubscriptionFields> & { readonly id: string }): void;
  update(id: string, changes: Partial<SubscriptionFields>): void;
  find(id: string): SubscriptionFields | undefined;
  charge(subscription: string, created: number, amount?: number): string;
  refund(charge: string, amount: number): void;
  dispute(charge: string, status: string): void;
  /** Until it is called again: the provider answers nothing but 503. */
  setDown(isDown: boolean): void;
  /** The paths that were asked for. */
  readonly asked: string[];
};

export function createStripeModel(): StripeModel {
  const customers = new Map<string, { metadata: Readonly<Record<string, string>>; deleted: boolean }>();
  const subscriptions = new Map<string, SubscriptionFields>();
  const charges = new Map<string, Charge>();
  const asked: string[] = [];
  let isDown = false;

  const of = <T extends { readonly customer: string }>(all: Map<string, T>, query: URLSearchParams) =>
    [...all.values()].filter(({ customer }) => !query.has('customer') || customer === query.get('customer'));

  const ofTime = (all: readonly SubscriptionFields[], query: URLSearchParams) =>
    all.filter(({ created }) => created >= Number(query.get('created[gte]') ?? 0));

  function answer(path: string, query: URLSearchParams): object | undefined {
    const [, kind = '', id] = /^\/v1\/(\w+)(?:\/(\w+))?$/.exec(path) ?? [];
    if (kind === 'customers' && id) return showCustomer(id);
    if (kind === 'charges' && id) return showCharge(charges.get(id));
    if (kind === 'charges') return list(of(charges, query).flatMap((charge) => showCharge(charge) ?? []));
    if (kind === 'subscriptions')
      return list(ofTime(of(subscriptions, query), query).map(toStripeSubscription));
    if (kind === 'invoices') return list(of(charges, query).map(showInvoice));
    if (kind === 'disputes') {
      const status = charges.get(query.get('charge') ?? '')?.dispute;
      return list(status ? [{ id: 'dp_1', object: 'dispute', status }] : []);
    }
    return undefined;
  }

  function showCustomer(id: string) {
    const customer = customers.get(id);
    return customer && { id, object: 'customer', ...customer };
  }

  return {
    asked,
    fetch: async (input) => {
      const { pathname, searchParams } = new URL(String(input));
      asked.push(pathname);
      if (isDown) return Response.json({ error: { type: 'api_error' } }, { status: 503 });
      const body = answer(pathname, searchParams);
      if (body) return Response.json(body);
      return Response.json(
        { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such object' } },
        { status: 404 },
      );
    },
    addCustomer: (id, metadata = {}) => customers.set(id, { metadata, deleted: false }),
    deleteCustomer(id) {
      customers.set(id, { metadata: {}, deleted: true });
      for (const [key, known] of subscriptions)
        if (known.customer === id && known.status !== 'canceled')
          subscriptions.set(key, { ...known, status: 'canceled', endedAt: known.start + 1 });
    },
    addSubscription: (fields) => subscriptions.set(fields.id, { ...FIELDS, ...fields }),
    update(id, changes) {
      const known = subscriptions.get(id);
      if (known) subscriptions.set(id, { ...known, ...changes });
    },
    find: (id) => subscriptions.get(id),
    charge(subscription, created, amount = 199) {
      const { customer } = subscriptions.get(subscription) ?? FIELDS;
      const id = `ch_${charges.size}_${subscription}`;
      charges.set(id, { id, customer, subscription, created, amount, refunded: 0, dispute: null });
      return id;
    },
    refund(id, amount) {
      const charge = charges.get(id);
      if (charge) charge.refunded = Math.min(charge.amount, charge.refunded + amount);
    },
    dispute(id, status) {
      const charge = charges.get(id);
      if (charge) charge.dispute = status;
    },
    setDown(down) {
      isDown = down;
    },
  };
}

function list(data: readonly object[]) {
  return { object: 'list', data, has_more: false };
}

function showCharge(charge: Charge | undefined): object | undefined {
  return (
    charge && {
      id: charge.id,
      object: 'charge',
      customer: charge.customer,
      status: 'succeeded',
      created: charge.created,
      amount_captured: charge.amount,
      amount_refunded: charge.refunded,
      disputed: charge.dispute !== null,
      payment_intent: `pi_${charge.id}`,
    }
  );
}

function showInvoice({ id, subscription }: Charge) {
  return {
    id: `in_${id}`,
    object: 'invoice',
    parent: { type: 'subscription_details', subscription_details: { subscription } },
    payments: list([{ payment: { type: 'payment_intent', payment_intent: `pi_${id}` } }]),
  };
}
