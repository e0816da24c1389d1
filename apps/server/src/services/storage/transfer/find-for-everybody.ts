import { type Database, queryAsStorageAdmin } from '../../../kernel/database.ts';
import { OBJECT_COLUMNS, type StoredObject } from '../records/stored-object.ts';
import { storageError } from '../storage-error.ts';
import type { FileAddress } from './read-address.ts';

export type FileForEverybody = {
  readonly isPublic: boolean;
  /** Undefined also for every file of a bucket that is not public. */
  readonly object: StoredObject | undefined;
};

/**
 * What anybody may know of an address: whether its bucket is public and, if so, its file. One round trip: every download asks.
 * @throws StorageError NoSuchBucket.
 */
export async function findForEverybody(
  db: Database,
  { bucket, name }: FileAddress,
): Promise<FileForEverybody> {
  const { rows } = await queryAsStorageAdmin<StoredObject & { readonly is_public: boolean | null }>(db, {
    name: 'storage_find_for_everybody',
    text: `select b.public as is_public, o.* from storage.buckets b
      left join lateral (
        select ${OBJECT_COLUMNS} from storage.objects where bucket_id = b.id and name = $2 and b.public
      ) o on true
      where b.id = $1`,
    values: [bucket, name],
  });
  const [row] = rows;
  if (!row) throw storageError.noSuchBucket();
  return { isPublic: row.is_public === true, object: row.id === null ? undefined : row };
}
