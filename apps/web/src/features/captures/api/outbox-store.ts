import { createStore, type UseStore } from 'idb-keyval';
import { log } from '../../../shared/lib/log.ts';
import { answerOf } from '../../../shared/lib/query-persistence/query-store.ts';
import type { Capture, WaitingCapture } from '../model/capture.ts';

/** As many captures wait on one device for one person, at most. */
export const MOST_WAITING = 500;

/** More captures than may wait on a device. */
export class OutboxFull extends Error {
  override readonly name = 'OutboxFull';
}

// One record a capture, under its person and its place: a person's are one range, in the order in which they were captured.
const keyOf = (userId: string, place: number) => [userId, place];
const allOf = (userId: string) => IDBKeyRange.bound([userId], [userId, []]);

let store: UseStore | undefined;
function outboxStore(): UseStore {
  store ??= createStore('linkoteca-outbox', 'captures');
  return store;
}

const listeners = new Set<() => void>();
let channel: BroadcastChannel | undefined;

/** Calls back when captures come or go, in this tab or another. Returns the way out. */
export function watchOutbox(listener: () => void): () => void {
  channel ??= openChannel();
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    channel?.close();
    channel = undefined;
  };
}

/** Nothing where the browser has none, or the page may not use it. */
function openChannel(): BroadcastChannel | undefined {
  try {
    const opened = new BroadcastChannel('linkoteca-outbox');
    opened.onmessage = tell;
    return opened;
  } catch {
    return undefined;
  }
}

function tell(): void {
  for (const listener of [...listeners]) listener();
}

function tellAll(): void {
  tell();
  channel?.postMessage(null);
}

/**
 * Puts captures at the end of a person's line, all of them or none.
 * @throws OutboxFull; DOMException where the browser keeps nothing.
 */
export async function addCaptures(userId: string, captures: readonly Capture[]): Promise<void> {
  let isFull = false;
  await write((records) => {
    const keys = records.getAllKeys(allOf(userId));
    keys.onsuccess = () => {
      const places = keys.result.map((key) => (Array.isArray(key) ? Number(key[1]) : 0));
      isFull = places.length + captures.length > MOST_WAITING;
      if (isFull) return;
      // After the clock too: a place is not given again once its capture has gone.
      const last = Math.max(places.at(-1) ?? 0, Date.now());
      putAll(
        records,
        userId,
        captures.map((capture, at) => ({
          ...capture,
          place: last + 1 + at,
          capturedAt: Date.now(),
          refusal: null,
        })),
      );
    };
  });
  if (isFull) throw new OutboxFull('too many captures wait');
  tellAll();
}

/** Changes records in a transaction, by requests that follow one another within it. Resolves once all of it is really kept. */
function write(change: (records: IDBObjectStore) => void): Promise<void> {
  return outboxStore()('readwrite', (records) => {
    const { transaction } = records;
    const written = new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve());
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('not kept')));
    });
    change(records);
    return written;
  });
}

/** All of them or none: what cannot be put takes the others back. */
function putAll(records: IDBObjectStore, userId: string, captures: readonly WaitingCapture[]): void {
  try {
    for (const capture of captures) records.put(capture, keyOf(userId, capture.place));
  } catch (error) {
    log.warn('a capture could not be kept', error);
    records.transaction.abort();
  }
}

/** A person's captures that wait on this device, the first one first. @throws DOMException as above. */
export function listCaptures(userId: string): Promise<readonly WaitingCapture[]> {
  return outboxStore()('readonly', (records) => answerOf<WaitingCapture[]>(records.getAll(allOf(userId))));
}

/** Takes captures out: they are saved, or nobody wants them. */
export async function removeCaptures(userId: string, places: readonly number[]): Promise<void> {
  if (places.length === 0) return;
  await write((records) => {
    for (const place of places) records.delete(keyOf(userId, place));
  });
  tellAll();
}

/** Takes out a capture that was sent as it is here: one that was changed meanwhile stays, and so does another in its place. */
export async function removeSent(userId: string, sent: WaitingCapture): Promise<void> {
  await write((records) => {
    const key = keyOf(userId, sent.place);
    const found: IDBRequest<WaitingCapture | undefined> = records.get(key);
    found.onsuccess = () => {
      if (JSON.stringify(found.result) === JSON.stringify(sent)) records.delete(key);
    };
  });
  tellAll();
}

/** Changes captures where they stand; one that has gone meanwhile stays away. */
export async function changeCaptures(
  userId: string,
  places: readonly number[],
  change: Pick<WaitingCapture, 'refusal'>,
): Promise<void> {
  await write((records) => {
    for (const place of places) {
      const found: IDBRequest<WaitingCapture | undefined> = records.get(keyOf(userId, place));
      found.onsuccess = () => {
        if (found.result) putAll(records, userId, [{ ...found.result, ...change }]);
      };
    }
  });
  tellAll();
}

/**
 * Changes a capture as its form says. One that has gone meanwhile is put back: what was sent is as it was before the change.
 * @throws DOMException as above.
 */
export async function editCapture(
  userId: string,
  capture: WaitingCapture,
  change: Partial<Omit<Capture, 'id'>>,
): Promise<void> {
  await write((records) => {
    const found: IDBRequest<WaitingCapture | undefined> = records.get(keyOf(userId, capture.place));
    found.onsuccess = () =>
      putAll(records, userId, [{ ...(found.result ?? capture), ...change, edited: true, refusal: null }]);
  });
  tellAll();
}

/** As listCaptures; nothing where the browser keeps nothing. */
export async function readCaptures(userId: string): Promise<readonly WaitingCapture[]> {
  try {
    return await listCaptures(userId);
  } catch (error) {
    log.warn('the captures that wait on this device cannot be read', error);
    return [];
  }
}
