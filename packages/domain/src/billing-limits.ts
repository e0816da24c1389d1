/** Days from the first payment in which it is given back in full (specification, section 9). */
export const REFUND_DAYS = 14;

/**
 * Milliseconds before each re-check after a payment: immediately, after 2 s, after 3 s more (specification, section 4).
 * The provider's event usually arrives before the second.
 */
export const RECHECK_PAUSES_MS = [0, 2_000, 3_000] as const;
