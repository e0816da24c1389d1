import { toBlobKey, type WrittenBlob } from '../blobs/blob-store.ts';
import type { StorageCall } from '../open-call.ts';
import type { ObjectMetadata } from '../records/objects.ts';
import { type ObjectToWrite, type WrittenObject, writeObject } from '../records/write-object.ts';
import { forgetBlobs, forgetUnlessKept, type StorageDeps } from '../storage-deps.ts';
import type { UploadNotes } from './read-upload.ts';

/** Writes the record for good. The bytes of what it replaces go; those of a record that is refused, too. */
export async function keepRecord(
  deps: StorageDeps,
  call: StorageCall,
  key: string,
  describe: () => Promise<ObjectToWrite>,
): Promise<WrittenObject> {
  try {
    const object = await describe();
    const written = await call.write((tx) => writeObject(tx, object));
    if (written.previousVersion !== null)
      await forgetBlobs(deps, [toBlobKey(object.bucket, written.previousVersion)]);
    return written;
  } catch (error) {
    await forgetUnlessKept(deps, key, error);
    throw error;
  }
}

type FileNotes = Pick<UploadNotes, 'mimeType' | 'cacheControl' | 'contentEncoding'>;

/** What the service notes of bytes that were written, as the platform spells it. */
export function describeFile({ size, md5 }: WrittenBlob, notes: FileNotes, now: Date): ObjectMetadata {
  const { mimeType, cacheControl, contentEncoding } = notes;
  return {
    eTag: `"${md5}"`,
    size,
    mimetype: mimeType,
    cacheControl,
    ...(contentEncoding === undefined ? {} : { contentEncoding }),
    lastModified: now.toISOString(),
    contentLength: size,
    httpStatusCode: 200,
  };
}
