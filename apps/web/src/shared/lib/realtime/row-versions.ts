import type { DatedRow } from '../newest-first.ts';

export interface VersionedRow extends DatedRow {
  readonly updated_at: string;
}

/** Whether a version that arrives takes the place of the one that is shown. */
export function supersedes<Row extends VersionedRow>(arrived: Row, shown: Row): boolean {
  // A row shown ahead of its service has a date that the browser made up.
  if (arrived.created_at !== shown.created_at) return true;
  return !isOlder(arrived.updated_at, shown.updated_at) && !isSame(arrived, shown);
}

function isSame<Row extends object>(one: Row, other: Row): boolean {
  const keys = Object.keys(one) as (keyof Row)[];
  return keys.every((key) => one[key] === other[key]);
}

/** Whether one moment of the service comes before another. They have microseconds, which Date would lose. */
export function isOlder(one: string, other: string): boolean {
  const difference = Date.parse(one) - Date.parse(other);
  if (difference !== 0 && !Number.isNaN(difference)) return difference < 0;
  return one < other;
}
