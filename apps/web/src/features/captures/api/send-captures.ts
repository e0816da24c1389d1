import { SERVICE_WORDS } from '@linkoteca/domain/messages/service-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { readHost } from '@linkoteca/domain/urls';
import { describeServiceFailure } from '../../../shared/lib/describe-service-failure.ts';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { type CaptureRefusal, isDue, type WaitingCapture } from '../model/capture.ts';
import { changeCaptures, listCaptures, removeSent } from './outbox-store.ts';

export interface CaptureSender {
  readonly database: DatabaseClient;
  readonly userId: string;
  /** What a page calls itself; null where it does not say, or not in time. Must not throw. */
  readonly readTitle: (url: string) => Promise<string | null>;
  /** Gives a saved link its tags; 'away' where that has to be tried again. Must not throw: a link without tags is saved all the same. */
  readonly saveTags: (linkId: string, names: readonly string[]) => Promise<SendingEnd>;
  /** Told of every link as soon as it is saved; `categoryId` null for one that was deleted since it was sent first. */
  readonly onSaved: (capture: WaitingCapture, categoryId: string | null) => void;
  /** Whether this person is still the one who is signed in. */
  readonly isWanted: () => boolean;
}

/** How a round of sending ended: nothing left to send, or the services cannot be reached now. */
export type SendingEnd = 'done' | 'away';

/**
 * Sends a person's captures, one after the other in their order, by one tab at a time. Each leaves the device only after the service
 * has said that it is saved; sent again, it is saved no second time (capture_link). What is refused stays, with the reason, and holds up
 * nobody behind it.
 */
export async function sendCaptures(sender: CaptureSender): Promise<SendingEnd> {
  return holdOutbox(sender.userId, () => sendAll(sender));
}

/** Runs while no tab sends this person's captures. Without locks two tabs may send the same, which saves it once all the same. */
export function holdOutbox<Result>(userId: string, run: () => Promise<Result>): Promise<Result> {
  return 'locks' in navigator ? navigator.locks.request(`linkoteca-outbox-${userId}`, run) : run();
}

async function sendAll(sender: CaptureSender): Promise<SendingEnd> {
  const { userId } = sender;
  for (;;) {
    const due = (await listCaptures(userId)).filter(isDue);
    const [next] = due;
    if (next === undefined || !sender.isWanted()) return 'done';
    const outcome = await sendOne(sender, next);
    if (outcome === 'away') return 'away';
    if (outcome.kind === 'saved') {
      sender.onSaved(next, outcome.categoryId);
      const isTagged = next.tags.length === 0 || outcome.categoryId === null;
      if (!isTagged && (await sender.saveTags(next.id, next.tags)) === 'away') return 'away';
      await removeSent(userId, next);
      continue;
    }
    // Who is behind would hear the same: a full plan is full for all of them.
    const alike = due.filter((capture) => meetsSame(outcome.refusal, next, capture));
    await changeCaptures(
      userId,
      alike.map(({ place }) => place),
      { refusal: outcome.refusal },
    );
  }
}

function meetsSame(refusal: CaptureRefusal, refused: WaitingCapture, other: WaitingCapture): boolean {
  if (other.place === refused.place) return true;
  switch (refusal.kind) {
    case 'signed_out':
      return true;
    // Whoever shares a folder has a plan of their own.
    case 'link_limit':
    case 'folder_full':
      return other.sharedFolderId === refused.sharedFolderId;
    case 'category_limit':
      return other.categoryId === null;
    case 'category_gone':
      return other.categoryId === refused.categoryId;
    case 'invalid':
      return false;
  }
}

type SendingOutcome =
  | 'away'
  | { readonly kind: 'saved'; readonly categoryId: string | null }
  | { readonly kind: 'refused'; readonly refusal: CaptureRefusal };

async function sendOne(
  { database, readTitle }: CaptureSender,
  capture: WaitingCapture,
): Promise<SendingOutcome> {
  const { id, url, description, categoryId } = capture;
  const title = capture.title ?? (await readTitle(url)) ?? readHost(url);
  const { data, error, status } = await database.rpc('capture_link', {
    id,
    url,
    title,
    ...(description === null ? {} : { description }),
    ...(categoryId === null ? {} : { category_id: categoryId }),
  });
  if (error !== null && readRefusal(error).kind !== 'already_saved')
    return readFailure(capture, error, status);
  const place = error === null ? data : categoryId;
  if (capture.edited !== true || place === null) return { kind: 'saved', categoryId: place };
  // What is there may be from before the edit. Into the inbox nothing is moved: which category that is, nobody has said.
  const update = await database
    .from('links')
    .update({ url, title, description, ...(categoryId === null ? {} : { category_id: categoryId }) })
    .eq('id', id);
  if (update.error === null) return { kind: 'saved', categoryId: categoryId ?? place };
  // The category is gone, or the person may not write in it.
  if (update.status === 403 || update.error.code === '23503')
    return { kind: 'refused', refusal: { kind: 'category_gone' } };
  return readFailure(capture, update.error, update.status);
}

function readFailure(
  { sharedFolderId }: WaitingCapture,
  error: { readonly code: string },
  status: number,
): SendingOutcome {
  const refusal = readRefusal(error);
  switch (refusal.kind) {
    case 'link_limit':
      return {
        kind: 'refused',
        refusal: sharedFolderId === undefined ? refusal : { kind: 'folder_full', max: refusal.max },
      };
    case 'category_limit':
      return { kind: 'refused', refusal };
    default:
  }
  if (isPassing(status, error.code)) return 'away';
  if (error.code === 'PT404') return { kind: 'refused', refusal: { kind: 'category_gone' } };
  if (status === 401 || error.code === '42501') return { kind: 'refused', refusal: { kind: 'signed_out' } };
  const words = describeServiceFailure(error, SERVICE_WORDS.link.create, 'Corrija e tente de novo.');
  return { kind: 'refused', refusal: { kind: 'invalid', words } };
}

/** No answer, or one that says nothing of the capture itself: it is sent again later. */
function isPassing(status: number, code: string): boolean {
  return (
    status === 0 || status >= 500 || [408, 425, 429].includes(status) || ['40001', '40P01'].includes(code)
  );
}
