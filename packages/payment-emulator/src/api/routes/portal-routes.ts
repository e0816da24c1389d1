import { itemOf } from '../../billing/subscriptions.ts';
import { createSecretId, idOf } from '../../ledger/ids.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Customer, PortalSession, Subscription } from '../../ledger/object-kinds.ts';
import type { ApiRequest, ApiRoute } from '../api-route.ts';
import { findActivePrice, findCustomer, findObject } from '../find-object.ts';
import { type Parameters, readReturnUrl } from '../parameters.ts';
import { invalidParameter } from '../stripe-failure.ts';

const LIVES_SECONDS = 3600;
const FLOWS = [
  'payment_method_update',
  'subscription_cancel',
  'subscription_update',
  'subscription_update_confirm',
] as const;

/** `billingPortal.sessions`: create, with or without a flow. */
export const PORTAL_ROUTES: readonly ApiRoute[] = [
  { method: 'POST', path: '/v1/billing_portal/sessions', run: createPortalSession },
];

type Flow = NonNullable<PortalSession['flow']>;

async function createPortalSession({ ledger, parameters }: ApiRequest): Promise<object> {
  const customer = await findCustomer(ledger, parameters.requiredText('customer'), 'customer');
  const id = createSecretId('bps');
  const session: PortalSession = {
    id,
    object: 'billing_portal.session',
    configuration: parameters.text('configuration') ?? 'bpc_emulator',
    created: Math.floor(ledger.time),
    customer: customer.id,
    customer_account: null,
    flow: await readFlow(ledger, customer, parameters.inner('flow_data')),
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: parameters.has('return_url') ? readReturnUrl(parameters, 'return_url') : null,
    url: `${ledger.siteUrl}/portal/${id}`,
  };
  ledger.save('billing_portal.session', session);
  ledger.save('emulator.portal', {
    id: `draft_of_${id}`,
    object: 'emulator.portal',
    created: session.created,
    version: 0,
    lastNotice: null,
    expiresAt: session.created + LIVES_SECONDS,
  });
  return session;
}

async function readFlow(
  ledger: Ledger,
  customer: Customer,
  data: Parameters | undefined,
): Promise<Flow | null> {
  const type = data?.choice('type', FLOWS);
  if (!data || type === undefined) return null;
  const cancel = data.inner('subscription_cancel');
  const update = data.inner('subscription_update');
  const confirm = data.inner('subscription_update_confirm');
  const given = {
    subscription_cancel: cancel,
    subscription_update: update,
    subscription_update_confirm: confirm,
  };
  if (type !== 'payment_method_update') {
    const details = given[type];
    const param = `flow_data[${type}][subscription]`;
    if (!details)
      throw invalidParameter(
        `flow_data[${type}]`,
        `Missing required param: flow_data[${type}].`,
        'parameter_missing',
      );
    await findOwnSubscription(ledger, customer, details.requiredText('subscription'), param);
  }
  return {
    after_completion: readAfterCompletion(data.inner('after_completion')),
    customer_update: null,
    subscription_cancel: cancel
      ? { retention: null, subscription: cancel.requiredText('subscription') }
      : null,
    subscription_pause: null,
    subscription_update: update ? { subscription: update.requiredText('subscription') } : null,
    subscription_update_confirm: confirm ? await readConfirmation(ledger, confirm) : null,
    type,
  };
}

async function findOwnSubscription(
  ledger: Ledger,
  customer: Customer,
  id: string,
  param: string,
): Promise<Subscription> {
  const subscription = await findObject(ledger, 'subscription', id, param);
  if (idOf(subscription.customer) !== customer.id || subscription.ended_at !== null)
    throw invalidParameter(param, `The subscription ${id} cannot be changed by this customer.`);
  return subscription;
}

async function readConfirmation(
  ledger: Ledger,
  confirm: Parameters,
): Promise<Flow['subscription_update_confirm']> {
  const subscription = confirm.requiredText('subscription');
  const [item] = confirm.list('items');
  const param = 'flow_data[subscription_update_confirm][items]';
  if (!item) throw invalidParameter(param, `Missing required param: ${param}.`, 'parameter_missing');
  const current = itemOf(await findObject(ledger, 'subscription', subscription));
  const id = item.requiredText('id');
  if (id !== current.id)
    throw invalidParameter(`${param}[0][id]`, `No such subscription item: '${id}'`, 'resource_missing');
  const price = await findActivePrice(ledger, item.requiredText('price'), `${param}[0][price]`);
  if (price.id === current.price.id)
    throw invalidParameter(
      'flow_data[subscription_update_confirm]',
      'The subscription update cannot be confirmed because it has no changes.',
    );
  return {
    discounts: null,
    items: [{ id, price: price.id, quantity: item.integer('quantity') ?? 1 }],
    subscription,
  };
}

function readAfterCompletion(data: Parameters | undefined): Flow['after_completion'] {
  const type =
    data?.choice('type', ['hosted_confirmation', 'portal_homepage', 'redirect']) ?? 'portal_homepage';
  const redirect = data?.inner('redirect');
  return {
    hosted_confirmation: type === 'hosted_confirmation' ? { custom_message: null } : null,
    redirect: redirect ? { return_url: readReturnUrl(redirect, 'return_url') } : null,
    type,
  };
}
