import type { Transaction } from '../../../kernel/database.ts';
import { BUCKET_COLUMNS, type StoredBucket } from './buckets.ts';

export const BUCKET_SORT_COLUMNS = ['id', 'name', 'created_at', 'updated_at'] as const;

export type BucketListWish = {
  readonly limit?: number;
  readonly offset?: number;
  readonly sortColumn?: (typeof BUCKET_SORT_COLUMNS)[number];
  readonly sortOrder?: 'asc' | 'desc';
  /** Part of a name, in any case; every character stands for itself. */
  readonly search?: string;
};

type ListedBucket = StoredBucket & { readonly type: string };

/** The buckets that the transaction's role may see; by name unless asked otherwise. */
export async function listBuckets(tx: Transaction, wish: BucketListWish): Promise<readonly ListedBucket[]> {
  const { limit = null, offset = 0, sortColumn = 'name', sortOrder = 'asc', search = '' } = wish;
  const { rows } = await tx.query<ListedBucket>({
    name: `storage_list_buckets_${sortColumn}_${sortOrder}`,
    text: `select ${BUCKET_COLUMNS}, type::text as type from storage.buckets
      where strpos(lower(name), lower($1)) > 0
      order by buckets.${sortColumn} ${sortOrder}, buckets.id limit $2 offset $3`,
    values: [search, limit, offset],
  });
  return rows;
}
