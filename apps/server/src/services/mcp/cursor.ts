import * as cursors from '../../library/cursor.ts';
import { ToolRefusal } from './tool-refusal.ts';

const WRONG = 'The cursor is not one of this list. Leave it out to begin again.';

/** How many rows are skipped. @throws ToolRefusal */
export function readOffset(cursor: string | undefined): number {
  return orRefuse(cursors.readOffset(cursor));
}

/** Where a list goes on that is ordered by moments. @throws ToolRefusal */
export function readPlace(cursor: string | undefined): cursors.Place {
  return orRefuse(cursors.readPlace(cursor));
}

function orRefuse<T>(read: T | undefined): T {
  if (read === undefined) throw new ToolRefusal(WRONG);
  return read;
}
