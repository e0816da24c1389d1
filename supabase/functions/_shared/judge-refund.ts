import type { Stripe } from 'stripe';
import { REFUND_DAYS } from '../../../packages/domain/src/limits.ts';
import { type BilledInvoice, type BilledInvoices, subscriptionOf } from './list-billed-invoices.ts';

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
export function judgeRefund({ billed, isComplete, time }: BilledInvoices): RefundVerdict {
  const payments = listPayments(billed);
  const kept = payments.filter(({ charge }) => !isReturned(charge));
  const first = Math.min(...payments.map(({ charge }) => charge.created));
  if (payments.length === 0) return { kind: 'nothing' };
  // A hundred invoices are not those of a fortnight.
  if (!isComplete || time > first + REFUND_DAYS * DAY_SECONDS) return { kind: 'too_late' };
  if (kept.length === 0) return { kind: 'done' };

  const returned = new Set(payments.filter(({ charge }) => isReturned(charge)).map((p) => p.subscription));
  // Where one charge of several was given back, the refund was interrupted: the rest follows.
  const due = returned.size === 0 ? kept : kept.filter(({ subscription }) => returned.has(subscription));
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
