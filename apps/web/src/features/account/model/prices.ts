import {
  type BillingInterval,
  isBillingInterval,
  isPlanId,
  PLANS,
  type PlanId,
} from '@linkoteca/domain/plans';
import { isCurrency, isRecord } from './read-answer.ts';

interface Price {
  readonly plan: PlanId;
  readonly interval: BillingInterval;
  readonly priceId: string;
  /** In the currency's smallest unit. */
  readonly amountCents: number;
  readonly currency: string;
}

export interface PriceList {
  /** The payment emulator, or the provider's test mode: no money moves. */
  readonly testMode: boolean;
  readonly prices: readonly Price[];
}

/** Reads what `list-prices` answered; null when any of it is not as agreed. */
export function readPriceList(body: unknown): PriceList | null {
  if (!isRecord(body) || typeof body['testMode'] !== 'boolean' || !Array.isArray(body['prices'])) return null;
  const prices: readonly unknown[] = body['prices'];
  return prices.every(isPrice) ? { testMode: body['testMode'], prices } : null;
}

function isPrice(value: unknown): value is Price {
  if (!isRecord(value)) return false;
  const { plan, interval, priceId, amountCents, currency } = value;
  return (
    isPlanId(plan) &&
    isBillingInterval(interval) &&
    typeof priceId === 'string' &&
    priceId !== '' &&
    typeof amountCents === 'number' &&
    Number.isInteger(amountCents) &&
    amountCents >= 0 &&
    isCurrency(currency)
  );
}

/** The price of a plan and period, if it is sold. */
export function findPrice(
  list: PriceList | null,
  plan: PlanId,
  interval: BillingInterval,
): Price | undefined {
  return list?.prices.find((price) => price.plan === plan && price.interval === interval);
}

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
