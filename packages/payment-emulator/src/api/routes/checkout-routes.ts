import { expireSession } from '../../billing/run-due-work.ts';
import type { ApiRoute } from '../api-route.ts';
import { createCheckoutSession } from '../create-checkout-session.ts';
import { expandObject } from '../expand-object.ts';
import { findObject, listObjects } from '../find-object.ts';
import { StripeFailure } from '../stripe-failure.ts';

/** `checkout.sessions`: create, retrieve, list, expire, line items. */
export const CHECKOUT_ROUTES: readonly ApiRoute[] = [
  { method: 'POST', path: '/v1/checkout/sessions', run: createCheckoutSession },
  {
    method: 'GET',
    path: '/v1/checkout/sessions',
    run: ({ ledger, parameters }) => {
      const wanted = ['customer', 'status', 'subscription'].flatMap((name) => {
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
    method: 'GET',
    path: '/v1/checkout/sessions/:id/line_items',
    run: async ({ ledger, ids: [id] }) => {
      const session: { line_items?: object } = structuredClone(
        await findObject(ledger, 'checkout.session', id),
      );
      await expandObject(ledger, session, ['line_items']);
      return session.line_items ?? {};
    },
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
