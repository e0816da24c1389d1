import { findTestCard, keepCard } from '../../billing/cards.ts';
import { deleteCustomer, drawCustomer } from '../../billing/customers.ts';
import { createId } from '../../ledger/ids.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Customer } from '../../ledger/object-kinds.ts';
import type { ApiRoute } from '../api-route.ts';
import { describePage, findCustomer, findObject, isDeleted, listObjects } from '../find-object.ts';
import { mergeMetadata, type Parameters, parseSearch } from '../parameters.ts';
import { invalidParameter, missingObject } from '../stripe-failure.ts';

const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** `customers`: create, retrieve, update, delete, list, search. */
export const CUSTOMER_ROUTES: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/v1/customers',
    run: ({ ledger, parameters }) => createCustomer(ledger, parameters),
  },
  {
    method: 'GET',
    path: '/v1/customers',
    run: ({ ledger, parameters }) => {
      const email = parameters.text('email');
      return listObjects(ledger, parameters, {
        kind: 'customer',
        url: '/v1/customers',
        match: email === undefined ? {} : { email },
        accept: (customer) => !isDeleted(customer),
      });
    },
  },
  {
    method: 'GET',
    path: '/v1/customers/search',
    run: async ({ ledger, parameters }) => {
      const match = parseSearch(parameters.requiredText('query'));
      const limit = parameters.integer('limit') ?? 10;
      const found = (await ledger.list('customer', { match, limit })).filter(
        (customer) => !isDeleted(customer),
      );
      return { ...describePage(found, '/v1/customers/search'), object: 'search_result', next_page: null };
    },
  },
  {
    method: 'GET',
    path: '/v1/customers/:id',
    run: async ({ ledger, ids: [id] }) => presentCustomer(await findObject(ledger, 'customer', id)),
  },
  {
    method: 'POST',
    path: '/v1/customers/:id',
    run: async ({ ledger, parameters, ids: [id] }) =>
      updateCustomer(ledger, await findCustomer(ledger, id), parameters),
  },
  {
    method: 'DELETE',
    path: '/v1/customers/:id',
    run: async ({ ledger, ids: [id] }) => {
      const customer = await findCustomer(ledger, id);
      await deleteCustomer(ledger, customer);
      return presentCustomer(customer);
    },
  },
  {
    method: 'GET',
    path: '/v1/customers/:id/payment_methods',
    run: async ({ ledger, parameters, ids: [id] }) =>
      listObjects(ledger, parameters, {
        kind: 'payment_method',
        url: `/v1/customers/${id}/payment_methods`,
        match: { customer: (await findCustomer(ledger, id)).id },
      }),
  },
];

function presentCustomer(customer: Customer): object {
  return isDeleted(customer) ? { id: customer.id, object: 'customer', deleted: true } : customer;
}

function readEmail(parameters: Parameters): string | undefined {
  const email = parameters.text('email');
  if (email !== undefined && email !== '' && !EMAIL.test(email))
    throw invalidParameter('email', `Invalid email address: ${email}`, 'email_invalid');
  return email;
}

async function createCustomer(ledger: Ledger, parameters: Parameters): Promise<object> {
  const customer = drawCustomer(ledger, createId('cus'));
  customer.description = parameters.text('description') || null;
  customer.email = readEmail(parameters) || null;
  customer.metadata = parameters.metadata();
  customer.name = parameters.text('name') || null;
  customer.phone = parameters.text('phone') || null;
  customer.preferred_locales = [...parameters.texts('preferred_locales')];
  ledger.save('customer', customer);
  const token = parameters.text('payment_method');
  if (token !== undefined) {
    const card = findTestCard(token);
    if (!card) throw missingObject('PaymentMethod', token, 'payment_method');
    keepCard(ledger, customer, card);
  }
  await chooseDefaultCard(ledger, customer, parameters);
  ledger.emit('customer.created', customer);
  return customer;
}

async function updateCustomer(ledger: Ledger, customer: Customer, parameters: Parameters): Promise<object> {
  const before = structuredClone(customer);
  if (parameters.has('email')) customer.email = readEmail(parameters) || null;
  if (parameters.has('name')) customer.name = parameters.text('name') || null;
  if (parameters.has('description')) customer.description = parameters.text('description') || null;
  if (parameters.has('phone')) customer.phone = parameters.text('phone') || null;
  customer.metadata = mergeMetadata(customer.metadata, parameters.metadata());
  await chooseDefaultCard(ledger, customer, parameters);
  ledger.save('customer', customer);
  ledger.emit('customer.updated', customer, before);
  return customer;
}

/** `invoice_settings[default_payment_method]`: a card the customer has, or a test card's token. */
async function chooseDefaultCard(ledger: Ledger, customer: Customer, parameters: Parameters): Promise<void> {
  const wanted = parameters.inner('invoice_settings')?.text('default_payment_method');
  if (wanted === undefined) return;
  const param = 'invoice_settings[default_payment_method]';
  const card = findTestCard(wanted);
  const method = card
    ? keepCard(ledger, customer, card)
    : await findObject(ledger, 'payment_method', wanted, param);
  if (method.customer !== customer.id)
    throw invalidParameter(
      param,
      'The customer does not have a payment method with that ID.',
      'resource_missing',
    );
  customer.invoice_settings.default_payment_method = method.id;
}
