import { afterEach, describe, expect, test, vi } from 'vitest';
import { createCheckoutHandler } from '../create-checkout/create-checkout-handler.ts';
import { createPortalHandler } from '../customer-portal/create-portal-handler.ts';
import { createInvoiceListHandler } from '../list-invoices/create-invoice-list-handler.ts';
import { createRefundHandler } from '../request-refund/create-refund-handler.ts';
import {
  bearer,
  callFunction,
  createTestPerson,
  installPayments,
  type Provider,
} from './test-support/install-payments.ts';

const ANA = createTestPerson(1);
const CUSTOMER = 'cus_ana';
const SENTENCE = { error: expect.stringMatching(/[a-zç]{3}/) };
const WISH = { priceId: 'price_emulator_plus_monthly', redirectUrl: 'http://localhost:3000/plans' };

const FUNCTIONS = [
  { name: 'create-checkout', create: createCheckoutHandler, method: 'POST', body: WISH },
  { name: 'customer-portal', create: createPortalHandler, method: 'POST', body: {} },
  { name: 'list-invoices', create: createInvoiceListHandler, method: 'GET', body: undefined },
  { name: 'request-refund', create: createRefundHandler, method: 'POST', body: {} },
] as const;

function install(provider: Provider = async () => Response.json({}, { status: 500 })) {
  const installed = installPayments(provider);
  installed.customers.set(ANA.id, CUSTOMER);
  return installed;
}
const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
afterEach(() => log.mockClear());

describe.each(FUNCTIONS)('$name', ({ create, method, body }) => {
  test.each([
    ['nobody', null],
    ['a visitor’s key', bearer({ role: 'anon' })],
    ['the service key', bearer({ role: 'service_role' })],
    ['an account without a name', bearer({ role: 'authenticated', sub: ANA.id, is_anonymous: true })],
    ['a token without a person', bearer({ role: 'authenticated' })],
    ['a token whose person is no text', bearer({ role: 'authenticated', sub: { id: ANA.id } })],
    ['something else', 'Basic YW5hOnNlbmhh'],
    ['a torn token', 'Bearer h.e30'],
  ])('refuses %s before it asks the provider', async (_who, authorization) => {
    const { deps, sent } = install();
    expect(await callFunction(create(deps), { authorization, body, method })).toMatchObject({
      status: 401,
      body: SENTENCE,
    });
    expect(sent).toEqual([]);
  });

  test('has one method', async () => {
    const { deps, sent } = install();
    for (const wrong of ['GET', 'POST', 'PUT', 'DELETE'].filter((each) => each !== method)) {
      const answer = await callFunction(create(deps), { ...ANA, body, method: wrong });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, method]);
    }
    expect(sent).toEqual([]);
  });

  test('does nothing for an account that was closed: its token finds no rows any more', async () => {
    const { deps, sent, customers } = install();
    customers.clear();
    expect((await callFunction(create(deps), { ...ANA, body, method })).status).toBe(401);
    expect(sent).toEqual([]);
  });

  test.each<[string, Provider]>([
    ['does not answer', async () => Promise.reject(new TypeError('fetch failed'))],
    [
      'is down',
      async () => Response.json({ error: { type: 'api_error', message: 'boom' } }, { status: 503 }),
    ],
    ['answers what nobody can read', async () => new Response('<html>ana@exemplo.com</html>')],
    ['has had enough', async () => Response.json({ error: { type: 'rate_limit_error' } }, { status: 429 })],
  ])('says so when the provider %s', async (_what, provider) => {
    const { deps } = install(provider);
    const answer = await callFunction(create(deps), { ...ANA, body, method });
    expect(answer).toMatchObject({ status: 503, body: SENTENCE });
    expect(answer.headers.get('retry-after')).toBe('5');
  });

  test('repeats nothing of what the provider complains about, neither to the caller nor in the log', async () => {
    const complaint = {
      type: 'invalid_request_error',
      message: 'No: ana@exemplo.com 4242424242424242',
      code: 'x',
    };
    const { deps } = install(async () => Response.json({ error: complaint }, { status: 400 }));
    const answer = await callFunction(create(deps), { ...ANA, body, method });
    expect(answer).toMatchObject({ status: 502, body: SENTENCE });
    expect(JSON.stringify([answer.body, log.mock.calls])).not.toMatch(/exemplo|4242|cus_ana|sk_test/);
    expect(log).toHaveBeenCalledOnce();
  });

  test('says so when our own database does not answer', async () => {
    const { deps, state, sent } = install();
    state.isDatabaseUp = false;
    expect(await callFunction(create(deps), { ...ANA, body, method })).toMatchObject({
      status: 503,
      body: SENTENCE,
    });
    expect(sent).toEqual([]);
  });
});
