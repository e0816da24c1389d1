import { readOwner, type StorageCall } from '../open-call.ts';
import { toOwnerUuid } from '../records/buckets.ts';
import { storageError } from '../storage-error.ts';
import { requireValidBucketName } from '../validate-names.ts';

export type BucketBody = {
  readonly public?: boolean;
  readonly file_size_limit?: unknown;
  readonly allowed_mime_types?: unknown;
  readonly versioning_status?: string;
};

export type NewBucketBody = BucketBody & {
  readonly name: string;
  readonly id?: string;
  readonly type?: string;
};

/** @throws StorageError InvalidBucketName, BucketAlreadyExists, AccessDenied, and for kinds of buckets that are not offered. */
export async function createBucket(
  call: StorageCall,
  body: NewBucketBody,
  serviceLimit: number,
): Promise<{ readonly name: string }> {
  const { name, id = name, type = 'STANDARD' } = body;
  requireValidBucketName(id);
  requireValidBucketName(name);
  if (type.toUpperCase() !== 'STANDARD')
    throw storageError.featureNotEnabled(`${type.toLowerCase()} buckets`);
  refuseVersioning(body);
  const owner = readOwner(call.caller);
  const limit = readFileSize(body.file_size_limit, serviceLimit) ?? null;
  const types = readMimeTypes(body.allowed_mime_types) ?? null;
  await call.write((tx) =>
    tx.query({
      name: 'storage_create_bucket',
      text: `insert into storage.buckets (id, name, owner, owner_id, public, file_size_limit, allowed_mime_types)
        values ($1, $2, $3, $4, $5, $6, $7)`,
      values: [id, name, toOwnerUuid(owner), owner, body.public ?? false, limit, types],
    }),
  );
  return { name };
}

/** Every write replaces what was there before: a bucket that should keep it must not seem to. */
export function refuseVersioning({ versioning_status: status }: BucketBody): void {
  if (status !== undefined && status.toUpperCase() !== 'DISABLED')
    throw storageError.featureNotEnabled('versioning');
}

const SIZE = /^(\d+(?:\.\d+)?) ?(gb|mb|kb|b)?$/i;
/** Decimal, as the platform counts them here. */
const UNITS: Readonly<Record<string, number>> = { gb: 1e9, mb: 1e6, kb: 1e3, b: 1 };

/**
 * What a bucket allows a file to weigh, in bytes: a number, or a text such as `20mb`. Null and undefined stay what they are.
 * @throws StorageError for another text, and for more than the service allows at all.
 */
export function readFileSize(wish: unknown, serviceLimit: number): number | null | undefined {
  if (wish === null || wish === undefined) return wish;
  const isText = typeof wish === 'string' || typeof wish === 'number';
  const [, amount = '', unit = 'b'] = (isText && SIZE.exec(String(wish).trim())) || [];
  const bytes = Math.round(Number(amount) * (UNITS[unit.toLowerCase()] ?? 1));
  if (amount === '' || !Number.isSafeInteger(bytes)) throw storageError.invalidFileSizeLimit();
  if (bytes > serviceLimit) throw storageError.tooLarge();
  return bytes;
}

/**
 * What kinds of files a bucket takes, such as `image/*`. Null takes all; undefined says nothing.
 * @throws StorageError for anything but a list of texts.
 */
export function readMimeTypes(wish: unknown): readonly string[] | null | undefined {
  if (wish === null || wish === undefined) return wish;
  const isList =
    Array.isArray(wish) && wish.every((entry) => typeof entry === 'string' && entry.includes('/'));
  if (!isList) throw storageError.invalidParameter('allowed_mime_types');
  return wish;
}
