import { createId, createSecretId, idOf } from '../ledger/ids.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Invoice, ObjectOf, PaymentIntent, Subscription } from '../ledger/object-kinds.ts';
import { findPaymentMethod } from './cards.ts';
import { chargeCard } from './charges.ts';
import { belongingTo, endSubscription, saveSubscription } from './subscriptions.ts';

const DAY_SECONDS = 86_400;
/** How long after each failed attempt the next one comes: 3, then 5, then 7 days. After the fourth failure it is over. */
const RETRY_AFTER_DAYS = [3, 5, 7] as const;

export type Collection = { readonly isPaid: true } | { readonly isPaid: false; readonly decline: string };

/**
 * Tries to collect an open invoice, and lets its subscription follow: active when it is paid, past due while there will be
 * another attempt, and over after the last.
 * @param paymentMethod the card to use; left out, the subscription's or the customer's.
 */
export async function collectInvoice(
  ledger: Ledger,
  invoice: Invoice,
  paymentMethod?: string,
): Promise<Collection> {
  const subscription = await findSubscription(ledger, invoice);
  if (invoice.amount_remaining === 0) {
    await markPaid(ledger, invoice, subscription);
    return { isPaid: true };
  }
  const { intent, payment } = await openPayment(ledger, invoice);
  const method = await ledger.find(
    'payment_method',
    paymentMethod ?? (await findPaymentMethod(ledger, idOf(invoice.customer), subscription)),
  );
  const outcome = await chargeCard(ledger, { invoice, intent, method });
  invoice.attempted = true;
  invoice.attempt_count += 1;
  if (!outcome.isPaid) {
    await recordFailure(ledger, invoice, subscription);
    return { isPaid: false, decline: outcome.decline };
  }
  payment.status = 'paid';
  payment.amount_paid = invoice.amount_remaining;
  payment.status_transitions.paid_at = Math.floor(ledger.time);
  ledger.save('invoice_payment', payment);
  ledger.emit('invoice_payment.paid', payment);
  await markPaid(ledger, invoice, subscription);
  return { isPaid: true };
}

/** The subscription that an invoice is for. */
export async function findSubscription(ledger: Ledger, invoice: Invoice): Promise<Subscription | undefined> {
  return ledger.find('subscription', idOf(invoice.parent?.subscription_details?.subscription));
}

async function markPaid(
  ledger: Ledger,
  invoice: Invoice,
  subscription: Subscription | undefined,
): Promise<void> {
  invoice.amount_paid = invoice.amount_due;
  invoice.amount_remaining = 0;
  invoice.attempted = true;
  invoice.status = 'paid';
  invoice.auto_advance = false;
  invoice.next_payment_attempt = null;
  invoice.status_transitions.paid_at = Math.floor(ledger.time);
  ledger.save('invoice', invoice, { dueAt: null });
  ledger.emit('invoice.paid', invoice);
  ledger.emit('invoice.payment_succeeded', invoice);
  if (!subscription || !['incomplete', 'past_due', 'unpaid'].includes(subscription.status)) return;
  const open = await ledger.list('invoice', { match: { status: 'open', ...belongingTo(subscription) } });
  if (open.length > 0) return;
  const before = structuredClone(subscription);
  subscription.status = 'active';
  saveSubscription(ledger, subscription);
  ledger.emit('customer.subscription.updated', subscription, before);
}

async function recordFailure(
  ledger: Ledger,
  invoice: Invoice,
  subscription: Subscription | undefined,
): Promise<void> {
  const days = RETRY_AFTER_DAYS[invoice.attempt_count - 1];
  // The first invoice is not tried again by itself: whoever wanted the subscription is still there.
  const isFirst = subscription?.status === 'incomplete' || invoice.billing_reason === 'subscription_create';
  const next = isFirst || days === undefined ? null : Math.floor(ledger.time) + days * DAY_SECONDS;
  invoice.next_payment_attempt = next;
  if (next === null) invoice.auto_advance = false;
  ledger.save('invoice', invoice, { dueAt: next });
  ledger.emit('invoice.payment_failed', invoice);
  if (!subscription || isFirst || subscription.ended_at !== null) return;
  if (next === null) return endDunning(ledger, subscription);
  if (subscription.status === 'past_due') return;
  const before = structuredClone(subscription);
  subscription.status = 'past_due';
  saveSubscription(ledger, subscription);
  ledger.emit('customer.subscription.updated', subscription, before);
}

async function endDunning(ledger: Ledger, subscription: Subscription): Promise<void> {
  const settings = await ledger.require('emulator.settings', 'emulator_settings');
  if (settings.afterDunning === 'canceled')
    return endSubscription(ledger, subscription, { reason: 'payment_failed' });
  const before = structuredClone(subscription);
  subscription.status = 'unpaid';
  saveSubscription(ledger, subscription);
  ledger.emit('customer.subscription.updated', subscription, before);
}

/** Collects every open invoice of a customer, oldest first: a good card has come. */
export async function collectOpenInvoices(
  ledger: Ledger,
  customer: ObjectOf['customer'],
): Promise<Collection> {
  const open = await ledger.list('invoice', { match: { status: 'open', customer: customer.id } });
  let result: Collection = { isPaid: true };
  for (const invoice of open.reverse()) {
    const collection = await collectInvoice(ledger, invoice);
    if (!collection.isPaid) result = collection;
  }
  return result;
}

type InvoicePayment = ObjectOf['invoice_payment'];

/** The payment intent of an invoice: made at the first attempt, used again by the next ones. */
async function openPayment(
  ledger: Ledger,
  invoice: Invoice,
): Promise<{ intent: PaymentIntent; payment: InvoicePayment }> {
  const known = (await ledger.list('invoice_payment', { match: { invoice: invoice.id }, limit: 1 }))[0];
  if (known)
    return {
      intent: await ledger.require('payment_intent', idOf(known.payment.payment_intent)),
      payment: known,
    };
  const intent = buildPaymentIntent(ledger, invoice);
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

function buildPaymentIntent(ledger: Ledger, invoice: Invoice): PaymentIntent {
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
