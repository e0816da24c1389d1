import { asStorageAdmin } from '../../../kernel/database.ts';
import { requireValidKey } from '../judge-names.ts';
import type { StorageCall } from '../open-call.ts';
import { findBucket } from '../records/find-bucket.ts';
import { findObject } from '../records/find-object.ts';
import type { StoredObject } from '../records/stored-object.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import { readCacheControl } from '../transfer/build-file-headers.ts';
import { parseMediaType, UNKNOWN_MEDIA_TYPE } from '../transfer/media-type.ts';

export type ObjectAddress = { readonly bucket: string; readonly name: string };

/** Of an object in a public bucket, for anybody. @throws StorageError NoSuchBucket also for a private one. */
export async function describePublicObject({ db }: StorageDeps, { bucket, name }: ObjectAddress) {
  requireValidKey(name);
  const found = await asStorageAdmin(db, 'describe a public file', async (tx) => {
    const holder = await findBucket(tx, bucket);
    if (!holder?.public) throw storageError.noSuchBucket();
    return await findObject(tx, bucket, name);
  });
  return describe(found);
}

/** Of an object that the caller may see; objects of public buckets everybody may. @throws StorageError NoSuchKey. */
export async function describeObject(deps: StorageDeps, call: StorageCall, address: ObjectAddress) {
  const { bucket, name } = address;
  requireValidKey(name);
  const found = await call.read((tx) => findObject(tx, bucket, name));
  if (found) return describe(found);
  const holder = await asStorageAdmin(deps.db, 'is the bucket public', (tx) => findBucket(tx, bucket));
  if (holder?.public) return await describePublicObject(deps, address);
  throw holder ? storageError.noSuchKey() : storageError.noSuchBucket();
}

function describe(found: StoredObject | undefined) {
  if (!found) throw storageError.noSuchKey();
  const { id, name, version, bucket_id, metadata, user_metadata, created_at, updated_at } = found;
  return {
    id,
    name,
    version,
    bucket_id,
    size: metadata?.size,
    content_type: metadata ? (parseMediaType(metadata.mimetype) ?? UNKNOWN_MEDIA_TYPE) : undefined,
    cache_control: metadata ? readCacheControl(metadata) : undefined,
    etag: metadata?.eTag,
    metadata: user_metadata ?? {},
    last_modified: metadata?.lastModified ?? updated_at,
    created_at,
  };
}
