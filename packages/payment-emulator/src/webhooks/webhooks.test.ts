import { describe, expect, test } from 'vitest';
import { createMemoryStore } from '../store/create-memory-store.ts';
import { type OpenedEmulator, openEmulator, WEBHOOK_SECRET } from '../test-support/open-emulator.ts';
import { startTestSubscription } from '../test-support/start-subscription.ts';
import { readControlState, typesOf } from '../test-support/use-control.ts';

const subscribe = ({ stripe }: OpenedEmulator) => startTestSubscription(stripe);
/** The real time goes on. */
const pass = ({ clock }: OpenedEmulator, seconds: number) => {
  clock.now += seconds * 1000;
};

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
    expect((await readControlState(opened)).webhooks).toEqual({ held: false, pending: 0, givenUp: 0 });
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
    expect((await readControlState(opened)).webhooks).toMatchObject({ pending: 0, givenUp: 1 });
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
    expect((await readControlState(opened)).webhooks.pending).toBe(0);
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
