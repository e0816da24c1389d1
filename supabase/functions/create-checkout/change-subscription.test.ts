import type { Stripe } from 'stripe';
import { expect, test, vi } from 'vitest';
import { openStripe } from '../_shared/open-stripe.ts';
import { readPriceBook } from '../_shared/read-price-book.ts';
import { changeSubscription } from './change-subscription.ts';

const EARLIER = 'price_of_last_year';
const book = readPriceBook((name) =>
  name === 'STRIPE_PRICE_PLUS_MONTHLY' ? `${name.toLowerCase()},${EARLIER}` : name.toLowerCase(),
);
const PLUS = 'stripe_price_plus_monthly';
const PRO = 'stripe_price_pro_monthly';
const addresses = {
  success: 'https://l.exemplo/s',
  canceled: 'https://l.exemplo/c',
  plain: 'https://l.exemplo/',
};

/** What the portal was asked for, request by request. */
async function change(status: string, priceId: string, refusals = 0, price = PLUS) {
  const asked: Record<string, string>[] = [];
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    asked.push(Object.fromEntries(new URLSearchParams(String(init?.body))));
    if (asked.length <= refusals)
      return Response.json(
        { error: { type: 'invalid_request_error', message: 'ana@a.br' } },
        { status: 400 },
      );
    return Response.json({ url: 'https://portal.test/1' });
  };
  const subscription = {
    id: 'sub_1',
    status,
    cancel_at_period_end: false,
    cancel_at: null,
    items: {
      data: [
        { id: 'si_other', price: { id: 'price_of_a_gift' } },
        { id: 'si_1', price: { id: price } },
      ],
    },
  } as unknown as Stripe.Subscription;
  const stripe = openStripe({ fetch, secretKey: 'sk_test_x', retries: 0 });
  const url = await changeSubscription(stripe, book, { subscription, customer: 'cus_1', priceId, addresses });
  return { url, asked };
}

test('the portal confirms exactly the change that was asked for, of the item that is a plan', async () => {
  const { asked } = await change('active', PRO);
  expect(asked).toEqual([
    {
      customer: 'cus_1',
      locale: 'pt-BR',
      return_url: addresses.canceled,
      'flow_data[type]': 'subscription_update_confirm',
      'flow_data[subscription_update_confirm][subscription]': 'sub_1',
      'flow_data[subscription_update_confirm][items][0][id]': 'si_1',
      'flow_data[subscription_update_confirm][items][0][price]': PRO,
      'flow_data[subscription_update_confirm][items][0][quantity]': '1',
      'flow_data[after_completion][type]': 'redirect',
      'flow_data[after_completion][redirect][return_url]': addresses.success,
    },
  ]);
});

test.each(['past_due', 'unpaid'])('%s: the card comes first', async (status) => {
  const { asked } = await change(status, PRO);
  expect(asked).toEqual([expect.objectContaining({ 'flow_data[type]': 'payment_method_update' })]);
});

test('paused: the portal’s first page ends the pause', async () => {
  const { asked } = await change('paused', PRO);
  expect(asked).toEqual([{ customer: 'cus_1', locale: 'pt-BR', return_url: addresses.plain }]);
});

test('where the portal does not offer the change its first page opens, and the log repeats nobody’s address', async () => {
  const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { url, asked } = await change('active', PRO, 1);
  expect(url).toBe('https://portal.test/1');
  expect(asked[1]).toEqual({ customer: 'cus_1', locale: 'pt-BR', return_url: addresses.plain });
  expect(JSON.stringify(log.mock.calls)).toContain('subscription_update_confirm');
  expect(JSON.stringify(log.mock.calls)).not.toContain('ana@a.br');
  await expect(change('active', PRO, 2)).rejects.toThrow();
  log.mockRestore();
});

test('the plan that one has is no change, at an earlier price either', async () => {
  expect(await change('active', PLUS, 0, EARLIER)).toEqual({ url: undefined, asked: [] });
  expect(await change('active', PLUS)).toEqual({ url: undefined, asked: [] });
});
