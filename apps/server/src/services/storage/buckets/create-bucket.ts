import { requireValidBucketName } from '../judge-names.ts';
import type { StorageCall } from '../open-call.ts';
import { toOwnerUuid } from '../records/to-owner-uuid.ts';
import { readOwner } from '../resolve-storage-caller.ts';
import { storageError } from '../storage-error.ts';
import { readFileSize } from './read-file-size.ts';
import { readMimeTypes } from './read-mime-types.ts';

export type BucketBody = {
  readonly public?: boolean;
  readonly file_size_limit?: unknown;
  readonly allowed_mime_types?: unknown;
  readonly versioning_status?: string;
};

export type NewBucketBody = BucketBody & {
  readonly name: string;
  readonly id?: string;
  readonly type?: string;
};

/** @throws StorageError InvalidBucketName, BucketAlreadyExists, AccessDenied, and for kinds of buckets that are not offered. */
export async function createBucket(
  call: StorageCall,
  body: NewBucketBody,
  serviceLimit: number,
): Promise<{ readonly name: string }> {
  const { name, id = name, type = 'STANDARD' } = body;
  requireValidBucketName(id);
  requireValidBucketName(name);
  if (type.toUpperCase() !== 'STANDARD')
    throw storageError.featureNotEnabled(`${type.toLowerCase()} buckets`);
  refuseVersioning(body);
  const owner = readOwner(call.caller);
  const limit = readFileSize(body.file_size_limit, serviceLimit) ?? null;
  const types = readMimeTypes(body.allowed_mime_types) ?? null;
  await call.write((tx) =>
    tx.query({
      name: 'storage_create_bucket',
      text: `insert into storage.buckets (id, name, owner, owner_id, public, file_size_limit, allowed_mime_types)
        values ($1, $2, $3, $4, $5, $6, $7)`,
      values: [id, name, toOwnerUuid(owner), owner, body.public ?? false, limit, types],
    }),
  );
  return { name };
}

/** Every write replaces what was there before: a bucket that should keep it must not seem to. */
export function refuseVersioning({ versioning_status: status }: BucketBody): void {
  if (status !== undefined && status.toUpperCase() !== 'DISABLED')
    throw storageError.featureNotEnabled('versioning');
}
