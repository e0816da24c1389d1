import type { Transaction } from '../../../kernel/database.ts';
import { storageError } from '../storage-error.ts';
import { toStorageError } from '../to-storage-error.ts';
import { findObject } from './find-object.ts';
import { lockNames, type ObjectName } from './lock-names.ts';
import type { StoredObject } from './stored-object.ts';

export type RecordMove = {
  readonly from: ObjectName;
  readonly to: ObjectName;
  /** Into another bucket, where the bytes have another key: what they were copied from, and the version they are there. */
  readonly bytes?: { readonly copiedFrom: string; readonly version: string };
};

/**
 * Gives an object another name, as the transaction's role.
 * @returns what it was before.
 * @throws StorageError NoSuchKey when the role sees no such object, or may not change it; AccessDenied, KeyAlreadyExists, NoSuchBucket;
 * ResourceLocked when other bytes were copied than those that the object has by now.
 */
export async function moveRecord(tx: Transaction, { from, to, bytes }: RecordMove): Promise<StoredObject> {
  try {
    await lockNames(tx, [from, to]);
    const found = await findObject(tx, from.bucket, from.name);
    if (!found) throw storageError.noSuchKey();
    if (bytes && bytes.copiedFrom !== found.version) throw storageError.resourceLocked();
    const { rowCount } = await tx.query({
      name: 'storage_move_object',
      text: 'update storage.objects set bucket_id = $2, name = $3, version = $4 where id = $1',
      values: [found.id, to.bucket, to.name, bytes?.version ?? found.version],
    });
    if (rowCount === 0) throw storageError.noSuchKey();
    return found;
  } catch (error) {
    throw toStorageError(error);
  }
}
