import { findErrorCode } from '../billing/charges.ts';
import { applyDiscount } from '../billing/discounts.ts';
import { changePrice, type ProrationBehaviour } from '../billing/price-changes.ts';
import { endTrial } from '../billing/renew-subscription.ts';
import { itemOf, saveSubscription, scheduleCancellation } from '../billing/subscriptions.ts';
import { idOf } from '../ledger/ids.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Price, Subscription } from '../ledger/object-kinds.ts';
import type { CardRefusal } from './api-route.ts';
import { findActivePrice, findObject } from './find-object.ts';
import { mergeMetadata, type Parameters } from './parameters.ts';
import { resolveDiscount } from './resolve-discount.ts';
import { invalidParameter, StripeFailure } from './stripe-failure.ts';

/** Changes a subscription: price, quantity, cancellation, trial, card, discount, metadata. */
export async function updateSubscription(
  ledger: Ledger,
  subscription: Subscription,
  parameters: Parameters,
): Promise<object | CardRefusal> {
  if (subscription.ended_at !== null && (parameters.has('items') || parameters.has('cancel_at_period_end')))
    throw new StripeFailure(
      'A canceled subscription can only update its cancellation_details and metadata.',
      {
        status: 400,
      },
    );
  const before = structuredClone(subscription);
  subscription.metadata = mergeMetadata(subscription.metadata, parameters.metadata());
  const card = parameters.text('default_payment_method');
  if (card !== undefined)
    subscription.default_payment_method =
      card === '' ? null : (await findObject(ledger, 'payment_method', card, 'default_payment_method')).id;
  const redeemed = await resolveDiscount(ledger, parameters);
  if (redeemed) applyDiscount(ledger, subscription, redeemed);
  const invoiceBefore = idOf(subscription.latest_invoice);
  await changeItem(ledger, subscription, parameters);
  await changeTrial(ledger, subscription, parameters);
  saveSubscription(ledger, subscription);
  const isChanged = JSON.stringify(before) !== JSON.stringify(subscription);
  if (isChanged) ledger.emit('customer.subscription.updated', subscription, before);
  changeCancellation(ledger, subscription, parameters);
  return refuseWhenUnpaid(ledger, subscription, parameters, invoiceBefore);
}

async function changeItem(ledger: Ledger, subscription: Subscription, parameters: Parameters): Promise<void> {
  const behaviour = parameters.choice<ProrationBehaviour>('proration_behavior', [
    'create_prorations',
    'always_invoice',
    'none',
  ]);
  const prorationDate = parameters.integer('proration_date');
  const [wanted] = parameters.list('items');
  if (!wanted) return;
  const item = itemOf(subscription);
  const id = wanted.text('id');
  if (id !== undefined && id !== item.id)
    throw invalidParameter('items[0][id]', `No such subscription item: '${id}'`, 'resource_missing');
  if (id === undefined)
    throw invalidParameter(
      'items[0][id]',
      'The emulator changes the one item there is: name it by its id.',
      'parameter_missing',
    );
  const priceId = wanted.text('price');
  const price =
    priceId === undefined ? (item.price as Price) : await findActivePrice(ledger, priceId, 'items[0][price]');
  if (
    prorationDate !== undefined &&
    (prorationDate < item.current_period_start || prorationDate > item.current_period_end)
  )
    throw invalidParameter('proration_date', 'The proration date must be within the current billing period.');
  await changePrice(ledger, subscription, {
    price,
    quantity: wanted.integer('quantity') ?? item.quantity ?? 1,
    behaviour: behaviour ?? 'create_prorations',
    prorationDate,
  });
}

/** `trial_end=now`: the trial is over. */
async function changeTrial(
  ledger: Ledger,
  subscription: Subscription,
  parameters: Parameters,
): Promise<void> {
  const isOver = parameters.choice('trial_end', ['now']) === 'now';
  if (isOver && subscription.status === 'trialing') await endTrial(ledger, subscription);
}

function changeCancellation(ledger: Ledger, subscription: Subscription, parameters: Parameters): void {
  const atPeriodEnd = parameters.flag('cancel_at_period_end');
  if (atPeriodEnd !== undefined && atPeriodEnd !== subscription.cancel_at_period_end)
    scheduleCancellation(ledger, subscription, atPeriodEnd);
  else if (parameters.has('cancel_at')) scheduleEnd(ledger, subscription, parameters);
}

function scheduleEnd(ledger: Ledger, subscription: Subscription, parameters: Parameters): void {
  const before = structuredClone(subscription);
  const at = parameters.integer('cancel_at') ?? null;
  if (at !== null && at <= ledger.time)
    throw invalidParameter('cancel_at', 'cancel_at must be in the future.');
  subscription.cancel_at = at;
  subscription.cancel_at_period_end = false;
  subscription.canceled_at = at === null ? null : Math.floor(ledger.time);
  saveSubscription(ledger, subscription);
  ledger.emit('customer.subscription.updated', subscription, before);
}

/** `error_if_incomplete`: nothing may change when the invoice of the change cannot be collected. */
async function refuseWhenUnpaid(
  ledger: Ledger,
  subscription: Subscription,
  parameters: Parameters,
  invoiceBefore: string | null,
): Promise<object> {
  if (parameters.text('payment_behavior') !== 'error_if_incomplete') return subscription;
  const latest = await ledger.find('invoice', idOf(subscription.latest_invoice));
  if (!latest || latest.id === invoiceBefore || latest.status !== 'open') return subscription;
  const payment = (await ledger.list('invoice_payment', { match: { invoice: latest.id }, limit: 1 }))[0];
  const intent = await ledger.find('payment_intent', idOf(payment?.payment.payment_intent));
  const decline = intent?.last_payment_error?.decline_code ?? 'generic_decline';
  throw new StripeFailure('Your card was declined.', {
    status: 402,
    type: 'card_error',
    code: findErrorCode(decline),
    declineCode: decline,
  });
}
