import { expect, test } from 'vitest';
import { describeSubscription, describeSubscriptionNotice } from './describe-subscription.ts';
import { resolvePlan } from './resolve-plan.ts';

const subscriber = {
  plan: 'plus',
  subscription_status: 'active',
  current_period_end: '2025-12-11T10:30:00Z',
};
const now = new Date('2025-11-20T10:30:00Z');

test('a subscriber record decides over the profile', () => {
  const paid = {
    ...subscriber,
    billing_interval: 'year',
    amount_cents: 1990,
    currency: 'usd',
    stripe_customer_id: 'cus_1',
    stripe_subscription_id: 'sub_1',
  };
  expect(resolvePlan(paid, 'free')).toEqual({
    plan: 'plus',
    effectivePlan: 'plus',
    status: 'active',
    expiresAt: '2025-12-11T10:30:00Z',
    cancelAtPeriodEnd: false,
    trialEnd: null,
    interval: 'year',
    amountCents: 1990,
    currency: 'usd',
    customerId: 'cus_1',
    subscriptionId: 'sub_1',
  });
});

test('without one the profile decides, else free', () => {
  expect(resolvePlan(null, 'pro')).toMatchObject({ plan: 'pro', effectivePlan: 'pro', status: null });
  expect(resolvePlan(null, null)).toMatchObject({ plan: 'free', status: null, customerId: null });
});

test('an unknown plan counts as free, an unknown period as none', () => {
  const odd = { ...subscriber, plan: 'gold', billing_interval: 'week' };
  expect(resolvePlan(odd, 'pro')).toMatchObject({ plan: 'free', effectivePlan: 'free', interval: null });
});

test.each(['expired', 'canceled', 'refunded', 'payment_failed', 'trialing', null])(
  'a paid plan with status %s keeps its name and loses its limits, as in the database',
  (status) => {
    expect(resolvePlan({ ...subscriber, subscription_status: status }, 'free')).toMatchObject({
      plan: 'plus',
      effectivePlan: 'free',
    });
  },
);

test.each([
  ['active', 'Próxima cobrança em 11 de dezembro de 2025'],
  ['expired', 'Assinatura cancelada'],
  ['canceled', 'Assinatura cancelada'],
  ['refunded', 'Reembolsado'],
  ['payment_failed', 'Falha no pagamento'],
  ['outra', 'Assinatura inativa'],
  [null, null],
])('status %s reads %s', (status, words) => {
  expect(describeSubscription(resolvePlan({ ...subscriber, subscription_status: status }, null))).toBe(words);
});

test('a subscription that will not be charged again does not speak of a charge', () => {
  const ending = resolvePlan({ ...subscriber, cancel_at_period_end: true }, null);
  expect(describeSubscription(ending)).toBe('Acesso até 11 de dezembro de 2025');
});

test.each([
  ['payment_failed', {}, /^Não conseguimos cobrar seu cartão/, 'Atualizar pagamento'],
  ['active', { cancel_at_period_end: true }, /nada mais será cobrado.*11 de dezembro/, 'Manter assinatura'],
  ['active', { trial_end: '2025-12-01T10:30:00Z' }, /período de teste até 1 de dezembro de 2025/, null],
  ['canceled', {}, /limites do plano Free\. Nada do que você guardou se perdeu/, null],
  ['expired', {}, /limites do plano Free/, null],
  ['refunded', {}, /limites do plano Free/, null],
])('status %s with %j tells more', (status, fields, words, portal) => {
  const row = { ...subscriber, subscription_status: status, ...fields };
  const notice = describeSubscriptionNotice(resolvePlan(row, null), now);
  expect(notice?.text).toMatch(words);
  expect(notice?.portal).toBe(portal);
});

test.each([
  ['a paid plan that runs', {}],
  ['a trial that is over', { trial_end: '2025-11-01T10:30:00Z' }],
  ['the free plan', { plan: 'free', subscription_status: 'canceled' }],
])('%s has nothing to tell', (_name, fields) => {
  expect(describeSubscriptionNotice(resolvePlan({ ...subscriber, ...fields }, null), now)).toBeNull();
});
