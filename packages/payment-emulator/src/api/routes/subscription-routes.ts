import { endSubscription } from '../../billing/subscriptions.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Subscription } from '../../ledger/object-kinds.ts';
import type { ApiRoute } from '../api-route.ts';
import { createSubscription } from '../create-subscription.ts';
import { findObject, listObjects } from '../find-object.ts';
import type { Parameters } from '../parameters.ts';
import { missingObject } from '../stripe-failure.ts';
import { updateSubscription } from '../update-subscription.ts';

const ENDED = ['canceled', 'incomplete_expired'];
/** `subscriptions`: create, retrieve, list, update, cancel. */
export const SUBSCRIPTION_ROUTES: readonly ApiRoute[] = [
  { method: 'POST', path: '/v1/subscriptions', run: createSubscription },
  {
    method: 'GET',
    path: '/v1/subscriptions',
    run: ({ ledger, parameters }) => listSubscriptions(ledger, parameters),
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
      recordReason(subscription, parameters);
      await endSubscription(ledger, subscription, { reason: 'cancellation_requested' });
      return subscription;
    },
  },
];

/** Those that live; `status=all`: those that have ended as well. */
function listSubscriptions(ledger: Ledger, parameters: Parameters): Promise<object> {
  const isAll = parameters.choice('status', ['all']) === 'all';
  const customer = parameters.text('customer');
  return listObjects(ledger, parameters, {
    kind: 'subscription',
    url: '/v1/subscriptions',
    match: customer === undefined ? {} : { customer },
    accept: ({ status }) => isAll || !ENDED.includes(status),
  });
}

function recordReason(subscription: Subscription, parameters: Parameters): void {
  const details = parameters.inner('cancellation_details');
  subscription.cancellation_details = {
    comment: details?.text('comment') ?? null,
    feedback: (details?.text('feedback') ?? null) as 'other' | null,
    feedback_option: null,
    reason: 'cancellation_requested',
  };
}
