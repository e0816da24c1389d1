import { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { openCustomerSource } from '../_shared/open-customer-source.ts';
import { openStripe } from '../_shared/open-stripe.ts';
import type { SubscriptionStore } from '../_shared/open-subscription-store.ts';
import { createStripeModel } from '../_shared/test-support/create-stripe-model.ts';
import { PRICE_BOOK } from '../_shared/test-support/make-subscription.ts';
import { type EventFields, signEvent, WEBHOOK_SECRET } from '../_shared/test-support/sign-event.ts';
import { createStripeWebhook } from './create-stripe-webhook.ts';

/** A webhook whose database only counts what it is asked. */
function install({ secrets = [WEBHOOK_SECRET], isLive = false, isOurs = true, isDown = false } = {}) {
  const model = createStripeModel();
  model.addCustomer('cus_1');
  model.addSubscription({ id: 'sub_1', customer: 'cus_1' });
  const stripe = openStripe({ fetch: model.fetch, secretKey: 'sk_test_1', retries: 0 });
  const written: unknown[] = [];
  const ignored: string[] = [];
  const warnings: unknown[] = [];
  const store: SubscriptionStore = {
    record: async () => {
      if (isDown) throw new Error('no answer');
      return true;
    },
    ignore: async (id) => void ignored.push(id),
    claim: async () => undefined,
    begin: async () => (isOurs ? 1 : undefined),
    apply: async (...args) => {
      written.push(args);
      return 'changed';
    },
    beginCheck: async () => undefined,
    listStale: async () => [],
    purge: async () => undefined,
  };
  const handle = createStripeWebhook({
    stripe,
    store,
    secrets,
    isLive,
    source: openCustomerSource(stripe),
    priceBook: PRICE_BOOK,
    warn: (_message, details) => void warnings.push(details),
    info: () => undefined,
  });
  return {
    written,
    ignored,
    warnings,
    model,
    /** @returns the status, and how much was written. */
    post: async (request: Request | Promise<Request>) => {
      const response = await handle(await request);
      return [response.status, written.length, await response.json()];
    },
  };
}

const event: EventFields = {
  id: 'evt_1',
  type: 'customer.subscription.updated',
  object: { object: 'subscription', customer: 'cus_1' },
};
const now = () => Math.floor(Date.now() / 1000);
const refused = [400, 0, { error: 'Assinatura inválida' }];

/** The same request with something else in it. */
async function alter(change: (headers: Headers, body: string) => string | undefined): Promise<Request> {
  const request = await signEvent(event);
  const body = await request.text();
  const headers = new Headers(request.headers);
  const altered = change(headers, body) ?? body;
  return new Request(request.url, { method: 'POST', headers, body: altered });
}

test('a signed event is received, and writes what the provider says', async () => {
  const { post } = install();
  expect(await post(signEvent(event))).toEqual([200, 1, { received: true }]);
});

test('an event is marked as nobody’s when its customer is not ours, or not the provider’s, and only then', async () => {
  const [ours, strangers, gone] = [install(), install({ isOurs: false }), install()];
  const ofNobody = { ...event, object: { object: 'subscription', customer: 'cus_gone' } };
  expect([await ours.post(signEvent(event)), ours.ignored]).toEqual([[200, 1, { received: true }], []]);
  expect(await strangers.post(signEvent(event))).toEqual([200, 0, { received: true }]);
  expect(await gone.post(signEvent(ofNobody))).toEqual([200, 0, { received: true }]);
  expect([strangers.ignored, gone.ignored]).toEqual([['evt_1'], ['evt_1']]);
});

test('an event that could not be written down is sent again, and whoever looks after the service learns which', async () => {
  const { post, warnings } = install({ isDown: true });
  expect((await post(signEvent(event))).slice(0, 2)).toEqual([500, 0]);
  expect(warnings).toEqual([expect.objectContaining({ event: 'evt_1', about: event.type })]);
});

describe('a forged event writes nothing, and the provider is not asked:', () => {
  test.each<[string, () => Promise<Request>]>([
    ['without a signature', () => alter((headers) => headers.delete('stripe-signature') as undefined)],
    ['with an empty signature', () => alter((headers) => headers.set('stripe-signature', '') as undefined)],
    [
      'with a signature of nothing',
      () => alter((headers) => headers.set('stripe-signature', `t=${now()},v1=`) as undefined),
    ],
    ['signed with another secret', () => signEvent(event, { secret: 'whsec_of_somebody_else' })],
    ['signed with the empty secret', () => signEvent(event, { secret: '' })],
    [
      'with one character of the body changed',
      () => alter((_headers, body) => body.replace('cus_1', 'cus_2')),
    ],
    ['with something added to the body', () => alter((_headers, body) => `${body} `)],
    ['signed six minutes ago', () => signEvent(event, { timestamp: now() - 360 })],
    [
      'signed long ago, with the time written anew',
      async () => {
        const old =
          (await signEvent(event, { timestamp: now() - 9999 })).headers.get('stripe-signature') ?? '';
        return await alter(
          (headers) => headers.set('stripe-signature', old.replace(/^t=\d+/, `t=${now()}`)) as undefined,
        );
      },
    ],
    [
      'with a signature of an old scheme alone',
      () =>
        alter(
          (headers) =>
            headers.set(
              'stripe-signature',
              (headers.get('stripe-signature') ?? '').replace('v1=', 'v0='),
            ) as undefined,
        ),
    ],
  ])('%s', async (_how, forge) => {
    const { post, model } = install();
    expect(await post(forge())).toEqual(refused);
    expect(model.asked).toEqual([]);
  });

  test('no secret is set', async () => {
    expect(await install({ secrets: [] }).post(signEvent(event, { secret: '' }))).toEqual(refused);
  });

  test.each([
    'evt_1',
    'null',
    '[]',
    '{}',
    '{"id":"evt_1","type":"invoice.paid","created":1,"livemode":false,"data":null}',
    '{"id":"evt_1","type":"invoice.paid","created":"ontem","livemode":false,"data":{"object":{}}}',
    '{"id":1,"type":"invoice.paid","created":1,"livemode":false,"data":{"object":{}}}',
    '{"id":"evt_1","type":1,"created":1,"livemode":false,"data":{"object":{}}}',
    '{"id":"evt_1","object":"v2.core.event","type":"v1.invoice.paid","created":"2026-01-01T00:00:00Z","livemode":false}',
  ])('signed, but no event: %s', async (payload) => {
    const signature = await Stripe.webhooks.generateTestHeaderStringAsync({
      payload,
      secret: WEBHOOK_SECRET,
    });
    const headers = { 'stripe-signature': signature };
    const request = new Request('http://p.test/', { method: 'POST', headers, body: payload });
    expect(await install().post(request)).toEqual(refused);
  });
});

test('a signature is good for five minutes', async () => {
  expect((await install().post(signEvent(event, { timestamp: now() - 290 })))[0]).toBe(200);
});

test('while one secret replaces the other both are good, and after that the new one alone', async () => {
  const [old, fresh] = [WEBHOOK_SECRET, 'whsec_the_new_one'];
  for (const secret of [old, fresh])
    expect((await install({ secrets: [fresh, old] }).post(signEvent(event, { secret })))[0]).toBe(200);
  expect(await install({ secrets: [fresh] }).post(signEvent(event))).toEqual(refused);
});

test.each([
  [true, false],
  [false, true],
])('an event of the other mode is refused (event live: %s, key live: %s)', async (livemode, isLive) => {
  const { post, model } = install({ isLive });
  expect((await post(signEvent({ ...event, livemode }))).slice(0, 2)).toEqual([400, 0]);
  expect(model.asked).toEqual([]);
});

test('a body of more than a megabyte is not read to its end, whether it says so or not', async () => {
  const chunk = new Uint8Array(65_536);
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      controller.enqueue(chunk);
    },
  });
  const init = { method: 'POST', body: endless, duplex: 'half' } as RequestInit;
  expect((await install().post(new Request('http://p.test/', init)))[0]).toBe(413);
  expect(pulled).toBeLessThan(20);
  const large = new Request('http://p.test/', { method: 'POST', headers: { 'content-length': '1048577' } });
  expect((await install().post(large))[0]).toBe(413);
});

test('it is posted, and nothing else', async () => {
  expect((await install().post(new Request('http://p.test/')))[0]).toBe(405);
});
