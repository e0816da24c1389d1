import type { Transaction } from '../../../kernel/database.ts';
import { toStorageError } from '../to-storage-error.ts';
import { OBJECT_COLUMNS, type StoredObject } from './stored-object.ts';

/**
 * Deletes the rows that the transaction's role may see and delete; the others stay, and nobody is told that they are there. The bytes
 * of what comes back may go once the transaction is committed.
 */
export async function removeObjects(
  tx: Transaction,
  bucket: string,
  names: readonly string[],
): Promise<readonly StoredObject[]> {
  try {
    await allowDeletion(tx);
    const { rows } = await tx.query<StoredObject>({
      name: 'storage_remove_objects',
      text: `delete from storage.objects where bucket_id = $1 and name = any ($2::text[]) returning ${OBJECT_COLUMNS}`,
      values: [bucket, names],
    });
    return rows;
  } catch (error) {
    throw toStorageError(error);
  }
}

/** Tells the tables' own guard that whoever deletes here takes the bytes along. */
export async function allowDeletion(tx: Transaction): Promise<void> {
  await tx.query({
    name: 'storage_allow_deletion',
    text: `select set_config('storage.allow_delete_query', 'true', true)`,
  });
}
