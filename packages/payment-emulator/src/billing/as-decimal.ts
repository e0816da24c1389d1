import type Stripe from 'stripe';

/** A number as Stripe writes decimals on the wire, as text; the SDK makes an object of it when it reads. */
export function asDecimal(value: number): Stripe.Decimal {
  return String(value) as unknown as Stripe.Decimal;
}
