import { openStripe } from '../open-stripe.ts';
import { readPriceBook } from '../read-price-book.ts';

/** What answers in the payment provider's place. */
export type Provider = (request: Request) => Promise<Response>;

export type TestPerson = { readonly id: string; readonly authorization: string };

export const SITE = 'http://localhost:3000';
const SUPABASE = 'http://installation.test';
const PRICES = {
  STRIPE_PRICE_PLUS_MONTHLY: 'price_emulator_plus_monthly',
  STRIPE_PRICE_PLUS_YEARLY: 'price_emulator_plus_yearly',
  STRIPE_PRICE_PRO_MONTHLY: 'price_emulator_pro_monthly',
  STRIPE_PRICE_PRO_YEARLY: 'price_emulator_pro_yearly',
} as const;

/** A bearer token as the gateway lets it through: nothing behind it looks at the signature again. */
export function bearer(claims: object): string {
  return `Bearer h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;
}

export function createTestPerson(number: number): TestPerson {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  return { id, authorization: bearer({ role: 'authenticated', sub: id, email: `p${number}@exemplo.com` }) };
}

/**
 * An installation without a database: accounts and who their customers are, as the migrations keep them, and a provider.
 * @param secretKey what the provider knows us by.
 */
export function installPayments(provider: Provider, secretKey = 'sk_test_x') {
  const customers = new Map<string, string | null>();
  const sent: { readonly method: string; readonly path: string; readonly body: string }[] = [];
  const state = { isDatabaseUp: true };

  const rpc: Record<string, (args: Record<string, string>) => unknown> = {
    claim_stripe_customer({ user_id = '', customer_id = '' }) {
      if (!customers.has(user_id)) return null;
      if (customers.get(user_id) === null) customers.set(user_id, customer_id);
      return customers.get(user_id);
    },
    begin_subscription_sync: ({ customer_id = '' }) =>
      [...customers.values()].includes(customer_id) ? 1 : null,
    apply_subscription({ customer_id = '' }) {
      for (const [person, customer] of customers) if (customer === customer_id) customers.set(person, null);
      return 'changed';
    },
  };
  const answerTable = (table: string | undefined, { searchParams }: URL, headers: Headers) => {
    const asked = (searchParams.get('id') ?? searchParams.get('user_id') ?? '').replace(/^eq\./, '');
    const self = JSON.parse(atob(headers.get('authorization')?.split('.')[1] ?? '')).sub;
    // Row-level security: one's own row or none.
    if (asked !== self || !customers.has(asked)) return [];
    return table === 'profiles' ? [{ id: asked }] : [{ stripe_customer_id: customers.get(asked) }];
  };
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    if (url.origin !== SUPABASE) {
      const body = await request.clone().text();
      sent.push({ method: request.method, path: url.pathname, body });
      return await provider(request);
    }
    if (!state.isDatabaseUp) throw new TypeError('fetch failed');
    const name = url.pathname.split('/').at(-1) ?? '';
    const call = rpc[name];
    return Response.json(call ? call(await request.json()) : answerTable(name, url, request.headers));
  };
  return {
    customers,
    /** What went out to the provider. */
    sent,
    state,
    deps: {
      fetch: send,
      stripe: openStripe({ fetch: send, secretKey, retries: 0 }),
      book: readPriceBook((name) => PRICES[name as keyof typeof PRICES] ?? ''),
      places: { siteUrl: SITE, allowList: [] },
      supabaseUrl: SUPABASE,
      anonKey: 'anon',
      serviceRoleKey: 'service',
      now: () => new Date(),
    },
  };
}

/** Calls a handler as a client would. @param authorization null: nobody. */
export async function callFunction(
  handle: (request: Request) => Promise<Response>,
  { authorization, body, method = 'POST' }: { authorization: string | null; body?: unknown; method?: string },
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
  const response = await handle(
    new Request(`${SUPABASE}/functions/v1/function`, {
      method,
      headers: authorization === null ? {} : { authorization },
      ...(method === 'GET' || method === 'HEAD' ? {} : { body: text }),
    }),
  );
  return { status: response.status, headers: response.headers, body: await response.json() };
}
