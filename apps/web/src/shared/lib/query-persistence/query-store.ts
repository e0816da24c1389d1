import { clear, createStore, type UseStore } from 'idb-keyval';

/**
 * Records of the browser's database in which the data last seen is kept:
 * `owner` says whose, `['query', hash]` describes a cached read, `['piece', hash, id]` holds a part of its data.
 */
export const ownerKey = 'owner';
export const queryRecordKey = (hash: string) => ['query', hash];
export const pieceRecordKey = (hash: string, id: string) => ['piece', hash, id];
// In the database's order an array comes after every text: these reach over all that begins alike.
export const allQueryRecords = () => IDBKeyRange.bound(['query'], ['query', []]);
export const piecesOf = (hash: string) => IDBKeyRange.bound(['piece', hash], ['piece', hash, []]);

/** Whose data the store holds, and which build wrote it: another build may expect other shapes. */
export interface Owner {
  readonly userId: string;
  readonly buildId: string;
}

/** A cached read without its data. */
export interface QueryRecord {
  readonly queryKey: readonly unknown[];
  readonly queryHash: string;
  readonly queryType: 'infinite' | undefined;
  readonly updatedAt: number;
  /** The parameters of the pages that are kept; null where the data is one piece. */
  readonly pageParams: readonly unknown[] | null;
  /** Ids of its pieces, in order. */
  readonly pieces: readonly string[];
  /** Characters in all pieces. */
  readonly size: number;
}

let store: UseStore | undefined;

/** The store; one connection a page. */
export function queryStore(): UseStore {
  store ??= createStore('linkoteca-last-seen', 'records');
  return store;
}

export function sameOwner(a: Owner | undefined, b: Owner): boolean {
  return a !== undefined && a.userId === b.userId && a.buildId === b.buildId;
}

/** The answer of one request to the database. */
export function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Forgets the data kept on this device. Without an owner nothing more is written either, by no tab. */
export async function wipePersistedQueries(): Promise<void> {
  await clear(queryStore());
}
