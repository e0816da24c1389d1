import { createStore, type UseStore } from 'idb-keyval';
import { log } from '../../../shared/lib/log.ts';
import { answerOf } from '../../../shared/lib/query-persistence/query-store.ts';
import type { Capture, CaptureRefusal, WaitingCapture } from '../model/capture.ts';

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
  if (channel === undefined && typeof BroadcastChannel !== 'undefined') {
    channel = new BroadcastChannel('linkoteca-outbox');
    channel.onmessage = tell;
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    channel?.close();
    channel = undefined;
  };
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
  await outboxStore()('readwrite', async (records) => {
    const written = committed(records.transaction);
    const places = (await answerOf(records.getAllKeys(allOf(userId)))).map((key) =>
      Array.isArray(key) ? Number(key[1]) : 0,
    );
    if (places.length + captures.length > MOST_WAITING) {
      await written;
      throw new OutboxFull('too many captures wait');
    }
    const last = places.at(-1) ?? 0;
    const capturedAt = Date.now();
    await Promise.all(
      captures.map((capture, at) => {
        const waiting: WaitingCapture = { ...capture, place: last + 1 + at, capturedAt, refusal: null };
        return answerOf(records.put(waiting, keyOf(userId, waiting.place)));
      }),
    );
    await written;
  });
  tellAll();
}

/** Once it is really kept: a request that succeeded may be lost with its transaction. */
function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('not kept')));
  });
}

/** A person's captures that wait on this device, the first one first. @throws DOMException as above. */
export function listCaptures(userId: string): Promise<readonly WaitingCapture[]> {
  return outboxStore()('readonly', (records) => answerOf<WaitingCapture[]>(records.getAll(allOf(userId))));
}

/** Takes captures out: they are saved, or nobody wants them. */
export async function removeCaptures(userId: string, places: readonly number[]): Promise<void> {
  if (places.length === 0) return;
  await outboxStore()('readwrite', (records) =>
    Promise.all(places.map((place) => answerOf(records.delete(keyOf(userId, place))))),
  );
  tellAll();
}

/** Changes captures where they stand; one that has gone meanwhile stays away. */
export async function changeCaptures(
  userId: string,
  places: readonly number[],
  change: Partial<Omit<Capture, 'id'>> & { readonly refusal: CaptureRefusal | null },
): Promise<void> {
  await outboxStore()('readwrite', (records) =>
    Promise.all(
      places.map(async (place) => {
        const key = keyOf(userId, place);
        const waiting = await answerOf<WaitingCapture | undefined>(records.get(key));
        if (waiting) await answerOf(records.put({ ...waiting, ...change }, key));
      }),
    ),
  );
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
