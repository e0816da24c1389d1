import { asStorageAdmin } from '../../../kernel/database.ts';
import { findBucket } from '../records/find-bucket.ts';
import type { ObjectMetadata } from '../records/stored-object.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import { isMediaTypeAllowed, parseMediaType, UNKNOWN_MEDIA_TYPE } from '../transfer/media-type.ts';

/** What a bucket refuses of uploads it refuses of copies too. @throws StorageError NoSuchBucket, EntityTooLarge, InvalidMimeType. */
export async function requireFitting(
  { db }: StorageDeps,
  bucketId: string,
  metadata: ObjectMetadata | null,
): Promise<void> {
  const bucket = await asStorageAdmin(db, 'what the bucket allows', (tx) => findBucket(tx, bucketId));
  if (!bucket) throw storageError.noSuchBucket();
  if (bucket.file_size_limit !== null && (metadata?.size ?? 0) > bucket.file_size_limit)
    throw storageError.tooLarge();
  const type = parseMediaType(metadata?.mimetype) ?? UNKNOWN_MEDIA_TYPE;
  if (!isMediaTypeAllowed(type, bucket.allowed_mime_types)) throw storageError.invalidMimeType(type);
}
