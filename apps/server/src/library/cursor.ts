/** Writes where a list goes on, for a program to send back as it is. */
export function writeCursor(place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/**
 * Reads a cursor of `writeCursor`. It proves nothing: whoever makes one up reads no more than their own.
 * @returns undefined for what is none
 */
export function readCursor(cursor: string): readonly unknown[] | undefined {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(place) ? place : undefined;
  } catch {
    return undefined;
  }
}

/** The moment and the id of the last row seen, newest first. */
export type Place = { readonly at: string; readonly id: string };

/** Before all of a list. */
export const BEGINNING: Place = { at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Where a list goes on that is ordered by moments; without a cursor its beginning, undefined for a wrong one. */
export function readPlace(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return BEGINNING;
  const [at, id] = readCursor(cursor) ?? [];
  if (typeof at !== 'string' || typeof id !== 'string' || !MOMENT.test(at) || !UUID.test(id))
    return undefined;
  return isMoment(at) ? { at, id } : undefined;
}

/** `Date` takes the 31st of February for the 3rd of March, and Postgres does not take it at all. */
function isMoment(at: string): boolean {
  const date = new Date(at);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 23) === at.slice(0, 23);
}

/** How many rows are skipped; without a cursor none, undefined for a wrong one. */
export function readOffset(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return 0;
  const [offset] = readCursor(cursor) ?? [];
  const isOffset = typeof offset === 'number' && Number.isInteger(offset) && offset >= 0;
  return isOffset && offset <= 1_000_000 ? offset : undefined;
}
