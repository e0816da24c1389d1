import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { BlobMissingError, toBlobKey } from '../blobs/blob-store.ts';
import { readOwner, type StorageCall } from '../open-call.ts';
import {
  completeUpload,
  giveTurnBack,
  keepTurn,
  type ResumableUpload,
  removeUpload,
  takeTurn,
} from '../records/resumable-uploads.ts';
import { forgetBlobs, type StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import { describeFile, keepRecord } from '../transfer/keep-record.ts';
import { readUploadNotes } from './upload-notes.ts';

/**
 * Makes a file of an upload of which every byte is kept: puts its parts together and writes the record, as the caller, whose policies
 * decide once more. Whatever is killed in between leaves the parts, and the next request for the upload finishes it.
 * @throws StorageError ResourceLocked while another copy of the server does it; AccessDenied, KeyAlreadyExists.
 */
export async function finishUpload(
  deps: StorageDeps,
  call: StorageCall,
  upload: ResumableUpload,
): Promise<void> {
  const version = randomUUID();
  const parts = await takeTurn(deps.db, upload.id, version);
  if (parts === undefined) throw storageError.resourceLocked();
  try {
    await writeFile(deps, call, { ...upload, parts }, version);
  } catch (error) {
    if (error instanceof BlobMissingError) {
      await removeUpload(deps.db, upload.id);
      throw storageError.noSuchUpload(error);
    }
    await giveTurnBack(deps.db, upload.id, version);
    throw error;
  }
  await closeUpload(deps, { ...upload, parts });
}

/** Notes that an upload has become a file, and lets its parts go. */
export async function closeUpload(
  deps: StorageDeps,
  { id, bucket_id: bucket, parts }: Pick<ResumableUpload, 'id' | 'bucket_id' | 'parts'>,
): Promise<void> {
  await completeUpload(deps.db, id);
  await forgetBlobs(
    deps,
    parts.map((part) => toBlobKey(bucket, part)),
  );
}

async function writeFile(
  deps: StorageDeps,
  call: StorageCall,
  upload: ResumableUpload,
  version: string,
): Promise<void> {
  const { bucket_id: bucket, name, upsert, upload_length: length } = upload;
  const key = toBlobKey(bucket, version);
  const body = Readable.from(joinParts(deps, upload, version));
  const blob = await deps.blobs.write(key, body, { maxBytes: length });
  const notes = readUploadNotes(upload.metadata);
  await keepRecord(deps, call, key, async () => {
    if (blob.size !== length) throw new Error(`an upload of ${length} bytes has ${blob.size}`);
    await requireTurn(deps, upload.id, version);
    const metadata = describeFile(blob, notes, deps.now());
    const owner = readOwner(call.caller);
    return { bucket, name, upsert, owner, version, metadata, userMetadata: notes.userMetadata };
  });
}

async function* joinParts(
  deps: StorageDeps,
  { id, bucket_id: bucket, parts }: ResumableUpload,
  version: string,
) {
  for (const part of parts) {
    await requireTurn(deps, id, version);
    yield* await deps.blobs.read(toBlobKey(bucket, part));
  }
}

async function requireTurn({ db }: StorageDeps, id: string, version: string): Promise<void> {
  if (!(await keepTurn(db, id, version))) throw storageError.resourceLocked();
}
