import type { RowCheck } from '../checks/render-row-check.ts';
import type { Verdict } from '../policies/decide-by-policy.ts';

/** One condition of a subscription's filter, ready to be held against rows. */
export type RowFilter = {
  readonly column: string;
  /** About the column's value, in Postgres' text form; undefined: `check` must be asked. */
  test(value: string | null): Verdict;
  readonly check: RowCheck;
  readonly values: readonly unknown[];
  /** The one value that a row must have, as Postgres writes it; null where there is no such thing. */
  readonly equals: string | null;
};
