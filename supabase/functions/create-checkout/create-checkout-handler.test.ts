import { expect, test } from 'vitest';
import {
  callFunction,
  createTestPerson,
  installPayments,
  type Provider,
  SITE,
} from '../_shared/test-support/install-payments.ts';
import { createPortalHandler } from '../customer-portal/create-portal-handler.ts';
import { createCheckoutHandler } from './create-checkout-handler.ts';

const ANA = createTestPerson(1);
const BIA = createTestPerson(2);
const WISH = { priceId: 'price_emulator_plus_monthly', redirectUrl: `${SITE}/plans` };

function install(provider: Provider = async () => Response.json({}, { status: 500 })) {
  const { deps, sent, customers } = installPayments(provider);
  for (const { id } of [ANA, BIA]) customers.set(id, `cus_${id}`);
  return { handle: createCheckoutHandler(deps), openPortal: createPortalHandler(deps), sent };
}

test.each([
  ['another’s id', { ...WISH, userId: BIA.id }, 403],
  ['another’s id in a list with one’s own', { ...WISH, userId: [ANA.id, BIA.id] }, 403],
  ['an empty id', { ...WISH, userId: '' }, 403],
  ['a price that is not ours', { ...WISH, priceId: 'price_1Abc' }, 400],
  ['the free plan', { ...WISH, priceId: 'free' }, 400],
  ['no price', { redirectUrl: WISH.redirectUrl }, 400],
  ['a price that is no text', { ...WISH, priceId: { id: WISH.priceId } }, 400],
  ['several prices', { ...WISH, priceId: [WISH.priceId] }, 400],
  ['a price of one’s own making', { ...WISH, priceId: undefined, price_data: { unit_amount: 1 } }, 400],
  ['a way to another site', { ...WISH, redirectUrl: 'https://mal.exemplo/plans' }, 400],
  ['a way out behind two slashes', { ...WISH, redirectUrl: '//mal.exemplo' }, 400],
  ['a script for a way', { ...WISH, redirectUrl: 'javascript:alert(1)' }, 400],
  ['no way', { ...WISH, redirectUrl: null }, 400],
  ['a list', [WISH], 400],
  ['a text', '"price"', 400],
  ['torn JSON', '{"priceId":', 400],
  ['too much', JSON.stringify({ ...WISH, padding: 'a'.repeat(10_000) }), 400],
  ['nothing', '', 400],
])('%s is refused before anything is created', async (_what, body, status) => {
  const { handle, sent } = install();
  const answer = await callFunction(handle, { ...ANA, body });
  expect(answer.status).toBe(status);
  expect(answer.body).toEqual({ error: expect.stringMatching(/[a-zç]{3}/) });
  expect(sent).toEqual([]);
});

test.each([
  'https://mal.exemplo/profile',
  '//mal.exemplo',
  'http://localhost:3000@mal.exemplo/',
  'http://localhost:3001/profile',
  'javascript:alert(1)',
  '',
  7,
])('the portal does not lead back to %j', async (returnUrl) => {
  const { openPortal, sent } = install();
  expect((await callFunction(openPortal, { ...ANA, body: { returnUrl } })).status).toBe(400);
  expect(sent).toEqual([]);
});

test.each(['trialing', 'past_due', 'unpaid', 'paused'])(
  'whoever has a subscription that is %s is led to the portal, and buys no second one',
  async (status) => {
    const subscription = {
      id: 'sub_1',
      status,
      cancel_at_period_end: false,
      cancel_at: null,
      items: { data: [{ id: 'si_1', price: { id: 'price_emulator_pro_yearly' } }] },
    };
    const portal = 'https://billing.exemplo/session';
    const { handle, sent } = install(async ({ url }) =>
      Response.json(
        new URL(url).pathname === '/v1/subscriptions' ? { data: [subscription] } : { url: portal },
      ),
    );
    const answer = await callFunction(handle, { ...ANA, body: WISH });
    expect(answer).toMatchObject({ status: 200, body: { sessionUrl: portal } });
    expect(sent.map(({ path }) => path)).toContain('/v1/billing_portal/sessions');
    expect(sent.map(({ path }) => path).filter((path) => path.startsWith('/v1/checkout'))).toEqual([]);
  },
);
