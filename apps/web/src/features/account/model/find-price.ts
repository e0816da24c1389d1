import type { BillingInterval, PlanId } from '@linkoteca/domain/plans';
import type { Price, PriceList } from './read-price-list.ts';

/** The price of a plan and period, if it is sold. */
export function findPrice(
  list: PriceList | null,
  plan: PlanId,
  interval: BillingInterval,
): Price | undefined {
  return list?.prices.find((price) => price.plan === plan && price.interval === interval);
}
