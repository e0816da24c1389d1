import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../kernel/database.ts';
import { storageError, toStorageError } from '../storage-error.ts';
import { toOwnerUuid } from './buckets.ts';
import { findObject, lockNames, type ObjectMetadata, type ObjectName, type StoredObject } from './objects.ts';

export type ObjectToWrite = {
  readonly bucket: string;
  readonly name: string;
  /** The `sub` of whoever writes; null for an API key. */
  readonly owner: string | null;
  readonly version: string;
  /** Before the bytes are there: what was announced of them, or null. */
  readonly metadata: Partial<ObjectMetadata> | null;
  readonly userMetadata: Readonly<Record<string, unknown>> | null;
  /** Whether an object of this name may be written over. */
  readonly upsert: boolean;
};

export type WrittenObject = {
  readonly id: string;
  /** Whose bytes may go once the transaction is committed. */
  readonly previousVersion: string | null;
};

const INSERT = `insert into storage.objects (bucket_id, name, id, owner, owner_id, version, metadata, user_metadata)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;
const UPSERT = `${INSERT} on conflict (bucket_id, name) do update set owner = excluded.owner, owner_id = excluded.owner_id,
  version = excluded.version, metadata = excluded.metadata, user_metadata = excluded.user_metadata`;

/**
 * Records an object as the transaction's role: its policies decide.
 * @throws StorageError AccessDenied, KeyAlreadyExists, NoSuchBucket.
 */
export async function writeObject(tx: Transaction, wish: ObjectToWrite): Promise<WrittenObject> {
  const { bucket, name, owner, version, metadata, userMetadata, upsert } = wish;
  try {
    await lockNames(tx, [wish]);
    const previous = upsert ? await lockPrevious(tx, wish) : undefined;
    const id = previous?.id ?? randomUUID();
    // Without `returning`: who may write need not be allowed to read.
    await tx.query({
      name: upsert ? 'storage_upsert_object' : 'storage_insert_object',
      text: upsert ? UPSERT : INSERT,
      values: [bucket, name, id, toOwnerUuid(owner), owner, version, metadata, userMetadata],
    });
    return { id, previousVersion: previous?.version ?? null };
  } catch (error) {
    throw toStorageError(error);
  }
}

async function lockPrevious(tx: Transaction, { bucket, name }: ObjectToWrite) {
  const { rows } = await tx.query<{ id: string; version: string | null }>({
    name: 'storage_lock_object',
    text: 'select id, version from storage.objects where bucket_id = $1 and name = $2 for update',
    values: [bucket, name],
  });
  return rows[0];
}

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
