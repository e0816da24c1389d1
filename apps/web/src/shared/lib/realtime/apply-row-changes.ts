import { type DatedRow, insertNewestFirst } from '../newest-first.ts';
import type { ChangedRow, TableChange } from './table-change.ts';

export interface VersionedRow extends DatedRow {
  readonly updated_at: string;
}

/**
 * Makes a row of what a change tells.
 * @param known the row as it is listed, to fill what the change leaves out.
 * @returns null when too much is missing.
 */
export type ReadChangedRow<Row> = (row: ChangedRow, known: Row | undefined) => Row | null;

/**
 * Applies changes, in their order, to a list that shows the newest first. Applying one twice, or after a newer version
 * has been read, changes nothing: then the very same list comes back.
 */
export function applyRowChanges<Row extends VersionedRow>(
  rows: readonly Row[],
  changes: readonly TableChange[],
  read: ReadChangedRow<Row>,
): readonly Row[] {
  return changes.reduce<readonly Row[]>((list, change) => {
    const at = list.findIndex((row) => row.id === change.id);
    const known = list[at];
    if (change.operation === 'DELETE') return known ? list.toSpliced(at, 1) : list;
    const next = read(change.row, known);
    if (next === null || (known && !supersedes(next, known))) return list;
    return known && known.created_at === next.created_at
      ? list.with(at, next)
      : insertNewestFirst(list, next);
  }, rows);
}

/** Whether a version that was heard of takes the place of the one that is shown. */
export function supersedes<Row extends VersionedRow>(heard: Row, shown: Row): boolean {
  // A row shown ahead of its service has a date that the browser made up.
  if (heard.created_at !== shown.created_at) return true;
  return !isOlder(heard.updated_at, shown.updated_at) && !isSame(heard, shown);
}

function isSame<Row extends object>(one: Row, other: Row): boolean {
  const keys = Object.keys(one) as (keyof Row)[];
  return keys.every((key) => one[key] === other[key]);
}

/** Whether one moment of the service comes before another. They have microseconds, which Date would lose. */
function isOlder(one: string, other: string): boolean {
  const difference = Date.parse(one) - Date.parse(other);
  if (difference !== 0 && !Number.isNaN(difference)) return difference < 0;
  return one < other;
}
