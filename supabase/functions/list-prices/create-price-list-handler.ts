import type { Stripe } from 'stripe';
import { refuse } from '../_shared/answer-json.ts';
import { answerPaymentFailure } from '../_shared/answer-payment-failure.ts';
import { PAYMENT_REFUSALS } from '../_shared/payment-refusals.ts';
import type { ListedPrice, PriceBook } from '../_shared/read-price-book.ts';

export type PriceListDeps = {
  readonly stripe: Stripe;
  readonly book: PriceBook;
  /** No money moves: the provider's test mode, or the local emulator. */
  readonly testMode: boolean;
  readonly now: () => number;
};

/** A price as the screens show it. */
export type OfferedPrice = ListedPrice & {
  /** In the currency's smallest unit. */
  readonly amountCents: number;
  /** ISO 4217 in lower case. */
  readonly currency: string;
};

const FRESH_MS = 300_000;
/** While the provider does not answer, what is known goes out, and it is left alone for a moment. */
const PAUSE_MS = 15_000;
const BROWSER_SECONDS = 60;
const HEADERS = { 'cache-control': `public, max-age=${BROWSER_SECONDS}` };

/**
 * The function `list-prices`: `GET` answers `{"testMode","prices":[…]}` from the provider's price objects, to anybody. They are asked for
 * every five minutes at most; when the provider cannot be asked, the ones known last stand.
 */
export function createPriceListHandler(deps: PriceListDeps): (request: Request) => Promise<Response> {
  const readPrices = keepFresh(deps.now, () => listOfferedPrices(deps));
  return async (request) => {
    if (request.method !== 'GET') return refuse(405, PAYMENT_REFUSALS.method, { allow: 'GET' });
    try {
      const prices = await readPrices();
      return Response.json({ testMode: deps.testMode, prices }, { headers: HEADERS });
    } catch (error) {
      return answerPaymentFailure(error);
    }
  };
}

/** Asks once for all who wait; an old value goes out when a new one cannot be had. */
function keepFresh<T>(now: () => number, load: () => Promise<T>): () => Promise<T> {
  let known: { readonly value: T; readonly until: number } | undefined;
  let loading: Promise<T> | undefined;
  const renew = async () => {
    try {
      const value = await load();
      known = { value, until: now() + FRESH_MS };
      return value;
    } catch (error) {
      if (known === undefined) throw error;
      console.warn('the prices known last go out', {
        reason: error instanceof Error ? error.name : 'unknown',
      });
      known = { ...known, until: now() + PAUSE_MS };
      return known.value;
    } finally {
      loading = undefined;
    }
  };
  return async () => {
    if (known !== undefined && now() < known.until) return known.value;
    loading ??= renew();
    return await loading;
  };
}

async function listOfferedPrices({ stripe, book }: PriceListDeps): Promise<readonly OfferedPrice[]> {
  const offered = await Promise.all(
    book.prices.map(async (listed) => toOffer(listed, await stripe.prices.retrieve(listed.priceId))),
  );
  return offered.filter((price) => price !== undefined);
}

/** A price that is not what the settings say it is would be shown wrong: it is left out, and the operator told. */
function toOffer(listed: ListedPrice, price: Stripe.Price): OfferedPrice | undefined {
  const { active, currency, unit_amount, recurring } = price;
  const isAsListed = recurring?.interval === listed.interval && recurring.interval_count === 1;
  if (active && isAsListed && typeof unit_amount === 'number')
    return { ...listed, amountCents: unit_amount, currency: currency.toLowerCase() };
  console.error('a price is not what its setting says', {
    plan: listed.plan,
    expected: listed.interval,
    interval: recurring?.interval,
    intervalCount: recurring?.interval_count,
    active,
  });
  return undefined;
}
