import { asStorageAdmin } from '../../../kernel/database.ts';
import { findBucket } from '../records/buckets.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import { type FileAddress, isMediaTypeAllowed } from './media-type.ts';

/** The file with which the platform's tools mark an empty folder: no bytes, of any type. */
const FOLDER_MARK = /(?:^|\/)\.emptyFolderPlaceholder$/;

export function isFolderMark(name: string): boolean {
  return FOLDER_MARK.test(name);
}

export type FileRules = {
  /** No file of this name may be larger. */
  readonly maxBytes: number;
  /** @throws StorageError for a parsed media type that the bucket does not take. */
  requireMediaType(mimeType: string): void;
};

/** What a bucket allows of a file of that name, whoever sends it. @throws StorageError NoSuchBucket. */
export async function findFileRules(
  { db, settings }: StorageDeps,
  { bucket: bucketId, name }: FileAddress,
): Promise<FileRules> {
  const bucket = await asStorageAdmin(db, 'read what a bucket allows', (tx) => findBucket(tx, bucketId));
  if (!bucket) throw storageError.noSuchBucket();
  const isMark = isFolderMark(name);
  const limit = Math.min(bucket.file_size_limit ?? settings.fileSizeLimit, settings.fileSizeLimit);
  return {
    maxBytes: isMark ? 0 : limit,
    requireMediaType(mimeType) {
      if (!isMark && !isMediaTypeAllowed(mimeType, bucket.allowed_mime_types))
        throw storageError.invalidMimeType(mimeType);
    },
  };
}
