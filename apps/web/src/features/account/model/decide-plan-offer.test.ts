import { expect, test } from 'vitest';
import { decidePlanOffer } from './decide-plan-offer.ts';
import { resolvePlan } from './resolve-plan.ts';

const plusByMonth = {
  plan: 'plus',
  subscription_status: 'active',
  billing_interval: 'month',
  current_period_end: '2025-12-11T12:00:00Z',
};

/** What the cards say, in the order free, plus, pro. */
function offers(
  row: Parameters<typeof resolvePlan>[0],
  interval: 'month' | 'year' = 'month',
  profile = 'free',
) {
  const subscription = resolvePlan(row, profile);
  return (['free', 'plus', 'pro'] as const).map((plan) => {
    const offer = decidePlanOffer(plan, interval, subscription);
    if (offer.kind === 'current') return 'atual';
    if (offer.kind === 'none') return offer.words;
    return `${offer.kind}: ${offer.label}`;
  });
}

const subscribing = ['atual', 'checkout: Assinar Plus', 'checkout: Assinar Pro'];

test('who never subscribed may subscribe', () => {
  expect(offers(null)).toEqual(subscribing);
});

test.each(['canceled', 'expired', 'refunded'])('who is %s may subscribe again', (subscription_status) => {
  expect(offers({ ...plusByMonth, subscription_status })).toEqual(subscribing);
});

test('a running subscription is changed or cancelled, never bought twice', () => {
  expect(offers(plusByMonth)).toEqual(['portal: Cancelar assinatura', 'atual', 'checkout: Mudar para o Pro']);
  expect(offers(plusByMonth, 'year')[1]).toBe('checkout: Mudar para cobrança anual');
  expect(offers({ ...plusByMonth, billing_interval: 'year' })[1]).toBe(
    'checkout: Mudar para cobrança mensal',
  );
});

test('one that ends with its period can be kept', () => {
  expect(offers({ ...plusByMonth, cancel_at_period_end: true })).toEqual([
    'A partir de 11 de dezembro de 2025',
    'portal: Manter assinatura',
    'checkout: Mudar para o Pro',
  ]);
});

test('a payment that failed is mended', () => {
  expect(offers({ ...plusByMonth, subscription_status: 'payment_failed' })[1]).toBe(
    'portal: Atualizar pagamento',
  );
});

test('a plan that nobody pays for cannot be cancelled', () => {
  expect(offers(null, 'month', 'plus')).toEqual([null, 'atual', 'checkout: Mudar para o Pro']);
});
