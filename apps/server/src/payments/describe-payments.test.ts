import { expect, it } from 'vitest';
import { resolvePayments } from '../kernel/resolve-payments.ts';
import { describePayments } from './describe-payments.ts';

const SECRET = 'a-secret-of-enough-characters-for-hs256';
const REAL = {
  secretKey: 'sk_live_1',
  webhookSecret: 'whsec_1',
  apiUrl: undefined,
  prices: { plusMonthly: 'p1', plusYearly: 'p2', proMonthly: 'p3', proYearly: 'p4' },
};

it('shows functions the emulator below the server itself, where no provider is set', () => {
  const payments = resolvePayments(undefined, SECRET);
  const seen = describePayments(payments, 'http://127.0.0.1:3000');
  expect(seen).toMatchObject({
    STRIPE_API_URL: 'http://127.0.0.1:3000/payment-emulator',
    STRIPE_PRICE_PLUS_MONTHLY: 'price_emulator_plus_monthly',
    STRIPE_PRICE_PRO_YEARLY: 'price_emulator_pro_yearly',
  });
  expect(seen['STRIPE_SECRET_KEY']).toMatch(/^sk_test_emulator_[0-9a-f]{64}$/);
  expect(seen['STRIPE_WEBHOOK_SECRET']).toMatch(/^whsec_[0-9a-f]{64}$/);
});

it('makes keys that all copies share and no other installation has', () => {
  const payments = resolvePayments(undefined, SECRET);
  expect(resolvePayments(undefined, SECRET)).toEqual(payments);
  const other = resolvePayments(undefined, `${SECRET}!`);
  expect([other.secretKey, other.webhookSecret]).not.toContain(payments.secretKey);
  expect(payments.secretKey).not.toContain(payments.webhookSecret.slice(6));
  expect(JSON.stringify(payments)).not.toContain(SECRET);
});

it('never mixes the provider with the emulator', () => {
  const seen = describePayments(resolvePayments(REAL, SECRET), 'http://127.0.0.1:3000');
  expect(seen).toEqual({
    STRIPE_SECRET_KEY: 'sk_live_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_PRICE_PLUS_MONTHLY: 'p1',
    STRIPE_PRICE_PLUS_YEARLY: 'p2',
    STRIPE_PRICE_PRO_MONTHLY: 'p3',
    STRIPE_PRICE_PRO_YEARLY: 'p4',
    STRIPE_API_URL: undefined,
  });
});
