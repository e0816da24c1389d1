import { endSubscription } from '../../billing/end-subscription.ts';
import { itemOf } from '../../billing/keep-subscription.ts';
import { renewSubscription } from '../../billing/renew-subscription.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Subscription } from '../../ledger/object-kinds.ts';
import type { ApiRoute } from '../api-route.ts';
import { createSubscription, updateSubscription } from '../create-subscription.ts';
import { describePage, findObject, listObjects } from '../find-object.ts';
import { type Parameters, parseSearch } from '../parameters.ts';
import { invalidParameter, missingObject, StripeFailure } from '../stripe-failure.ts';

const ENDED = ['canceled', 'incomplete_expired'];
const STATUSES = [
  'active',
  'canceled',
  'incomplete',
  'incomplete_expired',
  'past_due',
  'paused',
  'trialing',
  'unpaid',
];

/** `subscriptions`: create, retrieve, list, search, update, cancel, resume. */
export const SUBSCRIPTION_ROUTES: readonly ApiRoute[] = [
  { method: 'POST', path: '/v1/subscriptions', run: createSubscription },
  {
    method: 'GET',
    path: '/v1/subscriptions',
    run: ({ ledger, parameters }) => listSubscriptions(ledger, parameters),
  },
  {
    method: 'GET',
    path: '/v1/subscriptions/search',
    run: async ({ ledger, parameters }) => {
      const match = parseSearch(parameters.requiredText('query'));
      const found = await ledger.list('subscription', { match, limit: parameters.integer('limit') ?? 10 });
      return { ...describePage(found, '/v1/subscriptions/search'), object: 'search_result', next_page: null };
    },
  },
  {
    method: 'GET',
    path: '/v1/subscriptions/:id',
    run: ({ ledger, ids: [id] }) => findObject(ledger, 'subscription', id),
  },
  {
    method: 'POST',
    path: '/v1/subscriptions/:id',
    run: async ({ ledger, parameters, ids: [id] }) => {
      const subscription = await findObject(ledger, 'subscription', id);
      return updateSubscription(ledger, subscription, parameters);
    },
  },
  {
    method: 'DELETE',
    path: '/v1/subscriptions/:id',
    run: async ({ ledger, parameters, ids: [id] }) => {
      const subscription = await findObject(ledger, 'subscription', id);
      // As at Stripe: what has ended is not found any more by who wants to end it.
      if (ENDED.includes(subscription.status)) throw missingObject('subscription', subscription.id);
      rememberWhy(subscription, parameters);
      await endSubscription(ledger, subscription, { reason: 'cancellation_requested' });
      return subscription;
    },
  },
  {
    method: 'POST',
    path: '/v1/subscriptions/:id/resume',
    run: async ({ ledger, ids: [id] }) => {
      const subscription = await findObject(ledger, 'subscription', id);
      if (subscription.status !== 'paused')
        throw new StripeFailure('You can only resume a subscription that is paused.', { status: 400 });
      return resume(ledger, subscription);
    },
  },
];

function listSubscriptions(ledger: Ledger, parameters: Parameters): Promise<object> {
  const status = parameters.text('status');
  if (status !== undefined && status !== 'all' && status !== 'ended' && !STATUSES.includes(status))
    throw invalidParameter('status', `Invalid status: must be one of ${STATUSES.join(', ')}, all, or ended`);
  const [customer, price] = [parameters.text('customer'), parameters.text('price')];
  return listObjects(ledger, parameters, {
    kind: 'subscription',
    url: '/v1/subscriptions',
    match: {
      ...(customer === undefined ? {} : { customer }),
      ...(status !== undefined && STATUSES.includes(status) ? { status } : {}),
    },
    accept: (subscription) => {
      if (price !== undefined && itemOf(subscription).price.id !== price) return false;
      if (status === 'ended') return ENDED.includes(subscription.status);
      return status !== undefined || !ENDED.includes(subscription.status);
    },
  });
}

function rememberWhy(subscription: Subscription, parameters: Parameters): void {
  const details = parameters.inner('cancellation_details');
  subscription.cancellation_details = {
    comment: details?.text('comment') ?? null,
    feedback: (details?.text('feedback') ?? null) as 'other' | null,
    feedback_option: null,
    reason: 'cancellation_requested',
  };
}

/** A paused subscription goes on: a new period begins now and is paid for. */
async function resume(ledger: Ledger, subscription: Subscription): Promise<Subscription> {
  const time = Math.floor(ledger.time);
  subscription.status = 'active';
  subscription.billing_cycle_anchor = time;
  itemOf(subscription).current_period_end = time;
  await renewSubscription(ledger, subscription);
  ledger.emit('customer.subscription.resumed', subscription);
  return subscription;
}
