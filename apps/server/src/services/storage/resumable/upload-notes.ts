import type { UploadMetadata } from '../records/resumable-uploads.ts';
import { DEFAULT_CACHE_CONTROL } from '../transfer/build-file-headers.ts';
import { type FileAddress, requireMediaType } from '../transfer/media-type.ts';
import { readUserMetadata, type UserMetadata } from '../transfer/read-upload.ts';
import { requireValidBucketName, requireValidKey } from '../validate-names.ts';

export type UploadNotes = {
  readonly mimeType: string;
  readonly cacheControl: string;
  readonly contentEncoding: undefined;
  readonly userMetadata: UserMetadata | null;
};

/** Which file is sent. @throws StorageError for names that no bucket or file can have, and for none. */
export function readUploadAddress({ bucketName, objectName }: UploadMetadata): FileAddress {
  return { bucket: requireValidBucketName(bucketName ?? ''), name: requireValidKey(objectName ?? '') };
}

/** What is said of the file; as on the platform `cacheControl` is a number of seconds. @throws StorageError for a type that is none. */
export function readUploadNotes({ contentType, cacheControl, metadata }: UploadMetadata): UploadNotes {
  const seconds = /^\d{1,10}$/.test(cacheControl ?? '') ? cacheControl : undefined;
  return {
    mimeType: requireMediaType(contentType ?? undefined),
    cacheControl: seconds === undefined ? DEFAULT_CACHE_CONTROL : `max-age=${seconds}`,
    contentEncoding: undefined,
    userMetadata: readUserMetadata(metadata ?? undefined),
  };
}
