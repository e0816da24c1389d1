import { expireSession } from '../../billing/run-due-work.ts';
import { createId, createSecretId } from '../../ledger/ids.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { CheckoutDraft, CheckoutSession, Customer, Price } from '../../ledger/object-kinds.ts';
import type { ApiRequest, ApiRoute } from '../api-route.ts';
import { findActivePrice, findCustomer, findObject, listObjects } from '../find-object.ts';
import { type Parameters, readReturnUrl, readTrialEnd } from '../parameters.ts';
import { resolveDiscount } from '../resolve-discount.ts';
import { invalidParameter, StripeFailure } from '../stripe-failure.ts';

/** `checkout.sessions`: create, retrieve, list, expire. */
export const CHECKOUT_ROUTES: readonly ApiRoute[] = [
  { method: 'POST', path: '/v1/checkout/sessions', run: createCheckoutSession },
  {
    method: 'GET',
    path: '/v1/checkout/sessions',
    run: ({ ledger, parameters }) => {
      const wanted = ['customer', 'status'].flatMap((name) => {
        const value = parameters.text(name);
        return value === undefined ? [] : [[name, value] as const];
      });
      return listObjects(ledger, parameters, {
        kind: 'checkout.session',
        url: '/v1/checkout/sessions',
        match: Object.fromEntries(wanted),
      });
    },
  },
  {
    method: 'GET',
    path: '/v1/checkout/sessions/:id',
    run: ({ ledger, ids: [id] }) => findObject(ledger, 'checkout.session', id),
  },
  {
    method: 'POST',
    path: '/v1/checkout/sessions/:id/expire',
    run: async ({ ledger, ids: [id] }) => {
      const session = await findObject(ledger, 'checkout.session', id);
      if (session.status !== 'open')
        throw new StripeFailure(
          `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
          { status: 400 },
        );
      expireSession(ledger, session);
      return session;
    },
  },
];

const HOUR_SECONDS = 3600;
const LIVES_SECONDS = 24 * HOUR_SECONDS;
const LIVES_AT_LEAST_SECONDS = HOUR_SECONDS / 2;

/** Opens a checkout: one price, paid as a subscription, on the emulator's own page. */
async function createCheckoutSession({ ledger, parameters }: ApiRequest): Promise<object> {
  const mode = parameters.requiredText('mode');
  if (mode !== 'subscription')
    throw invalidParameter('mode', 'The emulator sells subscriptions: mode must be subscription.');
  const [item, ...others] = parameters.list('line_items');
  if (!item) throw invalidParameter('line_items', 'Missing required param: line_items.', 'parameter_missing');
  if (others.length > 0) throw invalidParameter('line_items', 'The emulator sells one item at a time.');
  const price = await findActivePrice(ledger, item.requiredText('price'), 'line_items[0][price]');
  const quantity = item.integer('quantity') ?? 1;
  if (quantity < 1 || quantity > 999) throw invalidParameter('line_items[0][quantity]', 'Invalid quantity.');
  const customerId = parameters.text('customer');
  const customer = customerId === undefined ? null : await findCustomer(ledger, customerId, 'customer');
  const details = parameters.inner('subscription_data');
  const redeemed = await resolveDiscount(ledger, parameters);
  const session = buildSession(ledger, { parameters, price, quantity, customer });
  const draft: CheckoutDraft = {
    id: createId('cod'),
    object: 'emulator.checkout',
    created: session.created,
    session: session.id,
    version: 0,
    price: price.id,
    quantity,
    trialEnd: details ? readTrialEnd(ledger, details) : null,
    subscriptionMetadata: details?.metadata() ?? {},
    promotionCode: redeemed?.promotionCode ?? null,
    coupon: redeemed?.coupon.id ?? null,
    email: session.customer_email,
    awaitingCard: null,
    redirectedTo: null,
  };
  ledger.save('checkout.session', session, { dueAt: session.expires_at });
  ledger.save('emulator.checkout', draft);
  return session;
}

type SessionPlan = {
  readonly parameters: Parameters;
  readonly price: Price;
  readonly quantity: number;
  readonly customer: Customer | null;
};

function buildSession(
  ledger: Ledger,
  { parameters, price, quantity, customer }: SessionPlan,
): CheckoutSession {
  const id = createSecretId('cs_test');
  const time = Math.floor(ledger.time);
  const amount = (price.unit_amount ?? 0) * quantity;
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: parameters.flag('allow_promotion_codes') ?? null,
    allowed_payment_method_types: null,
    amount_subtotal: amount,
    amount_total: amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: parameters.has('cancel_url') ? readReturnUrl(parameters, 'cancel_url') : null,
    client_reference_id: parameters.text('client_reference_id') ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: time,
    currency: price.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: customer?.id ?? null,
    customer_account: null,
    customer_creation: 'always',
    customer_details: null,
    customer_email: customer ? null : (parameters.text('customer_email') ?? null),
    discounts: [],
    expires_at: readExpiry(ledger, parameters),
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: parameters.metadata(),
    mode: 'subscription',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'always',
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: readReturnUrl(parameters, 'success_url'),
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted' as CheckoutSession['ui_mode'],
    url: `${ledger.siteUrl}/checkout/${id}`,
    wallet_options: null,
  };
}

function readExpiry(ledger: Ledger, parameters: Parameters): number {
  const time = Math.floor(ledger.time);
  const wanted = parameters.integer('expires_at');
  if (wanted === undefined) return time + LIVES_SECONDS;
  // A caller's clock may be a little off.
  if (wanted < time + LIVES_AT_LEAST_SECONDS - 60 || wanted > time + LIVES_SECONDS + 60)
    throw invalidParameter(
      'expires_at',
      'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
    );
  return wanted;
}
