import { type Connection, ownerOf, readConnection } from '../session/session-store.ts';
import { openDatabase } from '../session/tokens.ts';
import type { Capture } from './capture.ts';
import { addCaptures, changeCaptures, listCaptures } from './outbox-store.ts';
import { sendCaptures } from './send-captures.ts';

/** The name of the alarm at which what waits is sent again, and what pages send the background to have it sent now. */
export const SEND_OUTBOX = 'send-outbox';

/** Minutes between two attempts, also with no page of the extension open. */
const RETRY_MINUTES = 1;

/** Keeps captures and has them sent. Once it resolves they are saved whatever dies. @throws OutboxFull, DOMException */
export async function capture(connection: Connection, captures: readonly Capture[]): Promise<void> {
  await addCaptures(ownerOf(connection), captures);
  // Before anything is sent: it wakes the background even where the browser ends in the next moment.
  await chrome.alarms.create(SEND_OUTBOX, { periodInMinutes: RETRY_MINUTES });
}

/** Sends what waits for whoever is signed in, and sets or ends the alarm by what is left. */
export async function sendOutbox(): Promise<void> {
  const connection = await readConnection();
  if (connection === null || connection.hasEnded) return;
  const owner = ownerOf(connection);
  const end = await sendCaptures({
    database: openDatabase(connection),
    owner,
    isConnected: async () => {
      const now = await readConnection();
      return now !== null && !now.hasEnded && ownerOf(now) === owner;
    },
  });
  if (end === 'done') await chrome.alarms.clear(SEND_OUTBOX);
  else await chrome.alarms.create(SEND_OUTBOX, { periodInMinutes: RETRY_MINUTES });
}

/**
 * Has what was refused sent again: all of a person's, or what they lost their connection over. What was meant for a category that is gone
 * goes to the inbox.
 */
export async function retryRefused(connection: Connection, onlySignedOut: boolean): Promise<void> {
  const owner = ownerOf(connection);
  const refused = (await listCaptures(owner)).filter(({ refusal }) =>
    onlySignedOut ? refusal?.kind === 'signed_out' || refusal?.kind === 'not_allowed' : refusal !== null,
  );
  for (const isHomeless of [false, true]) {
    const places = refused
      .filter(({ refusal }) => (refusal?.kind === 'category_gone') === isHomeless)
      .map(({ place }) => place);
    const toInbox = isHomeless ? { categoryId: null, sharedFolderId: undefined } : {};
    if (places.length > 0) await changeCaptures(owner, places, { ...toInbox, refusal: null });
  }
}
