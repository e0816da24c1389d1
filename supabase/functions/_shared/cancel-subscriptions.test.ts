import { expect, test } from 'vitest';
import { cancelSubscriptions } from './cancel-subscriptions.ts';
import { openStripe } from './open-stripe.ts';

const list = (...data: object[]) => Response.json({ object: 'list', data, has_more: false });
const refuse = () =>
  Response.json({ error: { type: 'invalid_request_error', message: 'not any more' } }, { status: 400 });

type Given = {
  /** What the provider says of the checkout, and of the subscription, once it has refused to end them. */
  readonly checkout: string;
  readonly subscription: string;
};

/** A customer with a checkout and a subscription that were open when they were listed, and that the provider does not end. */
function cancel({ checkout, subscription }: Given) {
  const answers: Record<string, () => Response> = {
    'GET /v1/checkout/sessions': () => list({ id: 'cs_1', status: 'open' }),
    'GET /v1/checkout/sessions/cs_1': () => Response.json({ id: 'cs_1', status: checkout }),
    'GET /v1/subscriptions': () =>
      list({ id: 'sub_1', status: 'active' }, { id: 'sub_0', status: 'canceled' }),
    'GET /v1/subscriptions/sub_1': () => Response.json({ id: 'sub_1', status: subscription }),
  };
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const line = `${init?.method} ${new URL(String(input)).pathname}`;
    asked.push(line);
    return (answers[line] ?? refuse)();
  };
  const stripe = openStripe({ fetch, secretKey: 'sk_test_x', retries: 0 });
  return { result: cancelSubscriptions({ stripe, customerId: 'cus_1' }), asked };
}

test.each(['canceled', 'incomplete_expired'])(
  'what has ended by itself since it was listed is in nobody’s way: %s',
  async (subscription) => {
    const { result, asked } = cancel({ checkout: 'complete', subscription });
    expect(await result).toBe(0);
    expect(asked).not.toContain('DELETE /v1/subscriptions/sub_0');
  },
);

test.each([
  ['a checkout', { checkout: 'open', subscription: 'canceled' }],
  ['a subscription', { checkout: 'expired', subscription: 'active' }],
])('%s that is open still, and that the provider does not end, is told', async (_what, given) => {
  await expect(cancel(given).result).rejects.toThrow('not any more');
});
