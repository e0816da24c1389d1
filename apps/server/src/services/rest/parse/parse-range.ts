import { fail, type Outcome, ok, restError } from '../rest-error.ts';

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

const LONE_PERCENT = /%(?![\da-f]{2})/gi;

const UNREADABLE = restError.syntax(
  'The URL is not valid percent-encoded UTF-8',
  'What is percent-encoded must be UTF-8 text without NUL.',
);

/**
 * Postgres text cannot hold NUL, nor bytes that are no UTF-8: both are told here instead of deep inside. A `%` that encodes nothing stands
 * for itself, as in addresses that browsers send (`like.%livro%`).
 */
export function decodePart(part: string): Outcome<string> {
  if (!part.includes('%')) return part.includes('\0') ? fail(UNREADABLE) : ok(part);
  try {
    const decoded = decodeURIComponent(part.replace(LONE_PERCENT, '%25'));
    return decoded.includes('\0') ? fail(UNREADABLE) : ok(decoded);
  } catch {
    return fail(UNREADABLE);
  }
}

/** Splits and decodes a query string (without `?`), in order, keeping repeated keys. A `+` is a blank. */
export function decodeQueryString(text: string): Outcome<readonly (readonly [string, string | undefined])[]> {
  const pairs: (readonly [string, string | undefined])[] = [];
  if (text === '') return ok(pairs);
  for (const part of text.replaceAll('+', ' ').split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const key = decodePart(equals === -1 ? part : part.slice(0, equals));
    if (!key.ok) return key;
    if (equals === -1) {
      pairs.push([key.value, undefined]);
      continue;
    }
    const value = decodePart(part.slice(equals + 1));
    if (!value.ok) return value;
    pairs.push([key.value, value.value]);
  }
  return ok(pairs);
}
