import { expect, test } from 'vitest';
import { describeSubscription } from './describe-subscription.ts';
import { resolvePlan } from './resolve-plan.ts';

const subscriber = {
  plan: 'plus',
  subscription_status: 'active',
  current_period_end: '2025-12-11T12:00:00Z',
};

test('a subscriber record decides over the profile', () => {
  expect(resolvePlan(subscriber, 'free')).toEqual({
    plan: 'plus',
    effectivePlan: 'plus',
    status: 'active',
    expiresAt: '2025-12-11T12:00:00Z',
  });
});

test('without one the profile decides, else free', () => {
  expect(resolvePlan(null, 'pro')).toMatchObject({ plan: 'pro', effectivePlan: 'pro', status: null });
  expect(resolvePlan(null, null)).toMatchObject({ plan: 'free', status: null });
});

test('unknown words count as free and no status', () => {
  const odd = { plan: 'gold', subscription_status: 'trialing', current_period_end: null };
  expect(resolvePlan(odd, 'pro')).toEqual({
    plan: 'free',
    effectivePlan: 'free',
    status: null,
    expiresAt: null,
  });
});

test.each(['expired', 'canceled', 'refunded', 'payment_failed', null])(
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
  [null, null],
])('status %s reads %s', (status, words) => {
  expect(describeSubscription(resolvePlan({ ...subscriber, subscription_status: status }, null))).toBe(words);
});
