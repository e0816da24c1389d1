import { refundCharge } from '../../billing/charges.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Charge } from '../../ledger/object-kinds.ts';
import type { ApiRoute } from '../api-route.ts';
import { findObject, listObjects } from '../find-object.ts';
import type { Parameters } from '../parameters.ts';
import { invalidParameter, StripeFailure } from '../stripe-failure.ts';

/** `refunds`: create, retrieve, list. */
export const REFUND_ROUTES: readonly ApiRoute[] = [
  { method: 'POST', path: '/v1/refunds', run: ({ ledger, parameters }) => createRefund(ledger, parameters) },
  {
    method: 'GET',
    path: '/v1/refunds',
    run: ({ ledger, parameters }) => {
      const [charge, intent] = [parameters.text('charge'), parameters.text('payment_intent')];
      return listObjects(ledger, parameters, {
        kind: 'refund',
        url: '/v1/refunds',
        match: {
          ...(charge === undefined ? {} : { charge }),
          ...(intent === undefined ? {} : { payment_intent: intent }),
        },
      });
    },
  },
  {
    method: 'GET',
    path: '/v1/refunds/:id',
    run: ({ ledger, ids: [id] }) => findObject(ledger, 'refund', id),
  },
];

async function createRefund(ledger: Ledger, parameters: Parameters): Promise<object> {
  const charge = await findCharge(ledger, parameters);
  if (!charge.paid)
    throw new StripeFailure('This charge has not been paid.', { status: 400, code: 'charge_not_refundable' });
  if (charge.disputed)
    throw new StripeFailure('The charge is disputed and cannot be refunded.', {
      status: 400,
      code: 'charge_disputed',
    });
  const left = charge.amount - charge.amount_refunded;
  if (left === 0)
    throw new StripeFailure(`Charge ${charge.id} has already been refunded.`, {
      status: 400,
      code: 'charge_already_refunded',
    });
  const amount = parameters.integer('amount') ?? left;
  if (amount < 1) throw invalidParameter('amount', 'Invalid positive integer', 'parameter_invalid_integer');
  if (amount > left)
    throw invalidParameter(
      'amount',
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
    );
  const reason = parameters.choice('reason', ['duplicate', 'fraudulent', 'requested_by_customer']) ?? null;
  return refundCharge(ledger, charge, { amount, reason, metadata: parameters.metadata() });
}

async function findCharge(ledger: Ledger, parameters: Parameters): Promise<Charge> {
  const [charge, intentId] = [parameters.text('charge'), parameters.text('payment_intent')];
  if (charge !== undefined) return findObject(ledger, 'charge', charge, 'charge');
  if (intentId === undefined)
    throw invalidParameter(
      'charge',
      'One of the following params should be provided for this request: payment_intent or charge.',
      'parameter_missing',
    );
  const intent = await findObject(ledger, 'payment_intent', intentId, 'payment_intent');
  const latest = await ledger.find('charge', intent.latest_charge);
  if (!latest)
    throw invalidParameter(
      'payment_intent',
      `This PaymentIntent (${intentId}) does not have a successful charge to refund.`,
    );
  return latest;
}
