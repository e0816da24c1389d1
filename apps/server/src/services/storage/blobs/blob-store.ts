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
