import { expect, test } from 'vitest';
import { openStripe } from '../_shared/open-stripe.ts';
import { openCheckout } from './open-checkout.ts';

const WISH = {
  person: 'ana',
  customer: 'cus_1',
  priceId: 'price_2',
  addresses: {
    success: 'https://l.exemplo/?success=true',
    canceled: 'https://l.exemplo/?canceled=true',
    plain: '',
  },
};
const LIST = 'GET /v1/checkout/sessions';
const CREATE = 'POST /v1/checkout/sessions';
const EXPIRE = 'POST /v1/checkout/sessions/cs_1/expire';
const RETRIEVE = 'GET /v1/checkout/sessions/cs_1';

const fault = (type: string) => () => Response.json({ error: { type, message: 'no' } }, { status: 400 });
const list =
  (...data: object[]) =>
  () =>
    Response.json({ object: 'list', data, has_more: false });
const session =
  (status: string, url = 'https://pay.test/cs_1') =>
  () =>
    Response.json({ id: 'cs_1', status, url });
const OTHER = { id: 'cs_1', status: 'open', url: 'https://pay.test/cs_1', metadata: { price_id: 'price_1' } };

/** A provider with one answer a request, or several in turn. */
function open(answers: Record<string, (() => Response) | (() => Response)[]>) {
  const asked: { readonly line: string; readonly key: string | null }[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const line = `${init?.method} ${new URL(String(input)).pathname}`;
    asked.push({ line, key: new Headers(init?.headers).get('idempotency-key') });
    const given = answers[line];
    const answer = Array.isArray(given) ? (given.length > 1 ? given.shift() : given[0]) : given;
    return (answer ?? fault('invalid_request_error'))();
  };
  const stripe = openStripe({ fetch, secretKey: 'sk_test_x', retries: 0 });
  return { result: openCheckout(stripe, WISH), asked, lines: () => asked.map(({ line }) => line) };
}

test('a purchase that is completed while it is to be ended is a purchase: nothing else is opened', async () => {
  const { result, lines } = open({
    [LIST]: list(OTHER),
    [EXPIRE]: fault('invalid_request_error'),
    [RETRIEVE]: session('complete'),
  });
  expect(await result).toBe('paid');
  expect(lines()).not.toContain(CREATE);
});

test('one that has expired by itself meanwhile is in nobody’s way', async () => {
  const { result } = open({
    [LIST]: list(OTHER),
    [EXPIRE]: fault('invalid_request_error'),
    [RETRIEVE]: session('expired'),
    [CREATE]: session('open', 'https://pay.test/cs_2'),
  });
  expect(await result).toEqual({ url: 'https://pay.test/cs_2' });
});

test('one that the provider will not end is not left beside another', async () => {
  const { result, lines } = open({
    [LIST]: list(OTHER),
    [EXPIRE]: fault('invalid_request_error'),
    [RETRIEVE]: session('open'),
  });
  await expect(result).rejects.toThrow('no');
  expect(lines()).not.toContain(CREATE);
});

test('who comes second with another wish under the same key looks again, and then ends the first', async () => {
  const { result, asked } = open({
    [LIST]: [list(), list(OTHER)],
    [CREATE]: [fault('idempotency_error'), session('open', 'https://pay.test/cs_2')],
    [EXPIRE]: session('expired'),
  });
  expect(await result).toEqual({ url: 'https://pay.test/cs_2' });
  const keys = asked.filter(({ line }) => line === CREATE).map(({ key }) => key);
  expect(keys).toEqual(['checkout-cus_1-first', 'checkout-cus_1-cs_1']);
});

test('what the provider refuses for another reason is told, and not tried again', async () => {
  const { result, lines } = open({ [LIST]: list(), [CREATE]: fault('invalid_request_error') });
  await expect(result).rejects.toThrow('no');
  expect(lines()).toEqual([LIST, CREATE]);
});

test('does not go round for ever', async () => {
  const { result, lines } = open({ [LIST]: list(), [CREATE]: fault('idempotency_error') });
  expect(await result).toBe('busy');
  expect(lines()).toHaveLength(6);
});
