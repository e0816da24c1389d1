import type { PaymentEmulator } from '@linkoteca/payment-emulator/emulator-options';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

const openCopy = () =>
  openPaymentEmulator({
    payments,
    db,
    siteUrl: 'https://linkoteca.test',
    ownUrl: () => undefined,
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
  expect((await other.customers.search({ query: `metadata['user_id']:'u1'` })).data).toHaveLength(1);
  expect((await other.customers.list({ email: 'nobody@example.com' })).data).toEqual([]);
});

test('lists come newest first, a page at a time, in both directions', async () => {
  const stripe = openClient(openCopy());
  const { customer, subscription } = await subscribe(stripe, payments.prices.proYearly);
  const events: string[] = [];
  for await (const event of stripe.events.list({ limit: 3 })) events.push(event.id);
  expect(events.length).toBeGreaterThan(6);
  const newest = await stripe.events.list({ limit: 4 });
  expect(newest.data.map(({ id }) => id)).toEqual(events.slice(0, 4));
  const back = await stripe.events.list({ limit: 2, ending_before: events[3] as string });
  expect(back.data.map(({ id }) => id)).toEqual(events.slice(1, 3));
  const late = await stripe.events.list({ created: { gt: Math.floor(Date.now() / 1000) + 60 } });
  expect(late.data).toEqual([]);
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
