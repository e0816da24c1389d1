import { findTestCard, saveCard } from '../billing/cards.ts';
import { findErrorCode } from '../billing/charges.ts';
import { startSubscription } from '../billing/start-subscription.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Customer } from '../ledger/object-kinds.ts';
import type { ApiRequest, CardRefusal } from './api-route.ts';
import { findActivePrice, findCustomer, findObject } from './find-object.ts';
import { readTrialEnd } from './parameters.ts';
import { resolveDiscount } from './resolve-discount.ts';
import { invalidParameter } from './stripe-failure.ts';

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
    await resolveDiscount(ledger, parameters),
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
  if (card) return saveCard(ledger, customer, card).id;
  const method = await findObject(ledger, 'payment_method', wanted, 'default_payment_method');
  if (method.customer !== customer.id)
    throw invalidParameter(
      'default_payment_method',
      `The customer does not have a payment method with the ID ${method.id}.`,
      'resource_missing',
    );
  return method.id;
}
