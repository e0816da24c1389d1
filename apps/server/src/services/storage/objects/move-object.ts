import { randomUUID } from 'node:crypto';
import { toBlobKey } from '../blobs/parse-blob-key.ts';
import { forgetBlobs, forgetUnlessKept } from '../forget-blobs.ts';
import { requireValidKey } from '../judge-names.ts';
import type { StorageCall } from '../open-call.ts';
import { findObject } from '../records/find-object.ts';
import { moveRecord, type RecordMove } from '../records/move-record.ts';
import type { StoredObject } from '../records/stored-object.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import { copyBlob } from './copy-blob.ts';
import { requireFitting } from './require-fitting.ts';

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
  await requireFitting(deps, to.bucket, found.metadata);
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
