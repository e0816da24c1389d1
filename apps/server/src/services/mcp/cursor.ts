import { ToolRefusal } from './tool-refusal.ts';

/** Writes where a list goes on, for a program to send back as it is. */
export function writeCursor(place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

const WRONG = 'The cursor is not one of this list. Leave it out to begin again.';

/** Reads a cursor of `writeCursor`. It proves nothing: whoever makes one up reads no more than their own. @throws ToolRefusal */
function readCursor(cursor: string): readonly unknown[] {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(place)) return place;
  } catch {
    // Told below.
  }
  throw new ToolRefusal(WRONG);
}

/** How many rows are skipped. @throws ToolRefusal */
export function readOffset(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const [offset] = readCursor(cursor);
  if (typeof offset !== 'number' || !Number.isInteger(offset) || offset < 0 || offset > 1_000_000)
    throw new ToolRefusal(WRONG);
  return offset;
}

/** The moment and the id of the last row seen, newest first; beyond all of them at the beginning. */
export type Place = { readonly at: string; readonly id: string };

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @throws ToolRefusal */
export function readPlace(cursor: string | undefined): Place {
  if (cursor === undefined) return { at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
  const [at, id] = readCursor(cursor);
  if (typeof at !== 'string' || typeof id !== 'string' || !MOMENT.test(at) || !UUID.test(id))
    throw new ToolRefusal(WRONG);
  if (Number.isNaN(Date.parse(at))) throw new ToolRefusal(WRONG);
  return { at, id };
}
