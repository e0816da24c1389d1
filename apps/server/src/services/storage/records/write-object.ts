import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../kernel/database.ts';
import { storageError, toStorageError } from '../storage-error.ts';
import { toOwnerUuid } from './buckets.ts';
import {
  findObject,
  lockNames,
  namesState,
  type ObjectMetadata,
  type ObjectName,
  type StoredObject,
} from './objects.ts';

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
  /** Tags (RFC 9110, section 13.1.1), one of which the object must have that is written over. */
  readonly ifMatch?: string | undefined;
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
 * @throws StorageError AccessDenied, KeyAlreadyExists, NoSuchBucket; with `ifMatch` NoSuchKey and PreconditionFailed.
 */
export async function writeObject(tx: Transaction, wish: ObjectToWrite): Promise<WrittenObject> {
  const { bucket, name, owner, version, metadata, userMetadata, upsert, ifMatch } = wish;
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
    // Behind the policies, so that nobody learns the state of what they may not write.
    if (ifMatch !== undefined) requireState(previous, ifMatch);
    return { id, previousVersion: previous?.version ?? null };
  } catch (error) {
    throw toStorageError(error);
  }
}

type PreviousObject = {
  readonly id: string;
  readonly version: string | null;
  readonly metadata: ObjectMetadata | null;
};

/** @throws StorageError NoSuchKey, PreconditionFailed */
export function requireState(previous: Pick<PreviousObject, 'metadata'> | undefined, tags: string): void {
  if (!previous) throw storageError.noSuchKey();
  if (!namesState(tags, previous.metadata)) throw storageError.preconditionFailed();
}

async function lockPrevious(tx: Transaction, { bucket, name }: ObjectToWrite) {
  const { rows } = await tx.query<PreviousObject>({
    name: 'storage_lock_object',
    text: 'select id, version, metadata from storage.objects where bucket_id = $1 and name = $2 for update',
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
