import { SHARING_WORDS } from '@linkoteca/domain/messages/sharing-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import pg from 'pg';
import { SharingConflict } from '../../library/share-category.ts';

/** A call that cannot be done, told to the assistant in words it can act on. */
export class ToolRefusal extends Error {}

export const NO_SUCH_LINK = 'There is no such link, or the person may not see it.';
export const NO_SUCH_CATEGORY = 'There is no such category of the person. list_folders shows them all.';

/** Of a list that two changed at once. */
const CHANGED_MEANWHILE =
  'The person has changed this list in the same moment. Nothing was done; ask them before you call again.';

/** What our own functions say on purpose: `PT…` as the table API reads them, `P0001` limits of plans, checks and foreign keys of the tables. */
const OWN_WORDS = /^(PT4\d\d|P0001)$/;

/**
 * What the assistant is told of an error.
 * @returns undefined for a fault of ours, whose words stay in the log
 */
export function describeFailure(error: unknown): string | undefined {
  if (error instanceof ToolRefusal) return error.message;
  if (error instanceof SharingConflict) return CHANGED_MEANWHILE;
  if (!(error instanceof pg.DatabaseError)) return undefined;
  const { code = '' } = error;
  if (readRefusal(error).kind === 'sharing_gate') return `${error.message}. ${SHARING_WORDS.gateReason}`;
  if (OWN_WORDS.test(code)) return error.message;
  if (code === '42501') return 'The token may not do this.';
  if (code === '23503') return NO_SUCH_CATEGORY;
  if (code === '23514' || code === '22001') return 'A text is too long, empty or not allowed.';
  if (code === '57014') return 'This took too long. Ask for less.';
  return undefined;
}
