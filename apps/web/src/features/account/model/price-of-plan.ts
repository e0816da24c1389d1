import type { PlanId } from '@linkoteca/domain/plans';
import { PLANS } from '@linkoteca/domain/plans';
import { findPrice } from './find-price.ts';
import type { PriceList } from './read-price-list.ts';

/** What a plan costs, in the currency's smallest unit. */
export interface PlanPrices {
  readonly month: number;
  readonly year: number;
  readonly currency: string;
  /** Whether the provider sells it at the moment. */
  readonly sold: { readonly month: boolean; readonly year: boolean };
}

/** The currency of the table of plans. */
const OWN_CURRENCY = 'USD';

/**
 * The provider's figures; the table's where it says nothing. The free plan costs nothing in the provider's currency.
 * @param list null when the provider could not be asked: then everything may be on sale.
 */
export function priceOfPlan(plan: PlanId, list: PriceList | null): PlanPrices {
  const { monthlyPriceCents, yearlyPriceCents } = PLANS[plan];
  const month = findPrice(list, plan, 'month');
  const year = findPrice(list, plan, 'year');
  return {
    month: month?.amountCents ?? monthlyPriceCents,
    year: year?.amountCents ?? yearlyPriceCents,
    currency: (month ?? year ?? list?.prices[0])?.currency ?? OWN_CURRENCY,
    sold: { month: !list || month !== undefined, year: !list || year !== undefined },
  };
}
