export type ProratedPeriod = { readonly start: number; readonly end: number };

/**
 * What of an amount falls to the rest of its period, to the second, rounded to the cent (Stripe, "Prorations").
 * @param cents what the whole period costs.
 */
export function prorate(cents: number, { start, end }: ProratedPeriod, time: number): number {
  if (time <= start) return cents;
  if (time >= end) return 0;
  return Math.round((cents * (end - time)) / (end - start));
}
