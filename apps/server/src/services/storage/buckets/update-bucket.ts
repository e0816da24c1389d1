import type { StorageCall } from '../open-call.ts';
import { storageError } from '../storage-error.ts';
import { type BucketBody, refuseVersioning } from './create-bucket.ts';
import { readFileSize } from './read-file-size.ts';
import { readMimeTypes } from './read-mime-types.ts';

/** Changes what the body names; null takes a limit away. @throws StorageError NoSuchBucket also for one that the caller may not change. */
export async function updateBucket(
  call: StorageCall,
  id: string,
  body: BucketBody,
  serviceLimit: number,
): Promise<void> {
  refuseVersioning(body);
  const limit = readFileSize(body.file_size_limit, serviceLimit);
  const types = readMimeTypes(body.allowed_mime_types);
  const { rowCount } = await call.write((tx) =>
    tx.query({
      name: 'storage_update_bucket',
      text: `update storage.buckets set public = coalesce($2, public), updated_at = now(),
        file_size_limit = case when $3 then $4 else file_size_limit end,
        allowed_mime_types = case when $5 then $6 else allowed_mime_types end
        where id = $1`,
      values: [
        id,
        body.public ?? null,
        limit !== undefined,
        limit ?? null,
        types !== undefined,
        types ?? null,
      ],
    }),
  );
  if (rowCount === 0) throw storageError.noSuchBucket();
}
