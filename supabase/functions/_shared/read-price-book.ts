import type { BillingInterval, PlanId } from '../../../packages/domain/src/plans.ts';

export type PaidPlan = Exclude<PlanId, 'free'>;

/** What a price id stands for. */
export type ListedPrice = {
  readonly priceId: string;
  readonly plan: PaidPlan;
  readonly interval: BillingInterval;
};

export type PriceBook = {
  /** What is sold: cheapest plan first, the month before the year. */
  readonly prices: readonly ListedPrice[];
  /** What a subscription is paid by, at today's price or an earlier one; undefined for an id that is not ours. */
  find(priceId: string): ListedPrice | undefined;
  /** What can be bought: undefined for an earlier price, too. */
  findSold(priceId: string): ListedPrice | undefined;
  idOf(plan: PaidPlan, interval: BillingInterval): string;
};

const SETTINGS = [
  ['STRIPE_PRICE_PLUS_MONTHLY', 'plus', 'month'],
  ['STRIPE_PRICE_PLUS_YEARLY', 'plus', 'year'],
  ['STRIPE_PRICE_PRO_MONTHLY', 'pro', 'month'],
  ['STRIPE_PRICE_PRO_YEARLY', 'pro', 'year'],
] as const;

/**
 * Which of the provider's prices is which plan and interval, from the settings. Each names the price that is sold and, after
 * commas, earlier ones: whoever subscribed then goes on paying these.
 * @param read a setting's text, empty when it is not set.
 * @throws Error when a setting is missing, or two name the same price.
 */
export function readPriceBook(read: (name: string) => string): PriceBook {
  const listed = SETTINGS.map(([name, plan, interval]) => {
    const [sold, ...earlier] = splitIds(read(name));
    if (sold === undefined) throw new Error(`${name} is not set`);
    return {
      sold: { priceId: sold, plan, interval },
      earlier: earlier.map((priceId) => ({ priceId, plan, interval })),
    };
  });
  const prices = listed.map(({ sold }) => sold);
  const all = listed.flatMap(({ sold, earlier }) => [sold, ...earlier]);
  const byId = new Map(all.map((price) => [price.priceId, price]));
  if (byId.size < all.length) throw new Error('two of the settings STRIPE_PRICE_* name the same price');
  return {
    prices,
    find: (priceId) => byId.get(priceId),
    findSold: (priceId) => prices.find((price) => price.priceId === priceId),
    idOf(plan, interval) {
      const found = prices.find((price) => price.plan === plan && price.interval === interval);
      if (found === undefined) throw new Error(`no price for ${plan} by the ${interval}`);
      return found.priceId;
    },
  };
}

function splitIds(text: string): string[] {
  return text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
}
