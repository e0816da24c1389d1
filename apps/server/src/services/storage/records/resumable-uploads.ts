import { type Database, queryAsStorageAdmin, type Row } from '../../../kernel/database.ts';

/** What a client said of a file when it began to send it (`Upload-Metadata`). */
export type UploadMetadata = Readonly<Record<string, string | null>>;

/** A row of `storage.resumable_uploads`. */
export type ResumableUpload = Row & {
  readonly id: string;
  readonly bucket_id: string;
  readonly name: string;
  readonly role: string;
  readonly owner_id: string | null;
  readonly upsert: boolean;
  readonly metadata: UploadMetadata;
  /** Bytes. */
  readonly upload_length: number;
  /** How many of them are kept. */
  readonly upload_offset: number;
  /** The versions under which they lie, in their order. */
  readonly parts: readonly string[];
  readonly created_at: Date;
  readonly completed_at: Date | null;
  /** Whether the file is on record: then it is whole, whatever else is said here. */
  readonly is_recorded: boolean;
};

export type NewUpload = Pick<
  ResumableUpload,
  'id' | 'bucket_id' | 'name' | 'role' | 'owner_id' | 'upsert' | 'metadata' | 'upload_length'
>;

export async function insertUpload(db: Database, upload: NewUpload): Promise<void> {
  const { id, bucket_id, name, role, owner_id, upsert, metadata, upload_length } = upload;
  await queryAsStorageAdmin(db, {
    name: 'storage_insert_upload',
    text: `insert into storage.resumable_uploads (id, bucket_id, name, role, owner_id, upsert, metadata, upload_length)
      values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [id, bucket_id, name, role, owner_id, upsert, metadata, upload_length],
  });
}

export async function findUpload(db: Database, id: string): Promise<ResumableUpload | undefined> {
  const { rows } = await queryAsStorageAdmin<ResumableUpload>(db, {
    name: 'storage_find_upload',
    text: `select id, bucket_id, name, role, owner_id, upsert, metadata, upload_length::float8 as upload_length,
        upload_offset::float8 as upload_offset, parts::text[] as parts, created_at, completed_at,
        exists (select from storage.objects o where o.version = any (u.versions::text[])) as is_recorded
      from storage.resumable_uploads u where id = $1`,
    values: [id],
  });
  return rows[0];
}

export type UnfinishedUploads = { readonly count: number; readonly bytes: number };

/** What somebody has begun and not finished, by whatever protocol, and how much of it is kept; without the one of that id. */
export async function sumUnfinished(
  db: Database,
  ownerId: string,
  exceptId: string,
): Promise<UnfinishedUploads> {
  const { rows } = await queryAsStorageAdmin<UnfinishedUploads & Row>(db, {
    name: 'storage_sum_unfinished',
    text: `select count(*)::float8 as count, coalesce(sum(bytes), 0)::float8 as bytes from (
        select upload_offset as bytes from storage.resumable_uploads
        where owner_id = $1 and id <> $2 and completed_at is null
        union all
        select coalesce((select sum(size) from storage.s3_multipart_uploads_parts where upload_id = u.id), 0)
        from storage.s3_multipart_uploads u where owner_id = $1 and id <> $2
      ) as unfinished`,
    values: [ownerId, exceptId],
  });
  return rows[0] ?? { count: 0, bytes: 0 };
}

export type NewPart = {
  readonly id: string;
  readonly offset: number;
  readonly version: string;
  readonly size: number;
};

/** Notes a part behind the others. @returns false when the upload has gone on elsewhere, or is gone. */
export async function appendPart(db: Database, { id, offset, version, size }: NewPart): Promise<boolean> {
  const { rowCount } = await queryAsStorageAdmin(db, {
    name: 'storage_append_part',
    text: `update storage.resumable_uploads set parts = parts || $3::uuid, upload_offset = upload_offset + $4
      where id = $1 and upload_offset = $2`,
    values: [id, offset, version, size],
  });
  return rowCount === 1;
}

/** So long whoever puts a file together may be silent before another one takes over: a process that was killed says nothing. */
const TURN_S = 10;

/**
 * Takes the turn at putting a file together under that version.
 * @returns its parts; undefined when another copy of the server is at it, or it is done.
 */
export async function takeTurn(
  db: Database,
  id: string,
  version: string,
): Promise<readonly string[] | undefined> {
  const { rows } = await queryAsStorageAdmin<{ readonly parts: readonly string[] }>(db, {
    name: 'storage_take_upload_turn',
    text: `update storage.resumable_uploads set versions = versions || $2::uuid, finishing_since = clock_timestamp()
      where id = $1 and upload_offset = upload_length and completed_at is null
        and (finishing_since is null or finishing_since < clock_timestamp() - make_interval(secs => ${TURN_S}))
      returning parts::text[] as parts`,
    values: [id, version],
  });
  return rows[0]?.parts;
}

/** Says that the turn is still used. @returns false when another one has taken it. */
export async function keepTurn(db: Database, id: string, version: string): Promise<boolean> {
  const { rowCount } = await queryAsStorageAdmin(db, {
    name: 'storage_keep_upload_turn',
    text: `update storage.resumable_uploads set finishing_since = clock_timestamp()
      where id = $1 and versions[cardinality(versions)] = $2::uuid and finishing_since is not null`,
    values: [id, version],
  });
  return rowCount === 1;
}

/** Gives the turn back after a failure. */
export async function giveTurnBack(db: Database, id: string, version: string): Promise<void> {
  await queryAsStorageAdmin(db, {
    name: 'storage_give_upload_turn_back',
    text: `update storage.resumable_uploads set finishing_since = null
      where id = $1 and versions[cardinality(versions)] = $2::uuid`,
    values: [id, version],
  });
}

/** Notes that the file is on record. What its parts were may go, then. */
export async function completeUpload(db: Database, id: string): Promise<void> {
  await queryAsStorageAdmin(db, {
    name: 'storage_complete_upload',
    text: `update storage.resumable_uploads
      set completed_at = now(), upload_offset = upload_length, parts = '{}', finishing_since = null
      where id = $1 and completed_at is null`,
    values: [id],
  });
}

export type RemovedUpload = Row & { readonly bucket_id: string; readonly parts: readonly string[] };

/** Forgets an upload. @returns whose bytes may go then. */
export async function removeUpload(db: Database, id: string): Promise<readonly RemovedUpload[]> {
  const { rows } = await queryAsStorageAdmin<RemovedUpload>(db, {
    name: 'storage_remove_upload',
    text: 'delete from storage.resumable_uploads where id = $1 returning bucket_id, parts::text[] as parts',
    values: [id],
  });
  return rows;
}

/** Forgets a bounded part of the uploads that are older than their lifetime, finished or not. @returns whose bytes may go then. */
export async function removeExpiredUploads(
  db: Database,
  lifetimeS: number,
): Promise<readonly RemovedUpload[]> {
  const { rows } = await queryAsStorageAdmin<RemovedUpload>(db, {
    name: 'storage_remove_expired_uploads',
    text: `delete from storage.resumable_uploads where id in (
        select id from storage.resumable_uploads where created_at < now() - make_interval(secs => $1)
        order by created_at limit 200 for update skip locked
      ) returning bucket_id, parts::text[] as parts`,
    values: [lifetimeS],
  });
  return rows;
}
