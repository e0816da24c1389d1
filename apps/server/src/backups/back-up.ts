import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BackupError } from '@linkoteca/backup/backup-error';
import {
  type BackupProgress,
  type BackupReport,
  makeBackup,
  measureDatabase,
} from '@linkoteca/backup/make-backup';
import pg from 'pg';
import type { Settings } from '../kernel/settings.ts';
import { PROJECT_FOLDER } from '../project-folders.ts';
import { BlobMissingError, parseBlobKey, toBlobKey } from '../services/storage/blobs/blob-store.ts';
import { openBlobStore } from '../services/storage/blobs/open-blob-store.ts';
import type { BackupStore } from './backup-store.ts';

/** Why it is made: each is remembered apart. */
export type BackupKind = 'by_hand' | 'scheduled' | 'before_migration';

export type BackUpOptions = {
  readonly settings: Pick<Settings, 'dataFolder' | 's3' | 'backup'>;
  readonly jwtSecrets: readonly string[];
  readonly connect: pg.ClientConfig;
  readonly kind: BackupKind;
  readonly store: BackupStore;
  readonly name: string;
  readonly onProgress?: (progress: BackupProgress) => void;
};

export type FinishedBackup = BackupReport & { readonly bytes: number };

/**
 * Backs up this installation, and remembers in the database when that was and how it ended.
 * @throws BackupError, or what the database or the object storage says.
 */
export async function backUp(options: BackUpOptions): Promise<FinishedBackup> {
  const { settings, jwtSecrets, connect, store, name, onProgress } = options;
  const startedAt = new Date();
  try {
    const blobs = await openBlobStore(settings);
    await requireRoom(store, connect);
    let bytes = 0;
    const report = await makeBackup({
      connect,
      jwtSecrets,
      programVersion: readProgramVersion(),
      passphrase: settings.backup.passphrase,
      readFile: async ({ bucketId, version }) => {
        const key = toBlobKey(bucketId, version);
        if (parseBlobKey(key) === undefined) return undefined;
        return blobs.read(key).catch((error: unknown) => {
          if (error instanceof BlobMissingError) return undefined;
          throw error;
        });
      },
      write: async (content) => {
        bytes = await store.write(name, content);
      },
      ...(onProgress === undefined ? {} : { onProgress }),
    });
    await remember(options, { startedAt, bytes });
    return { ...report, bytes };
  } catch (error) {
    await remember(options, { startedAt, failure: error }).catch(() => undefined);
    throw error;
  }
}

export function readProgramVersion(): string {
  return JSON.parse(readFileSync(join(PROJECT_FOLDER, 'package.json'), 'utf8')).version;
}

/** Rows are compressed to less than half of what they take in the database; files mostly are compressed already. */
async function requireRoom(store: BackupStore, connect: pg.ClientConfig): Promise<void> {
  const free = await store.freeBytes();
  if (free === undefined) return;
  const { tableBytes, fileBytes } = await measureDatabase(connect);
  const needed = tableBytes / 2 + fileBytes;
  if (free < needed)
    throw new BackupError(
      `Falta espaço para o backup em ${store.label}: há ${toMegabytes(free)} MB livres e são precisos até ${toMegabytes(needed)} MB.`,
    );
}

export function toMegabytes(bytes: number): string {
  return (bytes / 1_000_000).toLocaleString('pt-BR', { maximumFractionDigits: 1 });
}

type Outcome = { readonly startedAt: Date; readonly bytes?: number; readonly failure?: unknown };

/** A database before the migration that brings the table remembers nothing. */
async function remember(
  { connect, kind, store, name }: BackUpOptions,
  { startedAt, bytes, failure }: Outcome,
) {
  const client = new pg.Client(connect);
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query(
      `select to_regclass('linkoteca_platform.backups') is not null as has`,
    );
    if (rows[0]?.has !== true) return;
    await (failure === undefined
      ? client.query(REMEMBER_SUCCESS, [kind, startedAt, bytes, `${store.label}/${name}`])
      : client.query(REMEMBER_FAILURE, [kind, failure instanceof Error ? failure.message : String(failure)]));
  } finally {
    await client.end();
  }
}

const REMEMBER_SUCCESS = `
  insert into linkoteca_platform.backups (kind, started_at, finished_at, bytes, place) values ($1, $2, now(), $3, $4)
  on conflict (kind) do update set started_at = excluded.started_at, finished_at = excluded.finished_at,
    bytes = excluded.bytes, place = excluded.place
`;

const REMEMBER_FAILURE = `
  insert into linkoteca_platform.backups (kind, failed_at, failure) values ($1, now(), $2)
  on conflict (kind) do update set failed_at = excluded.failed_at, failure = excluded.failure
`;
