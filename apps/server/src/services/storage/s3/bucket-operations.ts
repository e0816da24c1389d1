import { asStorageAdmin } from '../../../kernel/database.ts';
import { createBucket } from '../buckets/create-bucket.ts';
import { deleteBucket } from '../buckets/delete-bucket.ts';
import { readOwner } from '../open-call.ts';
import { findBucket } from '../records/buckets.ts';
import { listBuckets } from '../records/list-buckets.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import type { S3Operation, S3Request } from './request.ts';
import { sendXml } from './xml.ts';

/** GET /: the buckets that the caller sees. */
export const listAllBuckets: S3Operation = async ({ call, reply }) => {
  const buckets = await call.read((tx) => listBuckets(tx, {}));
  const id = readOwner(call.caller) ?? call.caller.role;
  return sendXml(reply, 'ListAllMyBucketsResult', {
    Owner: { ID: id, DisplayName: id },
    Buckets: {
      Bucket: buckets.map(({ name, created_at: createdAt }) => ({
        Name: name,
        CreationDate: createdAt.toISOString(),
      })),
    },
  });
};

/** PUT /BUCKET */
export const putBucket: S3Operation = async ({ call, deps, reply, bucket }) => {
  await createBucket(call, { name: bucket }, deps.settings.fileSizeLimit);
  return reply.header('location', `/${encodeURIComponent(bucket)}`).send();
};

/** HEAD /BUCKET */
export const headBucket: S3Operation = async (request) => {
  await requireVisible(request);
  return request.reply.header('x-amz-bucket-region', readRegion(request)).send();
};

/** DELETE /BUCKET, which has to be empty. */
export const removeBucket: S3Operation = async ({ call, deps, reply, bucket }) => {
  await deleteBucket(deps, call, bucket);
  return reply.code(204).send();
};

/** GET /BUCKET?location */
export const showLocation: S3Operation = async (request) => {
  await requireVisible(request);
  return sendXml(request.reply, 'LocationConstraint', {});
};

/** GET /BUCKET?versioning: no older state of a file is kept. */
export const showVersioning: S3Operation = async (request) => {
  await requireVisible(request);
  return sendXml(request.reply, 'VersioningConfiguration', {});
};

async function requireVisible({ call, bucket }: S3Request): Promise<void> {
  if (!(await call.read((tx) => findBucket(tx, bucket)))) throw storageError.noSuchBucket();
}

/** That there is such a bucket; who may see files need not see the row of their bucket. @throws StorageError NoSuchBucket */
export async function requireBucket({ db }: Pick<StorageDeps, 'db'>, bucket: string): Promise<void> {
  const found = await asStorageAdmin(db, 'is there such a bucket', (tx) => findBucket(tx, bucket));
  if (!found) throw storageError.noSuchBucket();
}

/** There is one place; every client calls it as it likes. */
function readRegion({ seal }: S3Request): string {
  return seal.signed.scope.split('/')[1] ?? '';
}
