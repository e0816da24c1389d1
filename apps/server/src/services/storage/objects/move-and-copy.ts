import { randomUUID } from 'node:crypto';
import { asStorageAdmin, type Transaction } from '../../../kernel/database.ts';
import { BlobMissingError, type BlobStore, toBlobKey } from '../blobs/blob-store.ts';
import { readOwner, type StorageCall } from '../open-call.ts';
import { findBucket } from '../records/buckets.ts';
import { findObject, type ObjectMetadata, type ObjectName, type StoredObject } from '../records/objects.ts';
import {
  moveRecord,
  type ObjectToWrite,
  type RecordMove,
  type WrittenObject,
  writeObject,
} from '../records/write-object.ts';
import { forgetBlobs, forgetUnlessKept, type StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import { isFolderMark } from '../transfer/file-rules.ts';
import {
  isMediaTypeAllowed,
  parseMediaType,
  requireMediaType,
  UNKNOWN_MEDIA_TYPE,
} from '../transfer/media-type.ts';
import { requireHeaderText } from '../transfer/read-upload.ts';
import { requireValidKey } from '../validate-names.ts';

export type MoveBody = {
  readonly bucketId: string;
  readonly sourceKey: string;
  readonly destinationKey: string;
  readonly destinationBucket?: string;
  readonly sourceVersionId?: string;
};

export const MOVE_BODY = {
  type: 'object',
  properties: {
    bucketId: { type: 'string' },
    sourceKey: { type: 'string' },
    destinationKey: { type: 'string' },
    destinationBucket: { type: 'string' },
    sourceVersionId: { type: 'string' },
  },
  required: ['bucketId', 'sourceKey', 'destinationKey'],
} as const;

/**
 * Gives an object another name. Within its bucket no byte moves.
 * @throws StorageError NoSuchKey also for an object that the caller may not change; AccessDenied, KeyAlreadyExists, NoSuchBucket.
 */
export async function moveObject(deps: StorageDeps, call: StorageCall, body: MoveBody) {
  const { bucketId, sourceKey, destinationKey } = body;
  const destinationBucket = body.destinationBucket || bucketId;
  refuseVersionId(body.sourceVersionId);
  const from = { bucket: bucketId, name: requireValidKey(sourceKey) };
  const to = { bucket: destinationBucket, name: requireValidKey(destinationKey) };
  const { id } =
    to.bucket === from.bucket
      ? await call.write((tx) => moveRecord(tx, { from, to }))
      : await moveAcross(deps, call, { from, to });
  return { message: 'Successfully moved', Id: id, Key: `${to.bucket}/${to.name}` };
}

/** The bytes are copied first and removed last, so that at no moment a record stands without them. */
async function moveAcross(
  deps: StorageDeps,
  call: StorageCall,
  { from, to }: RecordMove,
): Promise<StoredObject> {
  const found = await call.read((tx) => findObject(tx, from.bucket, from.name));
  if (!found) throw storageError.noSuchKey();
  await call.rehearse((tx) => moveRecord(tx, { from, to }));
  await requireFitting(deps, to, found.metadata);
  const bytes = { copiedFrom: found.version, version: randomUUID() };
  const [source, target] = [toBlobKey(from.bucket, found.version), toBlobKey(to.bucket, bytes.version)];
  try {
    await copyBlob(deps.blobs, source, target);
    const moved = await call.write((tx) => moveRecord(tx, { from, to, bytes }));
    await forgetBlobs(deps, [source]);
    return moved;
  } catch (error) {
    await forgetUnlessKept(deps, target, error);
    throw error;
  }
}

/** No older state of an object is kept: asking for one must not touch the present one. */
export function refuseVersionId(versionId: string | undefined): void {
  if (versionId) throw storageError.featureNotEnabled('versioning');
}

export type CopyBody = MoveBody & {
  /** Whether what the uploader noted is copied; true when left out. Else the header `x-metadata` says what is noted of the copy. */
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

export type CopyWish = Pick<ObjectToWrite, 'upsert' | 'ifMatch'> & {
  /** What is noted of the copy where the source's notes stay behind. */
  readonly userMetadata: Readonly<Record<string, unknown>> | null;
  /** How the bytes are packed already; null: not at all, undefined: as it is noted of the source. */
  readonly contentEncoding?: string | null | undefined;
  /** @throws StorageError for a source in another state than the one that is asked for. */
  readonly requireSource?: (source: StoredObject) => void;
};

/**
 * Copies an object that the caller sees to where the caller may write; with `upsert` over what is there.
 * @throws StorageError NoSuchKey, AccessDenied, KeyAlreadyExists, NoSuchBucket, and what `requireSource` throws.
 */
export async function copyObject(deps: StorageDeps, call: StorageCall, body: CopyBody, wish: CopyWish) {
  const { bucketId, sourceKey, destinationKey } = body;
  const destinationBucket = body.destinationBucket || bucketId;
  refuseVersionId(body.sourceVersionId);
  requireValidKey(sourceKey);
  requireValidKey(destinationKey);
  const source = await call.read((tx) => findObject(tx, bucketId, sourceKey));
  if (!source) throw storageError.noSuchKey();
  wish.requireSource?.(source);
  const metadata = describeCopy(source, body, wish, deps.now());
  await requireFitting(deps, { bucket: destinationBucket, name: destinationKey }, metadata);
  const version = randomUUID();
  const write = (tx: Transaction) =>
    writeObject(tx, {
      bucket: destinationBucket,
      name: destinationKey,
      owner: readOwner(call.caller),
      version,
      metadata,
      userMetadata: body.copyMetadata === false ? wish.userMetadata : source.user_metadata,
      ...{ upsert: wish.upsert, ifMatch: wish.ifMatch },
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
function describeCopy(
  { metadata }: StoredObject,
  body: CopyBody,
  { contentEncoding = metadata?.contentEncoding }: Pick<CopyWish, 'contentEncoding'>,
  now: Date,
): ObjectMetadata | null {
  if (!metadata) return null;
  const { contentEncoding: _, ...kept } = metadata;
  const wish = (body.copyMetadata === false && body.metadata) || {};
  const cacheControl = requireHeaderText('cacheControl', wish.cacheControl);
  return {
    ...kept,
    ...(contentEncoding == null ? {} : { contentEncoding }),
    ...(cacheControl === undefined ? {} : { cacheControl }),
    mimetype:
      wish.mimetype === undefined
        ? (parseMediaType(metadata.mimetype) ?? UNKNOWN_MEDIA_TYPE)
        : requireMediaType(wish.mimetype),
    lastModified: now.toISOString(),
  };
}

/** @throws StorageError NoSuchKey when the source was deleted or written over at this very moment. */
async function copyBlob(blobs: BlobStore, from: string, to: string): Promise<void> {
  await blobs.copy(from, to).catch((error: unknown) => {
    throw error instanceof BlobMissingError ? storageError.noSuchKey(error) : error;
  });
}

/** What a bucket refuses of uploads it refuses of copies too. @throws StorageError NoSuchBucket, EntityTooLarge, InvalidMimeType. */
async function requireFitting(
  { db }: StorageDeps,
  to: ObjectName,
  metadata: ObjectMetadata | null,
): Promise<void> {
  const bucket = await asStorageAdmin(db, 'what the bucket allows', (tx) => findBucket(tx, to.bucket));
  if (!bucket) throw storageError.noSuchBucket();
  const isMark = isFolderMark(to.name);
  const limit = isMark ? 0 : bucket.file_size_limit;
  if (limit !== null && (metadata?.size ?? 0) > limit) throw storageError.tooLarge();
  if (isMark) return;
  const type = parseMediaType(metadata?.mimetype) ?? UNKNOWN_MEDIA_TYPE;
  if (!isMediaTypeAllowed(type, bucket.allowed_mime_types)) throw storageError.invalidMimeType(type);
}
