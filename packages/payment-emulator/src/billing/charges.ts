import { createId, idOf } from '../ledger/ids.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Charge, Invoice, PaymentIntent, PaymentMethod, Refund } from '../ledger/object-kinds.ts';
import { behaviourId } from './cards.ts';

export type ChargeOutcome =
  | { readonly isPaid: true; readonly charge: Charge }
  | { readonly isPaid: false; readonly decline: string; readonly charge: Charge | null };

/** Card errors have a code of their own where Stripe gives them one; all others are `card_declined` (Stripe, "Decline codes"). */
export function findErrorCode(decline: string): string {
  return ['expired_card', 'incorrect_cvc', 'processing_error'].includes(decline) ? decline : 'card_declined';
}

/** Tries to collect what an invoice still asks for from a card. */
export async function chargeCard(
  ledger: Ledger,
  { invoice, intent, method }: { invoice: Invoice; intent: PaymentIntent; method: PaymentMethod | undefined },
): Promise<ChargeOutcome> {
  if (!method) return { isPaid: false, decline: 'missing_payment_method', charge: null };
  const behaviour = await ledger.require('emulator.card', behaviourId(method.id));
  const isRefused = behaviour.decline !== null && !behaviour.sparesFirstCharge;
  if (behaviour.sparesFirstCharge) {
    behaviour.sparesFirstCharge = false;
    ledger.save('emulator.card', behaviour);
  }
  const decline = isRefused ? (behaviour.decline ?? 'generic_decline') : null;
  const charge = buildCharge(ledger, { invoice, intent, method, decline });
  ledger.save('charge', charge);
  recordOnIntent(ledger, intent, charge, method);
  ledger.emit(decline === null ? 'charge.succeeded' : 'charge.failed', charge);
  ledger.emit(decline === null ? 'payment_intent.succeeded' : 'payment_intent.payment_failed', intent);
  return decline === null ? { isPaid: true, charge } : { isPaid: false, decline, charge };
}

function recordOnIntent(ledger: Ledger, intent: PaymentIntent, charge: Charge, method: PaymentMethod): void {
  intent.latest_charge = charge.id;
  if (charge.paid) {
    intent.status = 'succeeded';
    intent.amount_received = charge.amount;
    intent.payment_method = method.id;
    intent.last_payment_error = null;
  } else {
    intent.status = 'requires_payment_method';
    intent.payment_method = null;
    intent.last_payment_error = {
      charge: charge.id,
      code: findErrorCode(charge.outcome?.reason ?? '') as 'card_declined',
      decline_code: charge.outcome?.reason ?? 'generic_decline',
      message: charge.failure_message ?? '',
      type: 'card_error',
    };
  }
  ledger.save('payment_intent', intent);
}

type ChargePlan = {
  readonly invoice: Invoice;
  readonly intent: PaymentIntent;
  readonly method: PaymentMethod;
  readonly decline: string | null;
};

function buildCharge(ledger: Ledger, { invoice, intent, method, decline }: ChargePlan): Charge {
  const id = createId('ch');
  const isPaid = decline === null;
  const amount = invoice.amount_remaining;
  const { card } = method;
  return {
    id,
    object: 'charge',
    amount,
    amount_captured: isPaid ? amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { address: null, email: invoice.customer_email, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: 'LINKOTECA',
    captured: isPaid,
    created: Math.floor(ledger.time),
    currency: invoice.currency,
    customer: invoice.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: isPaid ? null : findErrorCode(decline),
    failure_message: isPaid ? null : 'Your card was declined.',
    fraud_details: {},
    livemode: false,
    metadata: {},
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: isPaid ? 'approved_by_network' : 'declined_by_network',
      reason: decline,
      risk_level: 'normal',
      seller_message: isPaid
        ? 'Payment complete.'
        : 'The bank did not return any further details with this decline.',
      type: isPaid ? 'authorized' : 'issuer_declined',
    },
    paid: isPaid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: {
      card: {
        amount_authorized: isPaid ? amount : null,
        authorization_code: null,
        brand: card?.brand ?? 'visa',
        checks: null,
        country: 'US',
        electronic_commerce_indicator: null,
        exp_month: card?.exp_month ?? 1,
        exp_year: card?.exp_year ?? 2099,
        funding: 'credit',
        installments: null,
        last4: card?.last4 ?? '',
        mandate: null,
        network: card?.brand ?? 'visa',
        network_transaction_id: null,
        regulated_status: 'unregulated',
        three_d_secure: null,
        transaction_link_id: null,
        wallet: null,
      },
      type: 'card',
    },
    receipt_email: null,
    receipt_number: null,
    receipt_url: isPaid ? `${ledger.siteUrl}/invoices/${invoice.id}` : null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: isPaid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
  };
}

/** The charge that paid an invoice; undefined: none has. */
export async function findPaidCharge(
  ledger: Ledger,
  { id }: Pick<Invoice, 'id'>,
): Promise<Charge | undefined> {
  const [payment] = await ledger.list('invoice_payment', { match: { invoice: id }, limit: 1 });
  const intent = await ledger.find('payment_intent', idOf(payment?.payment.payment_intent));
  const charge = await ledger.find('charge', intent?.latest_charge);
  return charge?.paid ? charge : undefined;
}

type RefundPlan = {
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
