import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../kernel/database.ts';
import { toBlobKey } from '../blobs/parse-blob-key.ts';
import { forgetBlobs, forgetUnlessKept } from '../forget-blobs.ts';
import { requireValidKey } from '../judge-names.ts';
import type { StorageCall } from '../open-call.ts';
import { findObject } from '../records/find-object.ts';
import type { ObjectMetadata, StoredObject } from '../records/stored-object.ts';
import { type WrittenObject, writeObject } from '../records/write-object.ts';
import { readOwner } from '../resolve-storage-caller.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import { parseMediaType, requireMediaType, UNKNOWN_MEDIA_TYPE } from '../transfer/media-type.ts';
import { requireHeaderText } from '../transfer/read-upload.ts';
import { copyBlob } from './copy-blob.ts';
import { MOVE_BODY, type MoveBody, refuseVersionId } from './move-object.ts';
import { requireFitting } from './require-fitting.ts';

export type CopyBody = MoveBody & {
  /** Whether what the uploader noted is copied; true when left out. */
  readonly copyMetadata?: boolean;
  /** Of the copy, when the source's is not taken over. */
  readonly metadata?: { readonly cacheControl?: string; readonly mimetype?: string };
};

export const COPY_BODY = {
  ...MOVE_BODY,
  properties: {
    ...MOVE_BODY.properties,
    copyMetadata: { type: 'boolean' },
    metadata: {
      type: 'object',
      properties: { cacheControl: { type: 'string' }, mimetype: { type: 'string' } },
    },
  },
} as const;

/**
 * Copies an object that the caller sees to where the caller may write; with `upsert` over what is there.
 * @throws StorageError NoSuchKey, AccessDenied, KeyAlreadyExists, NoSuchBucket.
 */
export async function copyObject(deps: StorageDeps, call: StorageCall, body: CopyBody, upsert: boolean) {
  const { bucketId, sourceKey, destinationKey } = body;
  const destinationBucket = body.destinationBucket || bucketId;
  refuseVersionId(body.sourceVersionId);
  requireValidKey(sourceKey);
  requireValidKey(destinationKey);
  const source = await call.read((tx) => findObject(tx, bucketId, sourceKey));
  if (!source) throw storageError.noSuchKey();
  const metadata = describeCopy(source, body, deps.now());
  await requireFitting(deps, destinationBucket, metadata);
  const version = randomUUID();
  const write = (tx: Transaction) =>
    writeObject(tx, {
      bucket: destinationBucket,
      name: destinationKey,
      owner: readOwner(call.caller),
      version,
      metadata,
      userMetadata: body.copyMetadata === false ? null : source.user_metadata,
      upsert,
    });
  await call.rehearse(write);
  const key = toBlobKey(destinationBucket, version);
  const { id, previousVersion } = await copyBytes(deps, toBlobKey(bucketId, source.version), key, () =>
    call.write(write),
  );
  if (previousVersion !== null) await forgetBlobs(deps, [toBlobKey(destinationBucket, previousVersion)]);
  const copy = await call.read((tx) => findObject(tx, destinationBucket, destinationKey));
  return { Id: id, Key: `${destinationBucket}/${destinationKey}`, ...copy };
}

/** The bytes first: a record that stands has them. @throws whatever stops it, and then nothing is left. */
async function copyBytes(
  deps: StorageDeps,
  from: string,
  to: string,
  write: () => Promise<WrittenObject>,
): Promise<WrittenObject> {
  try {
    await copyBlob(deps.blobs, from, to);
    return await write();
  } catch (error) {
    await forgetUnlessKept(deps, to, error);
    throw error;
  }
}

/** The type is read anew in either case: a copy of what nobody would take today is no way in. */
function describeCopy({ metadata }: StoredObject, body: CopyBody, now: Date): ObjectMetadata | null {
  if (!metadata) return null;
  const wish = (body.copyMetadata === false && body.metadata) || {};
  const cacheControl = requireHeaderText('cacheControl', wish.cacheControl);
  return {
    ...metadata,
    ...(cacheControl === undefined ? {} : { cacheControl }),
    mimetype:
      wish.mimetype === undefined
        ? (parseMediaType(metadata.mimetype) ?? UNKNOWN_MEDIA_TYPE)
        : requireMediaType(wish.mimetype),
    lastModified: now.toISOString(),
  };
}
