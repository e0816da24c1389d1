import type { Row, Transaction } from '../../../kernel/database.ts';

/** A row of `storage.buckets`, its columns' names those that go over the wire. */
export type StoredBucket = Row & {
  readonly id: string;
  readonly name: string;
  /** Empty where nobody owns it: the platform's clients expect a text. */
  readonly owner: string;
  readonly public: boolean;
  /** Bytes, as a number: no bucket allows more than the service as a whole. */
  readonly file_size_limit: number | null;
  readonly allowed_mime_types: readonly string[] | null;
  readonly created_at: Date;
  readonly updated_at: Date;
};

/** `type` is left out: only the list of buckets tells it (protocol note, section 4). */
export const BUCKET_COLUMNS = `id, name, coalesce(owner_id, owner::text, '') as owner, coalesce(public, false) as public,
  file_size_limit::float8 as file_size_limit, allowed_mime_types, created_at, updated_at`;

/** A bucket, if the transaction's role may see it: what a bucket allows is asked as the storage's own role. */
export async function findBucket(tx: Transaction, id: string): Promise<StoredBucket | undefined> {
  const { rows } = await tx.query<StoredBucket>({
    name: 'storage_find_bucket',
    text: `select ${BUCKET_COLUMNS} from storage.buckets where id = $1`,
    values: [id],
  });
  return rows[0];
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The platform's older column takes UUIDs alone; `owner_id` beside it takes any `sub`. */
export function toOwnerUuid(owner: string | null): string | null {
  return owner !== null && UUID.test(owner) ? owner : null;
}
