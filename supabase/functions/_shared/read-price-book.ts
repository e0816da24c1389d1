import type { PlanId } from '../../../packages/domain/src/plans.ts';

export type PaidPlan = Exclude<PlanId, 'free'>;
export type BillingInterval = 'month' | 'year';

/** What a price id stands for. */
export type ListedPrice = {
  readonly priceId: string;
  readonly plan: PaidPlan;
  readonly interval: BillingInterval;
};

export type PriceBook = {
  /** Cheapest plan first, the month before the year. */
  readonly prices: readonly ListedPrice[];
  /** Undefined for an id that is not ours: nothing is sold or granted for it. */
  find(priceId: string): ListedPrice | undefined;
  idOf(plan: PaidPlan, interval: BillingInterval): string;
};

const SETTINGS = [
  ['STRIPE_PRICE_PLUS_MONTHLY', 'plus', 'month'],
  ['STRIPE_PRICE_PLUS_YEARLY', 'plus', 'year'],
  ['STRIPE_PRICE_PRO_MONTHLY', 'pro', 'month'],
  ['STRIPE_PRICE_PRO_YEARLY', 'pro', 'year'],
] as const;

/**
 * Which of the provider's prices is which plan and interval, from the settings.
 * @param read a setting's text, empty when it is not set.
 * @throws Error when a setting is missing, or two name the same price.
 */
export function readPriceBook(read: (name: string) => string): PriceBook {
  const prices = SETTINGS.map(([name, plan, interval]) => {
    const priceId = read(name);
    if (priceId === '') throw new Error(`${name} is not set`);
    return { priceId, plan, interval };
  });
  const byId = new Map(prices.map((price) => [price.priceId, price]));
  if (byId.size < prices.length) throw new Error('two of the settings STRIPE_PRICE_* name the same price');
  return {
    prices,
    find: (priceId) => byId.get(priceId),
    idOf(plan, interval) {
      const found = prices.find((price) => price.plan === plan && price.interval === interval);
      if (found === undefined) throw new Error(`no price for ${plan} by the ${interval}`);
      return found.priceId;
    },
  };
}
