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

/** An invoice shows its payments only when asked to. */
async function include(ledger: Ledger, object: Json, name: string): Promise<void> {
  if (object['object'] !== 'invoice' || name !== 'payments' || object[name] !== undefined) return;
  const payments = await ledger.list('invoice_payment', { match: { invoice: object['id'] } });
  object[name] = describePage(payments, '/v1/invoice_payments');
}
