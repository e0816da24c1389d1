import type { Kind, ObjectOf } from '../../ledger/object-kinds.ts';
import type { ApiRoute } from '../api-route.ts';
import { findObject, listObjects } from '../find-object.ts';
import type { Parameters } from '../parameters.ts';

/** What can be read and listed, and is changed by other ways only. */
export const CATALOGUE_ROUTES: readonly ApiRoute[] = [
  ...readable('product', '/v1/products', (parameters) => pick({ active: parameters.flag('active') })),
  ...readable(
    'price',
    '/v1/prices',
    (parameters) =>
      pick({
        active: parameters.flag('active'),
        product: parameters.text('product'),
        currency: parameters.text('currency'),
        type: parameters.text('type'),
      }),
    (parameters) => {
      const keys = parameters.texts('lookup_keys');
      return ({ lookup_key: key }) => keys.length === 0 || (key !== null && keys.includes(key));
    },
  ),
  ...readable('coupon', '/v1/coupons'),
  ...readable('promotion_code', '/v1/promotion_codes', (parameters) =>
    pick({ code: parameters.text('code'), active: parameters.flag('active') }),
  ),
  ...readable('payment_method', '/v1/payment_methods', (parameters) =>
    pick({ customer: parameters.text('customer'), type: parameters.text('type') }),
  ),
  ...readable('billing_portal.configuration', '/v1/billing_portal/configurations', (parameters) =>
    pick({ active: parameters.flag('active'), is_default: parameters.flag('is_default') }),
  ),
  ...readable('charge', '/v1/charges', (parameters) =>
    pick({ customer: parameters.text('customer'), payment_intent: parameters.text('payment_intent') }),
  ),
  ...readable('payment_intent', '/v1/payment_intents', (parameters) =>
    pick({ customer: parameters.text('customer') }),
  ),
  ...readable('invoice_payment', '/v1/invoice_payments', (parameters) =>
    pick({
      invoice: parameters.text('invoice'),
      status: parameters.text('status'),
      payment:
        parameters.inner('payment') &&
        pick({ payment_intent: parameters.inner('payment')?.text('payment_intent') }),
    }),
  ),
  ...readable('dispute', '/v1/disputes', (parameters) =>
    pick({ charge: parameters.text('charge'), payment_intent: parameters.text('payment_intent') }),
  ),
  ...readable(
    'event',
    '/v1/events',
    (parameters) =>
      pick({ type: parameters.text('type')?.includes('*') ? undefined : parameters.text('type') }),
    (parameters) => {
      const types = parameters.texts('types');
      const family = parameters.text('type');
      return ({ type }) =>
        (types.length === 0 || types.includes(type)) &&
        (family?.endsWith('*') !== true || type.startsWith(family.slice(0, -1)));
    },
  ),
];

function readable<K extends Kind>(
  kind: K,
  path: string,
  match: (parameters: Parameters) => Readonly<Record<string, unknown>> = () => ({}),
  accept: (parameters: Parameters) => (object: ObjectOf[K]) => boolean = () => () => true,
): readonly ApiRoute[] {
  return [
    {
      method: 'GET',
      path,
      run: ({ ledger, parameters }) =>
        listObjects(ledger, parameters, {
          kind,
          url: path,
          match: match(parameters),
          accept: accept(parameters),
        }),
    },
    { method: 'GET', path: `${path}/:id`, run: ({ ledger, ids: [id] }) => findObject(ledger, kind, id) },
  ];
}

/** Leaves out what was not asked for. */
function pick(wanted: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
}
