/** How often a subscription is charged, in the payment provider's words. */
export const BILLING_INTERVALS = ['month', 'year'] as const;

export type BillingInterval = (typeof BILLING_INTERVALS)[number];

/** Narrows what came from outside. */
export function isBillingInterval(value: unknown): value is BillingInterval {
  return value === 'month' || value === 'year';
}
