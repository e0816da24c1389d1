import { toBlobKey } from '../blobs/parse-blob-key.ts';
import type { StorageCall } from '../open-call.ts';
import { findBucket } from '../records/find-bucket.ts';
import { removeObjects } from '../records/remove-objects.ts';
import { storageError } from '../storage-error.ts';

const BATCH = 1000;

/**
 * Deletes what the caller may see and delete, a batch a transaction. `forget` takes the bytes.
 * @throws StorageError NoSuchBucket; AccessDenied when something that the caller sees must stay.
 */
export async function emptyBucket(
  call: StorageCall,
  id: string,
  forget: (keys: readonly string[]) => Promise<void>,
): Promise<void> {
  if (!(await call.read((tx) => findBucket(tx, id)))) throw storageError.noSuchBucket();
  for (;;) {
    const { found, removed } = await call.write(async (tx) => {
      const { rows } = await tx.query<{ name: string }>({
        name: 'storage_take_batch',
        text: 'select name from storage.objects where bucket_id = $1 order by name collate "C" limit $2',
        values: [id, BATCH],
      });
      const names = rows.map(({ name }) => name);
      return { found: names.length, removed: names.length > 0 ? await removeObjects(tx, id, names) : [] };
    });
    await forget(removed.map(({ version }) => toBlobKey(id, version)));
    if (found === 0) return;
    if (removed.length === 0)
      throw storageError.accessDenied('You may see objects of this bucket, but not delete them');
  }
}
