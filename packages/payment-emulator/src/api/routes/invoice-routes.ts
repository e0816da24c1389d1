import { findErrorCode } from '../../billing/charges.ts';
import { collectInvoice } from '../../billing/collect-invoice.ts';
import type { ApiRoute } from '../api-route.ts';
import { describePage, findObject, listObjects } from '../find-object.ts';
import { previewInvoice } from '../preview-invoice.ts';
import { StripeFailure } from '../stripe-failure.ts';

/** `invoices`: retrieve, list, lines, pay, void, preview. */
export const INVOICE_ROUTES: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/v1/invoices',
    run: ({ ledger, parameters }) => {
      const [customer, subscription, status] = ['customer', 'subscription', 'status'].map((name) =>
        parameters.text(name),
      );
      return listObjects(ledger, parameters, {
        kind: 'invoice',
        url: '/v1/invoices',
        match: {
          ...(customer === undefined ? {} : { customer }),
          ...(status === undefined ? {} : { status }),
          ...(subscription === undefined ? {} : { parent: { subscription_details: { subscription } } }),
        },
      });
    },
  },
  { method: 'POST', path: '/v1/invoices/create_preview', run: previewInvoice },
  {
    method: 'GET',
    path: '/v1/invoices/:id',
    run: ({ ledger, ids: [id] }) => findObject(ledger, 'invoice', id),
  },
  {
    method: 'GET',
    path: '/v1/invoices/:id/lines',
    run: async ({ ledger, ids: [id] }) => {
      const { lines } = await findObject(ledger, 'invoice', id);
      return describePage(lines.data, `/v1/invoices/${id}/lines`);
    },
  },
  {
    method: 'POST',
    path: '/v1/invoices/:id/pay',
    run: async ({ ledger, parameters, ids: [id] }) => {
      const invoice = await findObject(ledger, 'invoice', id);
      if (invoice.status === 'paid') throw new StripeFailure('Invoice is already paid', { status: 400 });
      if (invoice.status !== 'open')
        throw new StripeFailure('Only open invoices can be paid.', { status: 400, code: 'invoice_not_open' });
      const card = parameters.text('payment_method');
      if (card !== undefined) await findObject(ledger, 'payment_method', card, 'payment_method');
      const collection = await collectInvoice(ledger, invoice, card);
      if (collection.isPaid) return invoice;
      return { isCardRefusal: true, decline: collection.decline, code: findErrorCode(collection.decline) };
    },
  },
  {
    method: 'POST',
    path: '/v1/invoices/:id/void',
    run: async ({ ledger, ids: [id] }) => {
      const invoice = await findObject(ledger, 'invoice', id);
      if (invoice.status !== 'open')
        throw new StripeFailure('You can only void invoices that are open.', {
          status: 400,
          code: 'invoice_not_open',
        });
      invoice.status = 'void';
      invoice.auto_advance = false;
      invoice.status_transitions.voided_at = Math.floor(ledger.time);
      ledger.save('invoice', invoice, { dueAt: null });
      ledger.emit('invoice.voided', invoice);
      return invoice;
    },
  },
];
