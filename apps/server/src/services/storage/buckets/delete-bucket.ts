import { asStorageAdmin } from '../../../kernel/database.ts';
import type { StorageCall } from '../open-call.ts';
import { findBucket } from '../records/buckets.ts';
import { allowDeletion } from '../records/objects.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';

/**
 * Deletes an empty bucket; one that holds files of which the caller sees none is not empty.
 * @throws StorageError NoSuchBucket, ResourceNotEmpty, AccessDenied.
 */
export async function deleteBucket(
  { db }: Pick<StorageDeps, 'db'>,
  call: StorageCall,
  id: string,
): Promise<void> {
  if (!(await call.read((tx) => findBucket(tx, id)))) throw storageError.noSuchBucket();
  const { rows } = await asStorageAdmin(db, 'is the bucket empty', (tx) =>
    tx.query<{ empty: boolean }>({
      name: 'storage_is_bucket_empty',
      text: 'select not exists (select from storage.objects where bucket_id = $1) as empty',
      values: [id],
    }),
  );
  if (rows[0]?.empty !== true) throw storageError.bucketNotEmpty();
  const { rowCount } = await call.write(async (tx) => {
    await allowDeletion(tx);
    // A file that arrives at this very moment is held by its foreign key, and then the bucket is not empty.
    return await tx.query({
      name: 'storage_delete_bucket',
      text: 'delete from storage.buckets where id = $1',
      values: [id],
    });
  });
  if (rowCount === 0) throw storageError.rowLevelSecurity();
}
