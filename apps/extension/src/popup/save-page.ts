import { findKept, listPlaces, type Place, readLink, type SavedLink } from '../library/library.ts';
import type { Capture, WaitingCapture } from '../outbox/capture.ts';
import { capture } from '../outbox/outbox.ts';
import { listCaptures } from '../outbox/outbox-store.ts';
import { describeCapture, isTooLong } from '../page/describe-capture.ts';
import { findPage } from '../page/find-page.ts';
import type { PageTab } from '../page/take-picture.ts';
import { type Connection, ownerOf } from '../session/session-store.ts';
import { openDatabase } from '../session/tokens.ts';
import { askBackground } from '../shared/messages.ts';

/** How a press of the button went. */
export type Outcome =
  | { readonly kind: 'unsavable'; readonly why: 'no_page' | 'too_long' }
  /** The browser keeps nothing, or too much waits. */
  | { readonly kind: 'not_kept' }
  /** In the library: just now, or `wasThere` before. */
  | {
      readonly kind: 'saved';
      readonly link: SavedLink;
      readonly places: readonly Place[];
      readonly wasThere: boolean;
      /** It was moved here, and may be where it was as well. */
      readonly isLeftBehind?: boolean;
      /** What a further press would save. */
      readonly found: Capture;
      /** Where its page was seen; null for one that was put elsewhere or had to wait. */
      readonly tab: PageTab | null;
    }
  | { readonly kind: 'waiting'; readonly capture: WaitingCapture }
  /** Saved, and not seen since: the connection went in between. */
  | { readonly kind: 'unseen' };

/** So long the library is asked whether it has the page, milliseconds: a slow network is no reason not to save. */
const LOOK_UP_MS = 1_500;

/** Saves the page in front, unless the library has it already. */
export async function savePage(connection: Connection): Promise<Outcome> {
  const page = await findPage();
  const found = page && describeCapture(page, crypto.randomUUID());
  if (!found) return { kind: 'unsavable', why: page && isTooLong(page.url) ? 'too_long' : 'no_page' };
  const { tab } = page;
  const kept = await lookUp(connection, found.url);
  return kept === null ? saveCapture(connection, found, tab) : { ...kept, found, tab };
}

/**
 * Keeps a capture on the device, has it sent, and tells what became of it.
 * @param tab where its page is seen, and may have a picture.
 */
export async function saveCapture(
  connection: Connection,
  found: Capture,
  tab: PageTab | null = null,
): Promise<Outcome> {
  try {
    await capture(connection, [found]);
  } catch {
    return { kind: 'not_kept' };
  }
  const seen = tab === null ? {} : { seen: { owner: ownerOf(connection), linkId: found.id, tab } };
  await askBackground({ kind: 'send-outbox', ...seen });
  return followCapture(connection, found);
}

/**
 * Puts a link that was just saved into another library: it is saved there first, and then taken back here. Tags stay behind: they are
 * each owner's own.
 * @returns null where it could not be saved there, and stays as it was; 'both' where it stays, and may be there as well
 */
export async function saveElsewhere(
  connection: Connection,
  { link, found }: Extract<Outcome, { kind: 'saved' }>,
  { id: categoryId, ownerId, folderId }: Place,
): Promise<Outcome | 'both' | null> {
  const again: Capture = {
    ...found,
    id: crypto.randomUUID(),
    title: link.title,
    description: link.description,
    tags: [],
    categoryId,
    sharedFolderId: ownerId === null ? undefined : folderId,
  };
  const saved = await saveCapture(connection, again);
  if (saved.kind === 'not_kept') return null;
  const isThere = saved.kind === 'saved';
  const { ok } = await askBackground({ kind: 'undo', ids: [isThere ? link.id : again.id] });
  if (isThere) return { ...saved, isLeftBehind: !ok };
  return ok ? null : 'both';
}

/** What has become of a capture. */
export async function followCapture(connection: Connection, found: Capture): Promise<Outcome> {
  const left = (await listCaptures(ownerOf(connection))).find(({ id }) => id === found.id);
  if (left !== undefined) return { kind: 'waiting', capture: left };
  const seen = await show(connection, found.id).catch(() => null);
  return seen === null ? { kind: 'unseen' } : { ...seen, wasThere: false, found, tab: null };
}

type Seen = Omit<Extract<Outcome, { kind: 'saved' }>, 'found' | 'tab' | 'wasThere'>;

async function show(connection: Connection, id: string): Promise<Seen | null> {
  const database = openDatabase(connection);
  const [link, places] = await Promise.all([
    readLink(database, id),
    listPlaces(database, connection.session.userId),
  ]);
  return link && { kind: 'saved', link, places };
}

async function lookUp(connection: Connection, url: string) {
  if (connection.hasEnded || !navigator.onLine) return null;
  const look = async () => {
    const id = await findKept(openDatabase(connection), url);
    const seen = id === null ? null : await show(connection, id);
    return seen && { ...seen, wasThere: true };
  };
  const tooLate = new Promise<null>((resolve) => setTimeout(() => resolve(null), LOOK_UP_MS));
  return Promise.race([look().catch(() => null), tooLate]);
}
