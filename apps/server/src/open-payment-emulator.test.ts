import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import type { PaymentEmulator } from '@linkoteca/payment-emulator/emulator-options';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createLogger } from './kernel/create-logger.ts';
import { createDatabase, type Database } from './kernel/database.ts';
import { resolvePayments } from './kernel/resolve-payments.ts';
import { openPaymentEmulator } from './payments/payment-emulator.ts';

const payments = resolvePayments(undefined, 'a secret that all copies share');
let database: ThrowawayDatabase;
let db: Database;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  db = createDatabase(database.authenticator);
});
afterAll(async () => {
  await db.pool.end();
  await database.drop();
});

const openCopy = (ownUrl?: string) =>
  openPaymentEmulator({
    payments,
    db,
    siteUrl: 'https://linkoteca.test',
    ownUrl: () => ownUrl,
    now: () => new Date(),
    logger: createLogger('silent'),
  });

const openClient = (emulator: PaymentEmulator) =>
  new Stripe(payments.secretKey, {
    httpClient: Stripe.createFetchHttpClient((input, init) =>
      emulator.handle(
        new Request(
          String(input).replace('https://api.stripe.com', 'https://linkoteca.test/payment-emulator'),
          init,
        ),
        { isOperator: false },
      ),
    ),
    maxNetworkRetries: 0,
    telemetry: false,
  });

const subscribe = async (stripe: Stripe, price: string) => {
  const customer = await stripe.customers.create({ email: 'ana@example.com', metadata: { user_id: 'u1' } });
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price }],
    default_payment_method: 'pm_card_visa',
  });
  return { customer, subscription };
};

test('copies of the server are one provider, also after a restart', async () => {
  const [one, other] = [openClient(openCopy()), openClient(openCopy())];
  const { customer, subscription } = await subscribe(one, payments.prices.plusMonthly);
  const found = await other.subscriptions.list({ customer: customer.id, expand: ['data.latest_invoice'] });
  expect(found.data).toMatchObject([
    { id: subscription.id, status: 'active', latest_invoice: { status: 'paid', amount_paid: 199 } },
  ]);
  expect(await other.customers.retrieve(customer.id)).toMatchObject({ metadata: { user_id: 'u1' } });
  expect((await other.subscriptions.list({ customer: 'cus_of_nobody' })).data).toEqual([]);
});

test('it sells each plan at its own prices', async () => {
  const stripe = openClient(openCopy());
  const sold = await Promise.all(
    Object.entries(payments.prices).map(async ([name, id]) => {
      const { unit_amount, currency, recurring, product } = await stripe.prices.retrieve(id, {
        expand: ['product'],
      });
      const { name: productName, metadata } = product as Stripe.Product;
      return [name, unit_amount, currency, recurring?.interval, productName, metadata['plan']];
    }),
  );
  expect(sold).toEqual([
    ['plusMonthly', 199, 'usd', 'month', 'Linkoteca Plus', 'plus'],
    ['plusYearly', 1990, 'usd', 'year', 'Linkoteca Plus', 'plus'],
    ['proMonthly', 399, 'usd', 'month', 'Linkoteca Pro', 'pro'],
    ['proYearly', 3990, 'usd', 'year', 'Linkoteca Pro', 'pro'],
  ]);
});

test('events go, signed, to the webhook of the server itself, and to nobody while it does not listen', async () => {
  const received: { path: string | undefined; event: Stripe.Event }[] = [];
  const receiver = createServer(async (request, response) => {
    const body = await readText(request);
    const signature = request.headers['stripe-signature'] ?? '';
    const event = Stripe.webhooks.constructEvent(body, signature, payments.webhookSecret);
    received.push({ path: request.url, event });
    response.end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  onTestFinished(() => void receiver.close());
  const { customer } = await subscribe(openClient(openCopy()), payments.prices.plusMonthly);
  await openCopy().work();
  expect(received).toEqual([]);
  await openCopy(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}`).work();
  expect(new Set(received.map(({ path }) => path))).toEqual(new Set(['/functions/v1/stripe-webhook']));
  const told = received.filter(
    ({ event }) => (event.data.object as { customer?: string }).customer === customer.id,
  );
  expect(told.map(({ event }) => event.type)).toContain('customer.subscription.created');
});

test('lists come newest first, a page at a time, and begin at a moment', async () => {
  const stripe = openClient(openCopy());
  const { customer, subscription } = await subscribe(stripe, payments.prices.proYearly);
  const made = [customer.id];
  for (let turn = 0; turn < 6; turn += 1) made.unshift((await stripe.customers.create({})).id);
  const listed: string[] = [];
  for await (const { id } of stripe.customers.list({ limit: 3 })) listed.push(id);
  expect(listed.slice(0, 7)).toEqual(made);
  expect(new Set(listed).size).toBe(listed.length);
  const since = (gte: number) => stripe.customers.list({ limit: 100, created: { gte } });
  expect((await since(customer.created)).data.map(({ id }) => id)).toEqual(expect.arrayContaining(made));
  expect((await since(Math.floor(Date.now() / 1000) + 60)).data).toEqual([]);
  const invoices = await stripe.invoices.list({ subscription: subscription.id });
  expect(invoices.data).toMatchObject([{ customer: customer.id, total: 3990 }]);
});

test('two copies that are asked the same at once do it once', async () => {
  const copies = [openClient(openCopy()), openClient(openCopy())];
  const customers = await Promise.all(
    [0, 1, 2, 3].map((turn) =>
      (copies[turn % 2] as Stripe).customers.create({ email: 'bia@example.com' }, { idempotencyKey: 'bia' }),
    ),
  );
  expect(new Set(customers.map(({ id }) => id)).size).toBe(1);
});

test('nobody reads the provider’s objects through the table API', async () => {
  const ana = await createUser(database.admin);
  for (const caller of ['anon', ana, 'service_role'] as const) {
    const reading = queryAs(database, caller, 'select * from payment_emulator.objects');
    await expect(reading).rejects.toThrow(/permission denied/);
  }
});
