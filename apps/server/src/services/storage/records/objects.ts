import type { Row, Transaction } from '../../../kernel/database.ts';
import { toStorageError } from '../storage-error.ts';

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
  /** The platform's older column: the same, where it is a UUID. */
  readonly owner: string | null;
  readonly owner_id: string | null;
  /** Rows that were written with SQL may have none. */
  readonly metadata: ObjectMetadata | null;
  /** What the uploader noted (`x-metadata`). */
  readonly user_metadata: Readonly<Record<string, unknown>> | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly last_accessed_at: Date;
};

/** Whether a condition (`If-Match`) names the state that a file is in; S3 takes tags without their quotes as well. */
export function namesState(tags: string, metadata: ObjectMetadata | null): boolean {
  const eTag = metadata?.eTag.replaceAll('"', '');
  return tags.split(',').some((tag) => ['*', eTag].includes(tag.trim().replaceAll('"', '')));
}

/** Every column a reply may need, and none that is only the database's. */
export const OBJECT_COLUMNS =
  'id, bucket_id, name, version, owner, owner_id, metadata, user_metadata, created_at, updated_at, last_accessed_at';

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

/**
 * Deletes the rows that the transaction's role may see and delete; the others stay, and nobody is told that they are there. The bytes
 * of what comes back may go once the transaction is committed.
 * @param tags by name, without quotes: the state that a file has to be in. It is compared where the row is locked.
 */
export async function removeObjects(
  tx: Transaction,
  bucket: string,
  names: readonly string[],
  tags: Readonly<Record<string, string>> = {},
): Promise<readonly StoredObject[]> {
  try {
    await allowDeletion(tx);
    const { rows } = await tx.query<StoredObject>({
      name: 'storage_remove_objects',
      text: `delete from storage.objects where bucket_id = $1 and name = any ($2::text[])
        and coalesce($3::jsonb ->> name, '*') in ('*', replace(metadata ->> 'eTag', '"', ''))
        returning ${OBJECT_COLUMNS}`,
      values: [bucket, names, JSON.stringify(tags)],
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

export type ObjectName = { readonly bucket: string; readonly name: string };

/**
 * Until the transaction ends nobody else writes under these names: what is overwritten is then known for sure. Always the first
 * thing a writer does, and always in the same order, so that writers never wait for each other in a circle.
 */
export async function lockNames(tx: Transaction, names: readonly ObjectName[]): Promise<void> {
  await tx.query({
    name: 'storage_lock_names',
    text: `select pg_advisory_xact_lock(key)
      from (select distinct hashtextextended('storage ' || name, 0) as key from unnest($1::text[]) as name order by 1) as keys`,
    values: [names.map(({ bucket, name }) => `${bucket}/${name}`)],
  });
}
