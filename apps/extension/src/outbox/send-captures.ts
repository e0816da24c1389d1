import { readRefusal } from '@linkoteca/domain/read-refusal';
import type { DatabaseClient } from '../session/database.ts';
import { type CaptureRefusal, isDue, type WaitingCapture } from './capture.ts';
import { changeCaptures, listCaptures, removeSent } from './outbox-store.ts';

export interface CaptureSender {
  readonly database: DatabaseClient;
  /** Whose captures are sent. */
  readonly owner: string;
  /** Whether they are still the one who is signed in, and the connection is good. */
  readonly isConnected: () => Promise<boolean>;
}

/** How a round of sending ended: nothing left to send, or the services cannot be reached now. */
export type SendingEnd = 'done' | 'away';

/** Runs while no page of the extension sends. Whoever dies lets go by it. */
export function holdOutbox<Result>(run: () => Promise<Result>): Promise<Result> {
  return navigator.locks.request('outbox', run);
}

/**
 * Sends a person's captures, one after the other in their order. Each leaves the device only after the service has said that it is
 * saved; sent again, it is saved no second time (`capture_link`). What is refused stays, with the reason, and holds up nobody behind it.
 */
export function sendCaptures(sender: CaptureSender): Promise<SendingEnd> {
  return holdOutbox(async () => {
    for (;;) {
      const due = (await listCaptures(sender.owner)).filter(isDue);
      const [next] = due;
      if (next === undefined) return 'done';
      const outcome = await sendOne(sender, next);
      if (outcome === 'away') return 'away';
      if (outcome === 'saved') await removeSent(sender.owner, next);
      else {
        const alike = due.filter((capture) => meetsSame(outcome, next, capture));
        const places = alike.map(({ place }) => place);
        await changeCaptures(sender.owner, places, { refusal: outcome });
      }
    }
  });
}

/** Who is behind would hear the same: a full plan is full for all of them. */
function meetsSame(refusal: CaptureRefusal, refused: WaitingCapture, other: WaitingCapture): boolean {
  if (other.place === refused.place) return true;
  switch (refusal.kind) {
    case 'signed_out':
    case 'not_allowed':
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

async function sendOne(
  { database, isConnected }: CaptureSender,
  capture: WaitingCapture,
): Promise<'saved' | 'away' | CaptureRefusal> {
  const { id, url, title, description, categoryId, sharedFolderId } = capture;
  const { data, error, status } = await database.rpc('capture_link', {
    id,
    url,
    title,
    ...(description === null ? {} : { description }),
    ...(categoryId === null ? {} : { category_id: categoryId }),
  });
  // Null: it was saved before and has been deleted since.
  if (error === null) return data === null ? 'saved' : complete(database, capture);
  const refusal = readRefusal(error);
  if (refusal.kind === 'already_saved') return 'saved';
  if (refusal.kind === 'link_limit' && sharedFolderId !== undefined)
    return { kind: 'folder_full', max: refusal.max };
  if (refusal.kind === 'link_limit' || refusal.kind === 'category_limit') return refusal;
  if (isPassing(status, error.code)) return 'away';
  if (error.code === 'PT404') return { kind: 'category_gone' };
  if (status === 401 || error.code === '42501')
    return { kind: (await isConnected()) ? 'not_allowed' : 'signed_out' };
  return { kind: 'invalid', words: error.message };
}

/** Gives a saved link what the first attempt could not: its tags, and what was changed since. It is saved all the same where that is refused. */
async function complete(
  database: DatabaseClient,
  { id, description, categoryId, tags, removedTags = [], isChanged }: WaitingCapture,
): Promise<'saved' | 'away'> {
  if (isChanged) {
    const change = { description, ...(categoryId === null ? {} : { category_id: categoryId }) };
    const { error, status } = await database.from('links').update(change).eq('id', id);
    if (error !== null && isPassing(status, error.code)) return 'away';
  }
  if (tags.length + removedTags.length === 0) return 'saved';
  const { error, status } = await database.rpc('tag_links', {
    link_ids: [id],
    added: [...tags],
    removed: [...removedTags],
  });
  return error !== null && isPassing(status, error.code) ? 'away' : 'saved';
}

/** No answer, or one that says nothing of the capture itself: it is sent again later. */
function isPassing(status: number, code: string): boolean {
  return (
    status === 0 || status >= 500 || [408, 425, 429].includes(status) || ['40001', '40P01'].includes(code)
  );
}
