import { createId, createSecretId } from '../ledger/create-id.ts';
import { idOf } from '../ledger/id-of.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Invoice, ObjectOf, PaymentIntent } from '../ledger/object-kinds.ts';

type InvoicePayment = ObjectOf['invoice_payment'];

/** The payment intent of an invoice: made at the first attempt, used again by the next ones. */
export async function openPayment(
  ledger: Ledger,
  invoice: Invoice,
): Promise<{ intent: PaymentIntent; payment: InvoicePayment }> {
  const known = (await ledger.list('invoice_payment', { match: { invoice: invoice.id }, limit: 1 }))[0];
  if (known)
    return {
      intent: await ledger.require('payment_intent', idOf(known.payment.payment_intent)),
      payment: known,
    };
  const intent = drawIntent(ledger, invoice);
  const payment: InvoicePayment = {
    id: createId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_remaining,
    created: Math.floor(ledger.time),
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent.id, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  };
  ledger.save('payment_intent', intent);
  ledger.save('invoice_payment', payment);
  ledger.emit('payment_intent.created', intent);
  return { intent, payment };
}

function drawIntent(ledger: Ledger, invoice: Invoice): PaymentIntent {
  const id = createId('pi');
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: invoice.amount_remaining,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: createSecretId(`${id}_secret`),
    confirmation_method: 'automatic',
    created: Math.floor(ledger.time),
    currency: invoice.currency,
    customer: invoice.customer,
    customer_account: null,
    description:
      invoice.billing_reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: 'off_session',
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_group: null,
  };
}
