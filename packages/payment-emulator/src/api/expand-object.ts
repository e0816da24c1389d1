import type { Ledger } from '../ledger/ledger.ts';
import { describePage } from './find-object.ts';
import { invalidParameter } from './stripe-failure.ts';

type Json = Record<string, unknown>;

/** Stripe's own limit ("Expanding responses"). */
const MAX_DEPTH = 4;

/**
 * Replaces ids by their objects along the paths given, `latest_invoice.payments`, also inside of lists (`data.customer`).
 * @param answer is changed.
 * @throws StripeFailure for a path that cannot be expanded.
 */
export async function expandObject(ledger: Ledger, answer: object, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const steps = path.split('.');
    // Lists do not count.
    if (steps.filter((step) => step !== 'data').length > MAX_DEPTH)
      throw invalidParameter(
        'expand',
        `You cannot expand more than ${MAX_DEPTH} levels of a property (${path}).`,
      );
    await follow(ledger, answer as Json, steps, path);
  }
}

async function follow(ledger: Ledger, object: Json, steps: readonly string[], path: string): Promise<void> {
  const [step, ...rest] = steps;
  if (step === undefined) return;
  await include(ledger, object, step);
  const value = object[step];
  if (value === undefined || typeof value === 'number' || typeof value === 'boolean')
    throw invalidParameter('expand', `This property cannot be expanded (${path}).`);
  if (value === null) return;
  if (Array.isArray(value)) {
    object[step] = await Promise.all(value.map((item) => resolve(ledger, item, path)));
    for (const item of object[step] as unknown[]) await follow(ledger, item as Json, rest, path);
    return;
  }
  const inner = await resolve(ledger, value, path);
  object[step] = inner;
  await follow(ledger, inner as Json, rest, path);
}

async function resolve(ledger: Ledger, value: unknown, path: string): Promise<unknown> {
  if (typeof value !== 'string') return value;
  const object = await ledger.findAny(value);
  if (!object) throw invalidParameter('expand', `This property cannot be expanded (${path}).`);
  return structuredClone(object);
}

/** Lists that an object shows only when asked to. */
async function include(ledger: Ledger, object: Json, name: string): Promise<void> {
  const id = String(object['id']);
  if (object[name] !== undefined) return;
  if (object['object'] === 'invoice' && name === 'payments')
    object[name] = describePage(
      await ledger.list('invoice_payment', { match: { invoice: id } }),
      '/v1/invoice_payments',
    );
  if (object['object'] === 'charge' && name === 'refunds')
    object[name] = describePage(
      await ledger.list('refund', { match: { charge: id } }),
      `/v1/charges/${id}/refunds`,
    );
  if (object['object'] === 'customer' && name === 'subscriptions')
    object[name] = describePage(
      (await ledger.list('subscription', { match: { customer: id } })).filter(
        ({ ended_at }) => ended_at === null,
      ),
      `/v1/customers/${id}/subscriptions`,
    );
  if (object['object'] === 'checkout.session' && name === 'line_items') {
    const draft = (await ledger.list('emulator.checkout', { match: { session: id } }))[0];
    const price = draft && (await ledger.find('price', draft.price));
    const quantity = draft?.quantity ?? 1;
    const amount = (price?.unit_amount ?? 0) * quantity;
    const item = {
      id: `li_${id.slice(-24)}`,
      object: 'item',
      amount_discount: 0,
      amount_subtotal: amount,
      amount_tax: 0,
      amount_total: amount,
      currency: price?.currency,
      description: price?.nickname,
      price: structuredClone(price),
      quantity,
    };
    object[name] = describePage([item], `/v1/checkout/sessions/${id}/line_items`);
  }
}
