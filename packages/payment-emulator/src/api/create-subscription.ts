import { findTestCard, keepCard } from '../billing/cards.ts';
import { findErrorCode } from '../billing/charges.ts';
import { giveDiscount } from '../billing/discounts.ts';
import { scheduleCancellation } from '../billing/end-subscription.ts';
import { endTrial } from '../billing/end-trial.ts';
import { itemOf, keepSubscription } from '../billing/keep-subscription.ts';
import { changePrice, type ProrationBehaviour } from '../billing/price-changes.ts';
import { startSubscription } from '../billing/start-subscription.ts';
import { idOf } from '../ledger/ids.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Customer, Price, Subscription } from '../ledger/object-kinds.ts';
import type { ApiRequest, CardRefusal } from './api-route.ts';
import { findActivePrice, findCustomer, findObject } from './find-object.ts';
import { mergeMetadata, type Parameters, readTrialEnd } from './parameters.ts';
import { findGift } from './resolve-discount.ts';
import { invalidParameter, StripeFailure } from './stripe-failure.ts';

/**
 * Starts a subscription without a checkout page. `default_payment_method` may be a test card's token (`pm_card_visa`).
 * With `payment_behavior=error_if_incomplete` a refused card is an error, otherwise the subscription stays incomplete.
 */
export async function createSubscription({ ledger, parameters }: ApiRequest): Promise<object | CardRefusal> {
  const customer = await findCustomer(ledger, parameters.requiredText('customer'), 'customer');
  const [item, ...others] = parameters.list('items');
  if (!item) throw invalidParameter('items', 'Missing required param: items.', 'parameter_missing');
  if (others.length > 0) throw invalidParameter('items', 'The emulator sells one item at a time.');
  const price = await findActivePrice(ledger, item.requiredText('price'), 'items[0][price]');
  const behaviour = parameters.choice('payment_behavior', [
    'allow_incomplete',
    'default_incomplete',
    'error_if_incomplete',
    'pending_if_incomplete',
  ]);
  const { subscription, collection } = await startSubscription(
    ledger,
    {
      customer,
      price,
      quantity: item.integer('quantity') ?? 1,
      trialEnd: readTrialEnd(ledger, parameters),
      metadata: parameters.metadata(),
      paymentMethod: await chooseCard(ledger, customer, parameters.text('default_payment_method')),
    },
    await findGift(ledger, parameters),
  );
  if (collection.isPaid || behaviour !== 'error_if_incomplete') return subscription;
  return { isCardRefusal: true, decline: collection.decline, code: findErrorCode(collection.decline) };
}

async function chooseCard(
  ledger: Ledger,
  customer: Customer,
  wanted: string | undefined,
): Promise<string | null> {
  if (wanted === undefined || wanted === '') return null;
  const card = findTestCard(wanted);
  if (card) return keepCard(ledger, customer, card).id;
  const method = await findObject(ledger, 'payment_method', wanted, 'default_payment_method');
  if (method.customer !== customer.id)
    throw invalidParameter(
      'default_payment_method',
      `The customer does not have a payment method with the ID ${method.id}.`,
      'resource_missing',
    );
  return method.id;
}

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
  const gift = await findGift(ledger, parameters);
  if (gift) giveDiscount(ledger, subscription, gift);
  const invoiceBefore = idOf(subscription.latest_invoice);
  await changeItem(ledger, subscription, parameters);
  await changeTrial(ledger, subscription, parameters);
  keepSubscription(ledger, subscription);
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

async function changeTrial(
  ledger: Ledger,
  subscription: Subscription,
  parameters: Parameters,
): Promise<void> {
  if (parameters.text('trial_end') === 'now') {
    if (subscription.status === 'trialing') await endTrial(ledger, subscription);
    return;
  }
  const end = readTrialEnd(ledger, parameters);
  if (end === null) return;
  subscription.status = 'trialing';
  subscription.trial_start ??= Math.floor(ledger.time);
  subscription.trial_end = end;
  subscription.billing_cycle_anchor = end;
  itemOf(subscription).current_period_end = end;
}

function changeCancellation(ledger: Ledger, subscription: Subscription, parameters: Parameters): void {
  const atPeriodEnd = parameters.flag('cancel_at_period_end');
  if (atPeriodEnd !== undefined && atPeriodEnd !== subscription.cancel_at_period_end)
    scheduleCancellation(ledger, subscription, atPeriodEnd);
  else if (parameters.has('cancel_at')) scheduleEnd(ledger, subscription, parameters);
}

function scheduleEnd(ledger: Ledger, subscription: Subscription, parameters: Parameters): void {
  const before = structuredClone(subscription);
  const isNamed = ['min_period_end', 'max_period_end'].includes(parameters.text('cancel_at') ?? '');
  const at = isNamed ? itemOf(subscription).current_period_end : (parameters.integer('cancel_at') ?? null);
  if (at !== null && at <= ledger.time)
    throw invalidParameter('cancel_at', 'cancel_at must be in the future.');
  subscription.cancel_at = at;
  subscription.cancel_at_period_end = false;
  subscription.canceled_at = at === null ? null : Math.floor(ledger.time);
  keepSubscription(ledger, subscription);
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
