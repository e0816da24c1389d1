import { BlobMissingError, type BlobStore } from '../blobs/blob-store.ts';
import { storageError } from '../storage-error.ts';

/** @throws StorageError NoSuchKey when the source was deleted or written over at this very moment. */
export async function copyBlob(blobs: BlobStore, from: string, to: string): Promise<void> {
  await blobs.copy(from, to).catch((error: unknown) => {
    throw error instanceof BlobMissingError ? storageError.noSuchKey(error) : error;
  });
}
