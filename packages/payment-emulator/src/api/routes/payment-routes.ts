import { refundCharge } from '../../billing/charges.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Charge } from '../../ledger/object-kinds.ts';
import type { ApiRoute } from '../api-route.ts';
import { findObject, listObjects } from '../find-object.ts';
import type { Parameters } from '../parameters.ts';
import { invalidParameter, StripeFailure } from '../stripe-failure.ts';

/** What is sold, billed, paid and given back: `prices`, `invoices`, `charges` and `disputes` are read; `refunds` also made. */
export const PAYMENT_ROUTES: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/v1/prices/:id',
    run: ({ ledger, ids: [id] }) => findObject(ledger, 'price', id),
  },
  {
    method: 'GET',
    path: '/v1/invoices',
    run: ({ ledger, parameters }) => {
      const subscription = parameters.text('subscription');
      return listObjects(ledger, parameters, {
        kind: 'invoice',
        url: '/v1/invoices',
        match: {
          ...pick(parameters, 'customer'),
          ...(subscription === undefined ? {} : { parent: { subscription_details: { subscription } } }),
        },
      });
    },
  },
  {
    method: 'GET',
    path: '/v1/charges',
    run: ({ ledger, parameters }) =>
      listObjects(ledger, parameters, {
        kind: 'charge',
        url: '/v1/charges',
        match: pick(parameters, 'customer'),
      }),
  },
  {
    method: 'GET',
    path: '/v1/charges/:id',
    run: ({ ledger, ids: [id] }) => findObject(ledger, 'charge', id),
  },
  {
    method: 'GET',
    path: '/v1/disputes',
    run: ({ ledger, parameters }) =>
      listObjects(ledger, parameters, {
        kind: 'dispute',
        url: '/v1/disputes',
        match: pick(parameters, 'charge'),
      }),
  },
  {
    method: 'GET',
    path: '/v1/refunds',
    run: ({ ledger, parameters }) =>
      listObjects(ledger, parameters, {
        kind: 'refund',
        url: '/v1/refunds',
        match: pick(parameters, 'charge'),
      }),
  },
  { method: 'POST', path: '/v1/refunds', run: ({ ledger, parameters }) => createRefund(ledger, parameters) },
];

/** The parameter as what objects must match; nothing when it was left out. */
function pick(parameters: Parameters, name: string): Readonly<Record<string, string>> {
  const value = parameters.text(name);
  return value === undefined ? {} : { [name]: value };
}

async function createRefund(ledger: Ledger, parameters: Parameters): Promise<object> {
  const charge = await findObject(ledger, 'charge', parameters.requiredText('charge'), 'charge');
  const left = findRefundable(charge);
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

/** What is left of a charge. @throws StripeFailure when nothing of it can be given back. */
function findRefundable(charge: Charge): number {
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
  return left;
}
