import { createId } from '../ledger/create-id.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Charge, Refund } from '../ledger/object-kinds.ts';

export type RefundPlan = {
  readonly amount: number;
  readonly reason: 'duplicate' | 'fraudulent' | 'requested_by_customer' | null;
  readonly metadata?: Record<string, string>;
};

/** Gives back a part or all of a charge. The caller has checked that so much is left. Subscriptions are not touched, as at Stripe. */
export function refundCharge(
  ledger: Ledger,
  charge: Charge,
  { amount, reason, metadata = {} }: RefundPlan,
): Refund {
  const before = structuredClone(charge);
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  const refund: Refund = {
    id: createId('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: Math.floor(ledger.time),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  };
  ledger.save('charge', charge);
  ledger.save('refund', refund);
  ledger.emit('refund.created', refund);
  ledger.emit('charge.refunded', charge, before);
  return refund;
}
