import type { EmulatorPrice } from '@linkoteca/payment-emulator/emulator-options';
import { createPaymentEmulator } from '@linkoteca/payment-emulator/payment-emulator';
import { createMemoryStore } from '@linkoteca/payment-emulator/store/create-memory-store';
import type { ThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import type { TestUser } from '@linkoteca/test-kit/create-user';
import type { Stripe } from 'stripe';
import { openStripe } from '../../functions/_shared/open-stripe.ts';
import { readPriceBook } from '../../functions/_shared/read-price-book.ts';
import { createCheckoutHandler } from '../../functions/create-checkout/create-checkout-handler.ts';
import { createPortalHandler } from '../../functions/customer-portal/create-portal-handler.ts';
import {
  createInvoiceListHandler,
  type ListedInvoice,
} from '../../functions/list-invoices/create-invoice-list-handler.ts';
import { createRefundHandler } from '../../functions/request-refund/create-refund-handler.ts';
import { answerAsInstallation } from './answer-as-installation.ts';

export const SITE = 'http://localhost:3000';
const INSTALLATION = 'http://installation.test';
const SECRET_KEY = 'sk_test_shop';

const priceId = (plan: string, interval: string) => `price_emulator_${plan}_${interval}ly`;
const PRICES = (['plus', 'pro'] as const).flatMap((plan) =>
  (['month', 'year'] as const).map(
    (interval): EmulatorPrice => ({
      id: priceId(plan, interval),
      productName: plan,
      plan,
      interval,
      amountCents: (plan === 'plus' ? 199 : 399) * (interval === 'year' ? 10 : 1),
      currency: 'usd',
    }),
  ),
);

type Answer = {
  readonly status: number;
  readonly body: {
    readonly url?: string;
    readonly sessionUrl?: string;
    readonly error?: string;
    readonly refunded?: boolean;
    readonly invoices?: readonly ListedInvoice[];
  };
};

/** The payment functions between a real database and the emulator. */
export function openShop(database: ThrowawayDatabase) {
  const emulator = createPaymentEmulator({
    store: createMemoryStore(),
    prices: PRICES,
    secretKey: SECRET_KEY,
    webhookSecret: 'whsec_shop',
    webhookUrl: () => undefined,
    siteUrl: `${SITE}/payment-emulator`,
    now: () => new Date(),
    fetch: () => Promise.reject(new Error('nobody is told here')),
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  const installation = answerAsInstallation(database);
  const requests: string[] = [];
  let isRefused = (_request: string): boolean => false;
  const send: typeof fetch = async (input, init) => {
    const url = new URL(String(input));
    if (url.origin === INSTALLATION) return await installation(input, init);
    const name = `${init?.method} ${url.pathname}`;
    requests.push(name);
    if (isRefused(name)) return Response.json({ error: { type: 'api_error' } }, { status: 500 });
    return await emulator.handle(new Request(input, init), { isOperator: false });
  };
  const stripe = openStripe({ fetch: send, secretKey: SECRET_KEY, retries: 0 });
  const deps = {
    fetch: send,
    stripe,
    book: readPriceBook((name) => {
      const [plan = '', interval = ''] = name.replace('STRIPE_PRICE_', '').toLowerCase().split('_');
      return priceId(plan, interval.replace('ly', ''));
    }),
    places: { siteUrl: SITE, allowList: [] },
    supabaseUrl: INSTALLATION,
    anonKey: 'anon',
    serviceRoleKey: 'service',
    now: () => new Date(),
  };
  const handlers = {
    'create-checkout': createCheckoutHandler(deps),
    'customer-portal': createPortalHandler(deps),
    'list-invoices': createInvoiceListHandler(deps),
    'request-refund': createRefundHandler(deps),
  };
  const call = async (name: keyof typeof handlers, user: TestUser, body: object = {}): Promise<Answer> => {
    const claims = { role: 'authenticated', sub: user.id, email: user.email };
    const authorization = `Bearer h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;
    const init = name === 'list-invoices' ? {} : { method: 'POST', body: JSON.stringify(body) };
    const request = new Request(`${INSTALLATION}/functions/v1/${name}`, {
      ...init,
      headers: { authorization },
    });
    const response = await handlers[name](request);
    return { status: response.status, body: await response.json() };
  };
  return {
    stripe,
    requests,
    /** Which of the provider's answers are failures from here on. */
    failWhen: (test: typeof isRefused) => {
      isRefused = test;
    },
    call,
    buy: (user: TestUser, price = 'plus_monthly', page = '/plans') =>
      call('create-checkout', user, { priceId: `price_emulator_${price}`, redirectUrl: `${SITE}${page}` }),
    /** As the checkout's page does when the card is taken. */
    subscribe: (customer: string, price = 'plus_monthly', card = 'pm_card_visa') =>
      stripe.subscriptions.create({
        customer,
        items: [{ price: `price_emulator_${price}` }],
        default_payment_method: card,
      }),
    advanceDays: (days: number) => advance(stripe, days),
    customersOf: async (user: TestUser) =>
      (await stripe.customers.list({ limit: 100 })).data.filter(
        ({ metadata }) => metadata['user_id'] === user.id,
      ),
  };
}

async function advance(stripe: Stripe, days: number): Promise<void> {
  const clock = await stripe.testHelpers.testClocks.retrieve('clock_emulator');
  await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: clock.frozen_time + days * 86_400 });
}
