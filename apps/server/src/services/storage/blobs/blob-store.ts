import type { Readable } from 'node:stream';

/** The first and the last byte wanted, both counted from 0 and both included, as HTTP counts them. */
export type ByteRange = { readonly start: number; readonly end: number };

export type WrittenBlob = {
  readonly size: number;
  /** Hexadecimal. */
  readonly md5: string;
};

export type ListedBlob = { readonly key: string; readonly modifiedAt: Date };

/**
 * Where the bytes of stored files lie. A key is `<bucket id>/<version>`, the version a fresh UUID of every write: what is written
 * once never changes, so readers and writers never meet.
 */
export type BlobStore = {
  /**
   * Takes the bytes as they come; they can be read once the promise resolves, and not before.
   * @throws BlobTooLargeError beyond `maxBytes`; whatever is thrown, nothing of the bytes is left.
   */
  write(key: string, body: Readable, limits: { readonly maxBytes: number }): Promise<WrittenBlob>;
  /** @throws BlobMissingError before the first byte. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** @throws BlobMissingError when there is nothing under `from`. */
  copy(from: string, to: string): Promise<void>;
  /** Keys under which there is nothing are no error. */
  remove(keys: readonly string[]): Promise<void>;
  /** Everything that was written and not removed. */
  list(): AsyncIterable<ListedBlob>;
  /** Throws away what writes that never ended have left, if they began before that moment. */
  removeUnfinished(before: Date): Promise<void>;
};

/** More bytes came than the writer allows. */
export class BlobTooLargeError extends Error {
  override readonly name = 'BlobTooLargeError';
}

/** There are no bytes under the key: its record was removed at this very moment, or the store has lost them. */
export class BlobMissingError extends Error {
  override readonly name = 'BlobMissingError';
}

type BlobKey = { readonly bucketId: string; readonly version: string };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The key under which a version of a file in a bucket lies. */
export function toBlobKey(bucketId: string, version: string): string {
  return `${bucketId}/${version}`;
}

/**
 * Takes a key apart: a bucket's id, which never has a slash, and a version in the form that `randomUUID` writes. Undefined for
 * anything else, so that nothing but what the server wrote is ever touched.
 */
export function parseBlobKey(key: string): BlobKey | undefined {
  const slash = key.lastIndexOf('/');
  const [bucketId, version] = [key.slice(0, slash), key.slice(slash + 1)];
  if (slash < 1 || bucketId.includes('/') || bucketId.includes('\0') || !UUID.test(version)) return undefined;
  return { bucketId, version };
}

/**
 * A bucket's id as a part of a path: no dot and no separator is left in it, so it is never `..`, and no server or file system reads
 * anything else in it.
 */
export function encodeBucketId(bucketId: string): string {
  return encodeURIComponent(bucketId).replaceAll('.', '%2E');
}

/** The id again. Somebody else's name need not be an encoding: it is answered with one that no bucket has. */
export function decodeBucketId(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return '';
  }
}

/** A sender may go away while a store still makes its file: nobody listens to the stream yet, and its error must wait for who does. */
export function keepErrorForReader(body: Readable): void {
  body.on('error', () => undefined);
}
