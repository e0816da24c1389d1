import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { createMemoryStore } from '../store/create-memory-store.ts';
import {
  type OpenedEmulator,
  openEmulator,
  openSdk,
  SECRET_KEY,
  SITE_URL,
  WEBHOOK_SECRET,
} from '../test-support/open-emulator.ts';

const PLUS = 'price_emulator_plus_monthly';

async function subscribe({ stripe }: OpenedEmulator) {
  const customer = await stripe.customers.create({ email: 'ana@example.com' });
  return stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: PLUS }],
    default_payment_method: 'pm_card_visa',
  });
}
const typesOf = ({ received }: OpenedEmulator) => received.map(({ event }) => event.type);
/** The real time goes on. */
const pass = ({ clock }: OpenedEmulator, seconds: number) => {
  clock.now += seconds * 1000;
};
async function control(opened: OpenedEmulator, action: string, fields: object = {}) {
  const answer = await opened.open(`/control/${action}`, {
    method: 'POST',
    isOwnMachine: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
  return { status: answer.status, body: await answer.json() };
}
const readState = async (opened: OpenedEmulator) =>
  (await opened.open('/control/state', { isOwnMachine: true })).json() as Promise<{
    now: number;
    webhooks: { held: boolean; pending: number; givenUp: number };
    subscriptions: { id: string; status: string }[];
  }>;

describe('webhooks', () => {
  test('carry events that the SDK verifies, and nothing that was not asked for', async () => {
    const opened = openEmulator();
    await subscribe(opened);
    await opened.emulator.work();
    expect(typesOf(opened).sort()).toEqual([
      'customer.subscription.created',
      'customer.subscription.updated',
      'invoice.paid',
    ]);
    const { webhooks } = opened.stripe;
    for (const { body, signature, event } of opened.received) {
      const verify = (secret: string, text = body) =>
        webhooks.constructEvent(text, signature, secret, 300, undefined, opened.clock.now);
      expect(verify(WEBHOOK_SECRET)).toEqual(event);
      expect(() => verify('whsec_other')).toThrow();
      expect(() =>
        verify(WEBHOOK_SECRET, body.replace('active', 'canceled').replace('paid', 'open')),
      ).toThrow();
    }
    expect((await readState(opened)).webhooks).toEqual({ held: false, pending: 0, givenUp: 0 });
    await opened.emulator.work();
    expect(opened.received).toHaveLength(3);
  });

  test('are tried again with growing delays, and given up after three days', async () => {
    const opened = openEmulator();
    await opened.stripe.customers
      .create({ email: 'ana@example.com' })
      .then(({ id }) => opened.stripe.customers.del(id));
    const answers: (number | null)[] = [500, null, 302, 404];
    opened.webhook.answer = () => answers.shift() ?? 503;
    await opened.emulator.work();
    for (const [tried, delay] of [1, 5, 30, 120, 600, 3600, 3600].entries()) {
      pass(opened, delay - 0.5);
      await opened.emulator.work();
      expect(opened.received).toHaveLength(tried + 1);
      pass(opened, 0.5);
      await opened.emulator.work();
      expect(opened.received).toHaveLength(tried + 2);
    }
    expect(new Set(opened.received.map(({ event }) => event.id)).size).toBe(1);
    for (let hour = 0; hour < 80; hour += 1) {
      pass(opened, 3600);
      await opened.emulator.work();
    }
    expect(opened.received).toHaveLength(78);
    expect((await readState(opened)).webhooks).toMatchObject({ pending: 0, givenUp: 1 });
  });

  test('that failed are sent at once when the clock is moved', async () => {
    const opened = openEmulator();
    opened.webhook.answer = () => 500;
    await subscribe(opened);
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await opened.emulator.work();
      pass(opened, 600);
    }
    const tried = opened.received.length;
    opened.webhook.answer = () => 200;
    await opened.advance(3600);
    await opened.emulator.work();
    expect(opened.received).toHaveLength(tried + 3);
    expect((await readState(opened)).webhooks.pending).toBe(0);
  });

  test('survive a restart, and a copy that died while it delivered', async () => {
    const store = createMemoryStore();
    const first = openEmulator({ store });
    // It never answers and its process ends.
    first.webhook.answer = () => new Promise(() => undefined);
    await subscribe(first);
    void first.emulator.work();
    await expect.poll(() => first.received.length).toBe(3);
    const second = openEmulator({ store });
    await second.emulator.work();
    expect(second.received).toEqual([]);
    pass(second, 61);
    await second.emulator.work();
    expect(typesOf(second).sort()).toEqual(typesOf(first).sort());
  });

  test('are delivered by one copy at a time', async () => {
    const store = createMemoryStore();
    const copies = [openEmulator({ store }), openEmulator({ store })];
    for (let turn = 0; turn < 3; turn += 1) await subscribe(copies[turn % 2] as OpenedEmulator);
    await Promise.all([...copies, ...copies].map(({ emulator }) => emulator.work()));
    const ids = copies.flatMap(({ received }) => received.map(({ event }) => event.id));
    expect(ids).toHaveLength(9);
    expect(new Set(ids).size).toBe(9);
  });

  test('renewals are made once by two copies that see them at once', async () => {
    const store = createMemoryStore();
    const copies = [openEmulator({ store }), openEmulator({ store })];
    const { id } = await subscribe(copies[0] as OpenedEmulator);
    for (const copy of copies) pass(copy, 30 * 86_400);
    await Promise.all(copies.map(({ emulator }) => emulator.work()));
    expect(
      (await (copies[1] as OpenedEmulator).stripe.invoices.list({ subscription: id })).data,
    ).toHaveLength(2);
  });

  test('and renewals go on past a subscription that cannot be handled', async () => {
    const store = createMemoryStore();
    const faults: object[] = [];
    const logger = {
      info: () => undefined,
      warn: () => undefined,
      error: (fields: object) => faults.push(fields),
    };
    const opened = openEmulator({ store, logger });
    const [broken, whole] = [await subscribe(opened), await subscribe(opened)];
    await store.change(async (transaction) => {
      const row = await transaction.find(broken.id);
      if (row) await transaction.save([{ ...row, data: { ...row.data, items: { data: [] } } }]);
    });
    await opened.advance(30 * 86_400);
    expect(faults).toHaveLength(1);
    expect((await opened.stripe.invoices.list({ subscription: whole.id })).data).toHaveLength(2);
  });

  test('start by themselves, and wait while there is nobody to take them', async () => {
    let url: string | undefined;
    const opened = openEmulator({ webhookUrl: () => url });
    opened.emulator.start();
    await subscribe(opened);
    expect(opened.received).toEqual([]);
    url = 'http://127.0.0.1:3000/functions/v1/stripe-webhook';
    await subscribe(opened);
    await expect.poll(() => opened.received.length).toBe(6);
    await opened.emulator.stop();
    await subscribe(opened);
    expect(opened.received).toHaveLength(6);
  });
});

describe('the control endpoints', () => {
  test('hold the webhook back, and let everything through later, turned around or twice', async () => {
    const opened = openEmulator();
    await control(opened, 'webhooks', { held: true });
    await subscribe(opened);
    await opened.emulator.work();
    expect(opened.received).toEqual([]);
    expect((await readState(opened)).webhooks).toMatchObject({ held: true, pending: 3 });
    expect((await control(opened, 'deliver', { order: 'reverse', times: 2 })).body).toEqual({
      sent: 6,
      taken: 6,
    });
    expect(typesOf(opened)).toEqual([
      'customer.subscription.updated',
      'customer.subscription.updated',
      'invoice.paid',
      'invoice.paid',
      'customer.subscription.created',
      'customer.subscription.created',
    ]);
    await control(opened, 'webhooks', { held: false });
    await opened.emulator.work();
    expect(opened.received).toHaveLength(6);
    const event = opened.received[0]?.event.id;
    await control(opened, 'deliver', { event });
    expect(opened.received.at(-1)?.event.id).toBe(event);
  });

  test('move the clock by days, months and to the next charge', async () => {
    const opened = openEmulator();
    const { id } = await subscribe(opened);
    const { now } = await readState(opened);
    await control(opened, 'advance', { days: 1 });
    expect((await readState(opened)).now).toBe(now + 86_400);
    await control(opened, 'advance', { to: 'next' });
    expect((await opened.stripe.invoices.list({ subscription: id })).data).toHaveLength(2);
    await control(opened, 'advance', { months: 3 });
    expect((await opened.stripe.invoices.list({ subscription: id })).data).toHaveLength(4);
    for (const to of [now, 'ontem', -1]) expect((await control(opened, 'advance', { to })).status).toBe(400);
  });

  test('dispute, decide, refund and delete', async () => {
    const opened = openEmulator();
    const { id, customer } = await subscribe(opened);
    const dispute = (await control(opened, 'dispute', { subscription: id })).body as Stripe.Dispute;
    expect(dispute).toMatchObject({ status: 'needs_response', amount: 199 });
    await expect(opened.stripe.refunds.create({ charge: String(dispute.charge) })).rejects.toMatchObject({
      code: 'charge_disputed',
    });
    await control(opened, 'close-dispute', { dispute: dispute.id, status: 'won' });
    expect(await opened.stripe.charges.retrieve(String(dispute.charge))).toMatchObject({ disputed: false });
    expect((await control(opened, 'refund', { subscription: id, amount: 99 })).body).toMatchObject({
      amount: 99,
    });
    expect((await control(opened, 'refund', { subscription: id, amount: 101 })).status).toBe(400);
    await control(opened, 'delete-customer', { customer });
    await opened.emulator.work();
    expect(typesOf(opened)).toEqual(
      expect.arrayContaining([
        'charge.dispute.created',
        'charge.dispute.closed',
        'charge.refunded',
        'customer.deleted',
        'customer.subscription.deleted',
      ]),
    );
  });

  test('let a subscription stay unpaid instead of ending it', async () => {
    const opened = openEmulator();
    await control(opened, 'dunning', { after: 'unpaid' });
    const customer = await opened.stripe.customers.create({ email: 'ana@example.com' });
    const { id } = await opened.stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: PLUS }],
      default_payment_method: 'pm_card_chargeCustomerFail',
    });
    await opened.advance(50 * 86_400);
    expect((await opened.stripe.subscriptions.retrieve(id)).status).toBe('unpaid');
    await opened.advance(20 * 86_400);
    expect((await opened.stripe.invoices.list({ subscription: id })).data[0]).toMatchObject({
      status: 'draft',
    });
  });

  test('are for this machine or the secret key alone, and pages elsewhere cannot use them', async () => {
    const opened = openEmulator();
    const { id } = await subscribe(opened);
    const paths = ['', '/', '/control/state', '/control/advance', '/control/nothing'];
    for (const path of paths) {
      const answer = await opened.open(
        path,
        path.endsWith('advance') ? { method: 'POST', body: 'days=1' } : {},
      );
      expect(answer.status).toBe(404);
      expect(answer.headers.get('x-unknown-path')).toBe('1');
    }
    const withKey = (key: string) =>
      opened.open('/control/state', { headers: { authorization: `Bearer ${key}` } });
    expect((await withKey('sk_test_other')).status).toBe(404);
    expect((await withKey(SECRET_KEY)).status).toBe(200);
    // A form of another site, sent by the browser of this machine's user.
    const forged = await opened.open('/control/refund', {
      method: 'POST',
      isOwnMachine: true,
      body: `subscription=${id}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(forged.status).toBe(403);
    expect((await opened.stripe.refunds.list()).data).toEqual([]);
    const page = await (await opened.open('', { isOwnMachine: true })).text();
    const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? '';
    expect(page).toContain('Avançar um mês');
    const sent = await opened.open('/control/refund', {
      method: 'POST',
      isOwnMachine: true,
      body: new URLSearchParams({ token, subscription: id }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([sent.status, sent.headers.get('location')]).toEqual([303, SITE_URL]);
    expect((await opened.stripe.refunds.list()).data).toHaveLength(1);
  });
});

test('a key that is missing or wrong opens nothing', async () => {
  const opened = openEmulator();
  const { id } = await subscribe(opened);
  const send: typeof fetch = (input, init) =>
    opened.open(String(input).replace('https://api.stripe.com', SITE_URL), init);
  await expect(openSdk('sk_test_wrong', send).subscriptions.retrieve(id)).rejects.toMatchObject({
    statusCode: 401,
  });
  expect((await opened.open(`/v1/subscriptions/${id}`)).status).toBe(401);
  const basic = `Basic ${Buffer.from(`${SECRET_KEY}:`).toString('base64')}`;
  expect((await opened.open(`/v1/subscriptions/${id}`, { headers: { authorization: basic } })).status).toBe(
    200,
  );
});
