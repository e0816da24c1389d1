import { FILES_STAY_LOCK } from '@linkoteca/backup/hold-files';
import type { FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';
import { type Database, queryAsStorageAdmin } from '../../kernel/database.ts';
import type { Keyring } from '../../kernel/keyring.ts';
import { isDatabaseUnavailable } from '../../kernel/log-failure.ts';
import type { BlobStore } from './blobs/blob-store.ts';

export type StorageSettings = {
  /** Bytes: no object is larger, whatever its bucket allows. */
  readonly fileSizeLimit: number;
  /** How long a signed upload address lives, in seconds. */
  readonly uploadUrlLifetimeS: number;
  /** The origin on which files are given out that anybody may open by their address; undefined: wherever they are asked for. */
  readonly filesUrl?: string | undefined;
  /** Whether the S3 protocol is spoken. */
  readonly s3Enabled: boolean;
  /** The operator's access key to it; undefined: sessions alone have one. */
  readonly s3Keys?: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
};

export type StorageDeps = {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly blobs: BlobStore;
  readonly now: () => Date;
  readonly logger: FastifyBaseLogger;
  readonly settings: StorageSettings;
  /** What `/metrics` shows. */
  readonly metrics?: Registry;
};

/** 50 MiB, and the lifetime that the platform gives upload addresses. */
export const DEFAULT_STORAGE_SETTINGS: StorageSettings = {
  fileSizeLimit: 52_428_800,
  uploadUrlLifetimeS: 7200,
  s3Enabled: true,
};

type ForgetDeps = Pick<StorageDeps, 'blobs' | 'db'> & { readonly logger: Pick<FastifyBaseLogger, 'warn'> };

/**
 * Removes bytes that no record names any more, once the transaction that took the last one is committed. What cannot be removed now,
 * or is still to be copied by a backup whose snapshot has the record, is an orphan, which the daily sweep takes.
 */
export async function forgetBlobs({ blobs, logger, db }: ForgetDeps, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  try {
    if (await isRemovalAllowed(db)) await blobs.remove(keys);
  } catch (err) {
    logger.warn({ err, count: keys.length }, 'storage: bytes without a record could not be removed');
  }
}

/** Asked after the commit: a backup that begins later has a snapshot without the record. */
async function isRemovalAllowed(db: StorageDeps['db']): Promise<boolean> {
  const { rows } = await queryAsStorageAdmin<{ readonly allowed: boolean }>(db, {
    name: 'storage_may_forget',
    text: `select pg_try_advisory_xact_lock_shared(${FILES_STAY_LOCK}) as allowed`,
  });
  return rows[0]?.allowed === true;
}

/** Removes the bytes of a record that could not be written. A connection that broke may have taken the commit along: then they stay. */
export async function forgetUnlessKept(deps: ForgetDeps, key: string, error: unknown): Promise<void> {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!isDatabaseUnavailable(error) && !isDatabaseUnavailable(cause)) await forgetBlobs(deps, [key]);
}
