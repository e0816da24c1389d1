import { Stripe } from 'stripe';
import type { EmulatorOptions, PaymentEmulator } from '../emulator-options.ts';
import type { Kind, ObjectOf } from '../ledger/object-kinds.ts';
import { type ObjectStore, openObjectStore } from '../object-store.ts';
import { createPaymentEmulator } from '../payment-emulator.ts';
import { createMemoryStore } from '../store/create-memory-store.ts';

export const SITE_URL = 'https://linkoteca.test/payment-emulator';
export const SECRET_KEY = 'sk_test_emulator';
export const WEBHOOK_SECRET = 'whsec_emulator';
/** 31 January: the months that follow are shorter. */
export const START = Date.UTC(2026, 0, 31, 12) / 1000;

export const PRICES = (
  [
    ['plus', 'month', 199],
    ['plus', 'year', 1990],
    ['pro', 'month', 399],
    ['pro', 'year', 3990],
  ] as const
).map(([plan, interval, amountCents]) => ({
  id: `price_emulator_${plan}_${interval}ly`,
  productName: `Linkoteca ${plan === 'plus' ? 'Plus' : 'Pro'}`,
  plan,
  interval,
  amountCents,
  currency: 'usd',
}));

export type Received = { readonly event: Stripe.Event; readonly signature: string; readonly body: string };

export type OpenedEmulator = {
  readonly emulator: PaymentEmulator;
  readonly stripe: Stripe;
  /** The emulator's own objects, for what the API does not show. */
  readonly objectStore: ObjectStore;
  /** All objects of a kind, newest first. */
  readonly listObjects: <K extends Kind>(kind: K) => Promise<ObjectOf[K][]>;
  /** What the webhook has been sent, whether it took it or not. */
  readonly received: Received[];
  /** The real time, in milliseconds: what tests turn. */
  readonly clock: { now: number };
  /** What the webhook answers next: a status, or `null` for no answer at all. */
  readonly webhook: { answer: (event: Stripe.Event) => number | null | Promise<number> };
  /** What the emulator's clock says; seconds since 1970. */
  readonly advance: (seconds: number) => Promise<void>;
  readonly open: (path: string, init?: RequestInit & { isOperator?: boolean }) => Promise<Response>;
  readonly post: (path: string, fields: Readonly<Record<string, string>>) => Promise<Response>;
};

/** An emulator in the process with the real SDK before it; another store lets two of them be one provider. */
export function openEmulator(overrides: Partial<EmulatorOptions> = {}): OpenedEmulator {
  const received: Received[] = [];
  const clock = { now: START * 1000 };
  const webhook: OpenedEmulator['webhook'] = { answer: () => 200 };
  const options: EmulatorOptions = {
    store: createMemoryStore(),
    prices: PRICES,
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    webhookUrl: () => 'http://127.0.0.1/functions/v1/stripe-webhook',
    siteUrl: SITE_URL,
    now: () => new Date(clock.now),
    fetch: async (_input, init) => {
      const body = String(init?.body);
      const event = JSON.parse(body) as Stripe.Event;
      received.push({ event, body, signature: new Headers(init?.headers).get('stripe-signature') ?? '' });
      const status = await webhook.answer(event);
      if (status === null) throw new TypeError('fetch failed');
      return new Response(null, { status });
    },
    logger: { info: () => undefined, warn: () => undefined, error: (fields) => failOn(fields) },
    ...overrides,
  };
  const emulator = createPaymentEmulator(options);
  const objectStore = openObjectStore({ ...options, onChange: () => undefined });
  const handle = (input: string, init?: RequestInit, isOperator = false) =>
    emulator.handle(new Request(input, init), { isOperator });
  const stripe = openSdk(SECRET_KEY, (input, init) =>
    handle(String(input).replace('https://api.stripe.com', SITE_URL), init),
  );
  const open: OpenedEmulator['open'] = (path, { isOperator, ...init } = {}) =>
    handle(
      path.startsWith('http') ? path : `${SITE_URL}${path}`,
      { redirect: 'manual', ...init },
      isOperator,
    );
  return {
    emulator,
    stripe,
    objectStore,
    listObjects: (kind) => objectStore.read((ledger) => ledger.list(kind)),
    received,
    clock,
    webhook,
    advance: async (seconds) => {
      const { frozen_time: time } = await stripe.testHelpers.testClocks.retrieve('clock_emulator');
      await stripe.testHelpers.testClocks.advance('clock_emulator', { frozen_time: time + seconds });
    },
    open,
    post: (path, fields) =>
      open(path, {
        method: 'POST',
        body: new URLSearchParams(fields).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
  };
}

/** The official client, speaking to whatever answers `fetch`. */
export function openSdk(key: string, fetch: typeof globalThis.fetch): Stripe {
  return new Stripe(key, {
    httpClient: Stripe.createFetchHttpClient(fetch),
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

function failOn(fields: object): never {
  throw new Error('the emulator failed', { cause: 'err' in fields ? fields.err : fields });
}
