import { expect, test, vi } from 'vitest';
import { openStripe } from '../_shared/open-stripe.ts';
import { readPriceBook } from '../_shared/read-price-book.ts';
import { createPriceListHandler } from './create-price-list-handler.ts';

const book = readPriceBook((name) => `price_${name.slice('STRIPE_PRICE_'.length).toLowerCase()}`);
const MINUTES = 60_000;

type Answer = (id: string) => Response;
const asListed: Answer = (id) =>
  Response.json({
    id,
    object: 'price',
    active: true,
    currency: 'USD',
    unit_amount: id.includes('yearly') ? 1990 : 199,
    recurring: { interval: id.includes('yearly') ? 'year' : 'month', interval_count: 1 },
  });

function install(first: Answer = asListed) {
  const provider = { answer: first, asked: 0 };
  const clock = { time: 0 };
  const send: typeof fetch = async (input) => {
    provider.asked += 1;
    return provider.answer(new URL(String(input)).pathname.split('/').at(-1) ?? '');
  };
  const stripe = openStripe({ fetch: send, secretKey: 'sk_test_x', retries: 0 });
  const handle = createPriceListHandler({ stripe, book, testMode: true, now: () => clock.time });
  const ask = async (method = 'GET') => {
    const response = await handle(new Request('https://p.test/functions/v1/list-prices', { method }));
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  const pass = (ms: number) => {
    clock.time += ms;
  };
  return { ask, provider, pass };
}
const down: Answer = () => Response.json({ error: { type: 'api_error', message: 'boom' } }, { status: 500 });
vi.spyOn(console, 'error').mockImplementation(() => undefined);
vi.spyOn(console, 'warn').mockImplementation(() => undefined);

test('tells anybody what the provider’s own prices are', async () => {
  const { ask } = install();
  const { status, body, headers } = await ask();
  expect(status).toBe(200);
  expect(body.testMode).toBe(true);
  expect(body.prices).toHaveLength(4);
  expect(body.prices[1]).toEqual({
    plan: 'plus',
    interval: 'year',
    priceId: 'price_plus_yearly',
    amountCents: 1990,
    currency: 'usd',
  });
  expect(headers.get('cache-control')).toBe('public, max-age=60');
});

test('asks once for everybody, and again after five minutes', async () => {
  const { ask, provider, pass } = install();
  await Promise.all([ask(), ask(), ask()]);
  pass(5 * MINUTES - 1);
  await ask();
  expect(provider.asked).toBe(4);
  pass(1);
  await ask();
  expect(provider.asked).toBe(8);
});

test('goes on with the known prices while the provider does not answer, and comes back to it', async () => {
  const { ask, provider, pass } = install();
  const { body } = await ask();
  provider.answer = down;
  pass(60 * MINUTES);
  expect((await ask()).body).toEqual(body);
  const asked = provider.asked;
  expect((await ask()).body).toEqual(body);
  expect(provider.asked).toBe(asked);
  provider.answer = (id) =>
    Response.json({
      ...JSON.parse('{"active":true,"currency":"brl","unit_amount":990}'),
      id,
      recurring: { interval: id.includes('yearly') ? 'year' : 'month', interval_count: 1 },
    });
  pass(MINUTES);
  expect((await ask()).body.prices[0]).toMatchObject({ amountCents: 990, currency: 'brl' });
});

test('says so when it never knew any, and names nothing of the fault', async () => {
  const { ask, provider } = install(down);
  const answer = await ask();
  expect(answer.status).toBe(503);
  expect(answer.body).toEqual({
    error: 'O serviço de pagamento não respondeu. Tente novamente em alguns instantes.',
  });
  provider.answer = asListed;
  expect((await ask()).status).toBe(200);
});

test('never shows a price that is not what its setting says', async () => {
  const wrong: Record<string, object> = {
    price_plus_monthly: { recurring: { interval: 'year', interval_count: 1 } },
    price_plus_yearly: { active: false },
    price_pro_monthly: { recurring: { interval: 'month', interval_count: 3 } },
    price_pro_yearly: { unit_amount: null },
  };
  const { ask } = install((id) =>
    Response.json({
      active: true,
      currency: 'usd',
      unit_amount: 1,
      recurring: { interval: 'year', interval_count: 1 },
      ...wrong[id],
    }),
  );
  expect((await ask()).body.prices).toEqual([]);
});

test('is read, not written to', async () => {
  const { ask, provider } = install();
  for (const method of ['POST', 'DELETE']) expect((await ask(method)).status).toBe(405);
  expect(provider.asked).toBe(0);
});
