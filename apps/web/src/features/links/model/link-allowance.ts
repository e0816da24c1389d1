/** How many links, or categories, a person has and may have; max null is unlimited. */
export interface LinkAllowance {
  readonly used: number;
  readonly max: number | null;
}

/**
 * The limit that stands in the way of one more, or null when there is room. An unknown allowance (its check
 * failed) is room: the database decides.
 */
export function findExceededLimit(allowance: LinkAllowance | null): number | null {
  if (allowance === null || allowance.max === null) return null;
  return allowance.used < allowance.max ? null : allowance.max;
}
