import type { Row } from '../../../kernel/database.ts';

/** What the service itself notes of an object's bytes, as the platform spells it. */
export type ObjectMetadata = {
  /** With its quotes. */
  readonly eTag: string;
  /** Bytes. */
  readonly size: number;
  readonly mimetype: string;
  /** The whole value of the header: `max-age=3600`. */
  readonly cacheControl: string;
  /** How the bytes are packed already (`gzip`), if they are. */
  readonly contentEncoding?: string;
  /** ISO 8601. */
  readonly lastModified: string;
  readonly contentLength: number;
  readonly httpStatusCode: number;
};

/** A row of `storage.objects`, its columns' names those that go over the wire. */
export type StoredObject = Row & {
  readonly id: string;
  readonly bucket_id: string;
  readonly name: string;
  readonly version: string;
  readonly owner_id: string | null;
  /** Rows that were written with SQL may have none. */
  readonly metadata: ObjectMetadata | null;
  /** What the uploader noted (`x-metadata`). */
  readonly user_metadata: Readonly<Record<string, unknown>> | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly last_accessed_at: Date;
};

/** Every column a reply may need, and none that is only the database's. */
export const OBJECT_COLUMNS =
  'id, bucket_id, name, version, owner_id, metadata, user_metadata, created_at, updated_at, last_accessed_at';
