import { findTestCard, saveCard } from '../../billing/cards.ts';
import { buildCustomer, deleteCustomer, isDeleted } from '../../billing/customers.ts';
import { createId } from '../../ledger/ids.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Customer } from '../../ledger/object-kinds.ts';
import type { ApiRoute } from '../api-route.ts';
import { findCustomer, findObject, listObjects } from '../find-object.ts';
import { mergeMetadata, type Parameters } from '../parameters.ts';
import { invalidParameter } from '../stripe-failure.ts';

const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** `customers`: create, retrieve, update, delete, list. */
export const CUSTOMER_ROUTES: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/v1/customers',
    run: ({ ledger, parameters }) => createCustomer(ledger, parameters),
  },
  {
    method: 'GET',
    path: '/v1/customers',
    run: ({ ledger, parameters }) =>
      listObjects(ledger, parameters, {
        kind: 'customer',
        url: '/v1/customers',
        accept: (customer) => !isDeleted(customer),
      }),
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
  const customer = buildCustomer(ledger, createId('cus'));
  ledger.save('customer', customer);
  await readDetails(ledger, customer, parameters);
  ledger.emit('customer.created', customer);
  return customer;
}

async function updateCustomer(ledger: Ledger, customer: Customer, parameters: Parameters): Promise<object> {
  const before = structuredClone(customer);
  await readDetails(ledger, customer, parameters);
  ledger.save('customer', customer);
  ledger.emit('customer.updated', customer, before);
  return customer;
}

/** What is named changes, the rest stays. */
async function readDetails(ledger: Ledger, customer: Customer, parameters: Parameters): Promise<void> {
  if (parameters.has('email')) customer.email = readEmail(parameters) || null;
  if (parameters.has('name')) customer.name = parameters.text('name') || null;
  if (parameters.has('preferred_locales'))
    customer.preferred_locales = [...parameters.texts('preferred_locales')];
  customer.metadata = mergeMetadata(customer.metadata, parameters.metadata());
  await chooseDefaultCard(ledger, customer, parameters);
}

/** `invoice_settings[default_payment_method]`: a card the customer has, or a test card's token. */
async function chooseDefaultCard(ledger: Ledger, customer: Customer, parameters: Parameters): Promise<void> {
  const wanted = parameters.inner('invoice_settings')?.text('default_payment_method');
  if (wanted === undefined) return;
  const param = 'invoice_settings[default_payment_method]';
  const card = findTestCard(wanted);
  const method = card
    ? saveCard(ledger, customer, card)
    : await findObject(ledger, 'payment_method', wanted, param);
  if (method.customer !== customer.id)
    throw invalidParameter(
      param,
      'The customer does not have a payment method with that ID.',
      'resource_missing',
    );
  customer.invoice_settings.default_payment_method = method.id;
}
