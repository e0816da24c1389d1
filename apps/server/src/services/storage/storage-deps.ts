import type { FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';
import type { Database } from '../../kernel/database.ts';
import type { Keyring } from '../../kernel/keyring.ts';
import type { BlobStore } from './blobs/blob-store.ts';

export type StorageSettings = {
  /** Bytes: no object is larger, whatever its bucket allows. */
  readonly fileSizeLimit: number;
  /** How long a signed upload address lives, in seconds. */
  readonly uploadUrlLifetimeS: number;
  /** The origin on which files are given out that anybody may open by their address; undefined: wherever they are asked for. */
  readonly filesUrl?: string | undefined;
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
};
