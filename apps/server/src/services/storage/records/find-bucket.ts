import type { Transaction } from '../../../kernel/database.ts';
import { BUCKET_COLUMNS, type StoredBucket } from './stored-bucket.ts';

/** A bucket, if the transaction's role may see it: what a bucket allows is asked as the storage's own role. */
export async function findBucket(tx: Transaction, id: string): Promise<StoredBucket | undefined> {
  const { rows } = await tx.query<StoredBucket>({
    name: 'storage_find_bucket',
    text: `select ${BUCKET_COLUMNS} from storage.buckets where id = $1`,
    values: [id],
  });
  return rows[0];
}
