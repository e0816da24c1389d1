import { fail, type Outcome, ok } from '../outcome.ts';
import { restError } from '../rest-error.ts';

/** A window on the rows: `limit` undefined means no end. */
export type RowRange = { readonly offset: number; readonly limit: number | undefined };

export const ALL_ROWS: RowRange = { offset: 0, limit: undefined };

const RANGE = /^\s*(?:items=)?(\d{1,15})-(\d{1,15})?\s*$/;

/** The `Range: 0-24` header (unit `items`). What is no such range is ignored, as RFC 9110 asks. */
export function parseRange(header: string | undefined): Outcome<RowRange> {
  if (header === undefined) return ok(ALL_ROWS);
  const match = RANGE.exec(header);
  if (match === null) return ok(ALL_ROWS);
  const offset = Number(match[1]);
  if (match[2] === undefined) return ok({ offset, limit: undefined });
  const last = Number(match[2]);
  if (last < offset)
    return fail(
      restError.invalidRange(
        'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
      ),
    );
  return ok({ offset, limit: last - offset + 1 });
}

/** The rows that both ranges hold; both count from the first row. */
export function intersectRanges(a: RowRange, b: RowRange): RowRange {
  const offset = Math.max(a.offset, b.offset);
  const ends = [a, b].flatMap((range) => (range.limit === undefined ? [] : [range.offset + range.limit]));
  return ends.length === 0
    ? { offset, limit: undefined }
    : { offset, limit: Math.max(0, Math.min(...ends) - offset) };
}
