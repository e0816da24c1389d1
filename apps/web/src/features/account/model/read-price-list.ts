import { type BillingInterval, isBillingInterval, isPlanId, type PlanId } from '@linkoteca/domain/plans';
import { isCurrency, isRecord } from './read-answer.ts';

export interface Price {
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
