import { asStorageAdmin, type Database, queryAsStorageAdmin, type Row } from '../../../kernel/database.ts';
import type { RemovedUpload } from './resumable-uploads.ts';

/** A row of `storage.s3_multipart_uploads`. */
export type S3Upload = Row & {
  readonly id: string;
  readonly bucket_id: string;
  readonly key: string;
  readonly role: string;
  readonly owner_id: string | null;
  readonly mimetype: string;
  readonly cache_control: string;
  readonly content_encoding: string | null;
  readonly user_metadata: Readonly<Record<string, unknown>> | null;
  readonly created_at: Date;
};

export type NewS3Upload = Pick<
  S3Upload,
  | 'id'
  | 'bucket_id'
  | 'key'
  | 'role'
  | 'owner_id'
  | 'mimetype'
  | 'cache_control'
  | 'content_encoding'
  | 'user_metadata'
>;

/** A row of `storage.s3_multipart_uploads_parts`. */
export type S3Part = Row & {
  readonly part_number: number;
  readonly version: string;
  /** Bytes. */
  readonly size: number;
  /** Hexadecimal. */
  readonly etag: string;
  readonly created_at: Date;
};

const COLUMNS = `id, bucket_id, key, role, owner_id, mimetype, cache_control, content_encoding, user_metadata, created_at`;
const PART_COLUMNS = 'part_number, version::text as version, size::float8 as size, etag, created_at';

export async function insertS3Upload(db: Database, upload: NewS3Upload): Promise<void> {
  const { id, bucket_id, key, role, owner_id, mimetype, cache_control, content_encoding } = upload;
  await queryAsStorageAdmin(db, {
    name: 'storage_insert_s3_upload',
    text: `insert into storage.s3_multipart_uploads (id, bucket_id, key, role, owner_id, mimetype, cache_control, content_encoding, user_metadata)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    values: [
      id,
      bucket_id,
      key,
      role,
      owner_id,
      mimetype,
      cache_control,
      content_encoding,
      upload.user_metadata,
    ],
  });
}

export async function findS3Upload(db: Database, id: string): Promise<S3Upload | undefined> {
  const { rows } = await queryAsStorageAdmin<S3Upload>(db, {
    name: 'storage_find_s3_upload',
    text: `select ${COLUMNS} from storage.s3_multipart_uploads where id = $1`,
    values: [id],
  });
  return rows[0];
}

export type S3UploadsWish = {
  readonly bucket: string;
  readonly prefix: string;
  /** Whose; null: everybody's. */
  readonly owner: { readonly role: string; readonly ownerId: string | null } | null;
  /** Only what comes behind this key, and behind this upload of that key; the empty key: everything. */
  readonly after: { readonly key: string; readonly id: string | null };
  readonly limit: number;
};

/** Uploads under way, by key. */
export async function listS3Uploads(db: Database, wish: S3UploadsWish): Promise<readonly S3Upload[]> {
  const { bucket, prefix, owner, after, limit } = wish;
  const { rows } = await queryAsStorageAdmin<S3Upload>(db, {
    name: 'storage_list_s3_uploads',
    text: `select ${COLUMNS} from storage.s3_multipart_uploads
      where bucket_id = $1 and starts_with(key, $2)
        and ($3::text is null or (role = $3 and owner_id is not distinct from $4))
        and (key collate "C" > $5 or (key = $5 and id > $6::uuid))
      order by key collate "C", id limit $7`,
    values: [bucket, prefix, owner?.role ?? null, owner?.ownerId ?? null, after.key, after.id, limit],
  });
  return rows;
}

/** The parts that have come, by number. */
export async function listS3Parts(db: Database, id: string): Promise<readonly S3Part[]> {
  const { rows } = await queryAsStorageAdmin<S3Part>(db, {
    name: 'storage_list_s3_parts',
    text: `select ${PART_COLUMNS} from storage.s3_multipart_uploads_parts where upload_id = $1 order by part_number`,
    values: [id],
  });
  return rows;
}

export type PartBounds = {
  /** Of all parts together. */
  readonly maxBytes: number;
  readonly maxParts: number;
};

/** Whose bytes may go, if the part has replaced another one; or why it is not noted. */
export type PutPart = { readonly replaced: string | null } | 'gone' | 'too_large' | 'too_many';

/** Notes a part, in place of another one of its number. Of several that come at once, only those are noted that fit together. */
export async function putS3Part(
  db: Database,
  id: string,
  part: Pick<S3Part, 'part_number' | 'version' | 'size' | 'etag'>,
  { maxBytes, maxParts }: PartBounds,
): Promise<PutPart> {
  const { part_number: number, version, size, etag } = part;
  return asStorageAdmin(db, 'note a part of an upload', async (tx) => {
    // First the lock: a statement that waited for it would count the parts as they were before.
    const upload = await tx.query({
      name: 'storage_lock_s3_upload',
      text: 'select from storage.s3_multipart_uploads where id = $1 for update',
      values: [id],
    });
    if (upload.rowCount === 0) return 'gone';
    const { rows } = await tx.query<{ bytes: number; count: number; replaced: string | null }>({
      name: 'storage_count_s3_parts',
      text: `select coalesce(sum(size) filter (where part_number <> $2), 0)::float8 as bytes,
          count(*) filter (where part_number <> $2)::float8 as count,
          min(version::text) filter (where part_number = $2) as replaced
        from storage.s3_multipart_uploads_parts where upload_id = $1`,
      values: [id, number],
    });
    const { bytes = 0, count = 0, replaced = null } = rows[0] ?? {};
    if (bytes + size > maxBytes) return 'too_large';
    if (count >= maxParts) return 'too_many';
    await tx.query({
      name: 'storage_put_s3_part',
      text: `insert into storage.s3_multipart_uploads_parts (upload_id, part_number, version, size, etag)
        values ($1, $2, $3, $4, $5)
        on conflict (upload_id, part_number) do update
          set version = excluded.version, size = excluded.size, etag = excluded.etag, created_at = now()`,
      values: [id, number, version, size, etag],
    });
    return { replaced };
  });
}

/** Forgets an upload. @returns whose bytes may go then; nothing when it was gone. */
export async function removeS3Upload(db: Database, id: string): Promise<readonly RemovedUpload[]> {
  return removeWhere(db, 'one', 'id = $1', [id]);
}

/** Forgets a bounded part of the uploads that are older than their lifetime. @returns whose bytes may go then. */
export async function removeExpiredS3Uploads(
  db: Database,
  lifetimeS: number,
): Promise<readonly RemovedUpload[]> {
  const old = `id in (select id from storage.s3_multipart_uploads
    where created_at < now() - make_interval(secs => $1) order by created_at limit 200 for update skip locked)`;
  return removeWhere(db, 'expired', old, [lifetimeS]);
}

async function removeWhere(
  db: Database,
  name: string,
  condition: string,
  values: readonly (string | number)[],
): Promise<readonly RemovedUpload[]> {
  const { rows } = await queryAsStorageAdmin<RemovedUpload>(db, {
    name: `storage_remove_s3_uploads_${name}`,
    // What the statement sees are the parts from before the deletion took them along.
    text: `with gone as (delete from storage.s3_multipart_uploads where ${condition} returning id, bucket_id)
      select bucket_id, coalesce((select array_agg(p.version::text) from storage.s3_multipart_uploads_parts p
        where p.upload_id = gone.id), '{}') as parts from gone`,
    values: [...values],
  });
  return rows;
}
