import { createId, idOf } from '../ledger/ids.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Charge, Dispute } from '../ledger/object-kinds.ts';

const EVIDENCE_WITHIN_SECONDS = 7 * 86_400;

/** The cardholder's bank takes a payment back until it is decided whose it is. */
export function openDispute(ledger: Ledger, charge: Charge): Dispute {
  const time = Math.floor(ledger.time);
  charge.disputed = true;
  const dispute: Dispute = {
    id: createId('du'),
    object: 'dispute',
    amount: charge.amount - charge.amount_refunded,
    balance_transactions: [],
    charge: charge.id,
    created: time,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    // Evidence is handed in at Stripe's own pages, which have no twin here.
    evidence: {} as Dispute['evidence'],
    evidence_details: {
      due_by: time + EVIDENCE_WITHIN_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'manual',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: 'fraudulent',
    status: 'needs_response',
  };
  ledger.save('charge', charge);
  ledger.save('dispute', dispute);
  ledger.emit('charge.dispute.created', dispute);
  return dispute;
}

/** The bank has decided. A payment that was won back is no longer disputed. */
export async function closeDispute(ledger: Ledger, dispute: Dispute, status: 'won' | 'lost'): Promise<void> {
  const before = structuredClone(dispute);
  dispute.status = status;
  ledger.save('dispute', dispute);
  if (status === 'won') {
    const charge = await ledger.require('charge', idOf(dispute.charge));
    charge.disputed = false;
    ledger.save('charge', charge);
    ledger.emit('charge.dispute.funds_reinstated', dispute);
  } else {
    ledger.emit('charge.dispute.funds_withdrawn', dispute);
  }
  ledger.emit('charge.dispute.closed', dispute, before);
}
