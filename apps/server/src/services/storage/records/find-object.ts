import type { Transaction } from '../../../kernel/database.ts';
import { OBJECT_COLUMNS, type StoredObject } from './stored-object.ts';

/** An object, if the transaction's role may see it. */
export async function findObject(
  tx: Transaction,
  bucket: string,
  name: string,
): Promise<StoredObject | undefined> {
  const { rows } = await tx.query<StoredObject>({
    name: 'storage_find_object',
    text: `select ${OBJECT_COLUMNS} from storage.objects where bucket_id = $1 and name = $2`,
    values: [bucket, name],
  });
  return rows[0];
}
