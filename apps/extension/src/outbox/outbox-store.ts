import { createStore, type UseStore } from 'idb-keyval';
import type { Capture, CaptureRefusal, WaitingCapture } from './capture.ts';

/** As many captures wait for one person, at most. */
export const MOST_WAITING = 500;

/** More captures than may wait. */
export class OutboxFull extends Error {
  override readonly name = 'OutboxFull';
}

// One record a capture, under whose it is and its place: a person's are one range, in the order in which they were captured.
const keyOf = (owner: string, place: number) => [owner, place];
const allOf = (owner: string) => IDBKeyRange.bound([owner], [owner, []]);

let store: UseStore | undefined;
function outboxStore(): UseStore {
  store ??= createStore('linkoteca-outbox', 'captures');
  return store;
}

const CHANNEL = 'linkoteca-outbox';

/** Calls back when captures come, go or change, in any page of the extension or its background. Returns the way out. */
export function watchOutbox(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = listener;
  return () => channel.close();
}

function tellAll(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(null);
  channel.close();
}

/** Changes records in one transaction. Resolves once all of it is really kept; all of it or nothing. */
async function write(change: (records: IDBObjectStore) => void): Promise<void> {
  await outboxStore()('readwrite', (records) => {
    const { transaction } = records;
    const written = new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve());
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('not kept')));
    });
    change(records);
    return written;
  });
  tellAll();
}

/**
 * Puts captures at the end of a person's line, all of them or none.
 * @param owner whose they are (`ownerOf`).
 * @throws OutboxFull; DOMException where the browser keeps nothing.
 */
export async function addCaptures(owner: string, captures: readonly Capture[]): Promise<void> {
  let isFull = false;
  await write((records) => {
    const keys = records.getAllKeys(allOf(owner));
    keys.onsuccess = () => {
      isFull = keys.result.length + captures.length > MOST_WAITING;
      if (isFull) return;
      const last = keys.result.at(-1);
      // After the clock too: a place is not given again once its capture has gone.
      const first = Math.max(Array.isArray(last) ? Number(last[1]) : 0, Date.now()) + 1;
      for (const [at, capture] of captures.entries()) {
        const waiting: WaitingCapture = { ...capture, place: first + at, refusal: null, isChanged: false };
        records.put(waiting, keyOf(owner, waiting.place));
      }
    };
  });
  if (isFull) throw new OutboxFull('too many captures wait');
}

/** A person's captures that wait, the first one first. @throws DOMException as above. */
export function listCaptures(owner: string): Promise<readonly WaitingCapture[]> {
  return outboxStore()(
    'readonly',
    (records) =>
      new Promise<readonly WaitingCapture[]>((resolve, reject) => {
        const all: IDBRequest<WaitingCapture[]> = records.getAll(allOf(owner));
        all.onsuccess = () => resolve(all.result);
        all.onerror = () => reject(all.error);
      }),
  );
}

/** Takes captures out: they are saved, or nobody wants them. */
export async function removeCaptures(owner: string, places: readonly number[]): Promise<void> {
  await write((records) => {
    for (const place of places) records.delete(keyOf(owner, place));
  });
}

/** Takes out a capture that was sent as it is here: one that was changed meanwhile stays, and so does another in its place. */
export async function removeSent(owner: string, sent: WaitingCapture): Promise<void> {
  await write((records) => {
    const key = keyOf(owner, sent.place);
    const found: IDBRequest<WaitingCapture | undefined> = records.get(key);
    found.onsuccess = () => {
      if (JSON.stringify(found.result) === JSON.stringify(sent)) records.delete(key);
    };
  });
}

/** Changes captures where they stand; one that has gone meanwhile stays away. */
export async function changeCaptures(
  owner: string,
  places: readonly number[],
  change: Partial<Omit<WaitingCapture, 'id' | 'place'>> & { readonly refusal: CaptureRefusal | null },
): Promise<void> {
  await write((records) => {
    for (const place of places) {
      const found: IDBRequest<WaitingCapture | undefined> = records.get(keyOf(owner, place));
      found.onsuccess = () => {
        if (found.result) records.put({ ...found.result, ...change }, keyOf(owner, place));
      };
    }
  });
}
