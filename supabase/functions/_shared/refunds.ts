import type { Stripe } from 'stripe';
import { REFUND_DAYS } from '../../../packages/domain/src/limits.ts';

/**
 * `refundable`: these charges are given back. `done`: they were, already. `used`: an earlier subscription was refunded.
 * `disputed`: the card's bank decides.
 */
export type RefundVerdict =
  | { readonly kind: 'refundable'; readonly charges: readonly Stripe.Charge[] }
  | { readonly kind: 'nothing' | 'too_late' | 'done' | 'used' | 'disputed' };

type Payment = { readonly charge: Stripe.Charge; readonly subscription: string };

const DAY_SECONDS = 86_400;

/**
 * What a person may have back: within 14 days of the first payment all that was paid for subscriptions since, once in an
 * account's life (specification, section 9; decision 0039). Pure.
 */
export function classifyRefund({ billed, isComplete, time }: BilledInvoices): RefundVerdict {
  const payments = listPayments(billed);
  const kept = payments.filter(({ charge }) => !isReturned(charge));
  const first = Math.min(...payments.map(({ charge }) => charge.created));
  if (payments.length === 0) return { kind: 'nothing' };
  // A hundred invoices are not those of a fortnight.
  if (!isComplete || time > first + REFUND_DAYS * DAY_SECONDS) return { kind: 'too_late' };
  if (kept.length === 0) return { kind: 'done' };

  const returned = payments.filter(({ charge }) => isReturned(charge));
  const subscriptions = new Set(returned.map(({ subscription }) => subscription));
  const newest = Math.max(...returned.map(({ charge }) => charge.created));
  // The newest goes first. Where one charge of several was given back, the refund was interrupted: the rest follows.
  const isRest = ({ charge, subscription }: Payment) =>
    subscriptions.has(subscription) || charge.created < newest;
  const due = returned.length === 0 ? kept : kept.filter(isRest);
  if (due.length === 0) return { kind: 'used' };
  if (due.some(({ charge }) => charge.disputed)) return { kind: 'disputed' };
  return { kind: 'refundable', charges: due.map(({ charge }) => charge) };
}

/** Nothing of it is left with us. */
export function isReturned({ amount_captured, amount_refunded }: Stripe.Charge): boolean {
  return amount_refunded >= amount_captured;
}

function listPayments(billed: readonly BilledInvoice[]): readonly Payment[] {
  return billed.flatMap(({ invoice, charges }) => {
    const subscription = subscriptionOf(invoice);
    if (subscription === undefined) return [];
    return charges
      .filter(({ status, amount_captured }) => status === 'succeeded' && amount_captured > 0)
      .map((charge) => ({ charge, subscription }));
  });
}

/** An invoice, and the charges that paid it. */
export type BilledInvoice = { readonly invoice: Stripe.Invoice; readonly charges: readonly Stripe.Charge[] };

const PAGE = 100;

/** A customer's newest invoices, newest first. */
type BilledInvoices = {
  readonly billed: readonly BilledInvoice[];
  /** There are no older ones. */
  readonly isComplete: boolean;
  /** The provider's own time, in seconds: what its dates are to be compared with. */
  readonly time: number;
};

/**
 * Reads what a customer was billed. An invoice knows what it is for and what paid it, a charge whether the money was kept: both
 * lists are read and put together.
 * @param now our time, for a provider that does not say its own.
 */
export async function listBilledInvoices(
  stripe: Stripe,
  customer: string,
  now: Date,
): Promise<BilledInvoices> {
  const [invoices, charges] = await Promise.all([
    stripe.invoices.list({ customer, limit: PAGE, expand: ['data.payments'] }),
    stripe.charges.list({ customer, limit: PAGE }),
  ]);
  const paidBy = Map.groupBy(charges.data, (charge) => idOf(charge.payment_intent) ?? charge.id);
  const billed = invoices.data.map((invoice) => ({
    invoice,
    charges: (invoice.payments?.data ?? []).flatMap(
      ({ payment }) => paidBy.get(idOf(payment.payment_intent) ?? idOf(payment.charge) ?? '') ?? [],
    ),
  }));
  const said = Date.parse(new Headers(invoices.lastResponse.headers).get('date') ?? '');
  const time = (Number.isNaN(said) ? now.getTime() : said) / 1000;
  return { billed, isComplete: !invoices.has_more && !charges.has_more, time };
}

/** The subscription that an invoice is for; undefined for anything else that was sold. */
export function subscriptionOf({ parent }: Stripe.Invoice): string | undefined {
  return idOf(parent?.subscription_details?.subscription);
}

function idOf(value: string | { readonly id: string } | null | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.id;
}
