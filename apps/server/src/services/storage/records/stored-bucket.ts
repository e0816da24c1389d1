import type { Row } from '../../../kernel/database.ts';

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
