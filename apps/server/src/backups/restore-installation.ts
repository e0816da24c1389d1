import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { readArchive } from '@linkoteca/backup/archive';
import { BackupError } from '@linkoteca/backup/backup-error';
import { markUnfinished, requireEmptyDatabase, unmarkFinished } from '@linkoteca/backup/mark-unfinished';
import { type RestoredFile, type RestoreReport, restoreDatabase } from '@linkoteca/backup/restore-database';
import { makeFolder } from '@linkoteca/embedded-postgres/folders';
import { withOwnedFolder } from '@linkoteca/embedded-postgres/lock-data-folder';
import { startEmbeddedPostgres } from '@linkoteca/embedded-postgres/start-embedded-postgres';
import type pg from 'pg';
import { forgetArchiving } from '../jobs/base-backups.ts';
import type { Settings } from '../kernel/settings.ts';
import { MIGRATION_FOLDERS } from '../project-folders.ts';
import { type BlobStore, parseBlobKey, toBlobKey } from '../services/storage/blobs/blob-store.ts';
import { openBlobStore } from '../services/storage/blobs/open-blob-store.ts';
import type { BackupStore } from './backup-store.ts';
import { checkRights } from './check-rights.ts';
import { letRest } from './let-rest.ts';
import { findMount, finishSwap, isSwapUnfinished, nameRestoring, startSwap } from './swap-restored.ts';

export type RestoreInstallationOptions = {
  readonly settings: Pick<Settings, 'dataFolder' | 'databaseUrl' | 's3' | 'backup'>;
  readonly store: BackupStore;
  readonly name: string;
  /** Sets aside what is there. */
  readonly replace: boolean;
  readonly onProgress?: (progress: { readonly rows: number; readonly files: number }) => void;
  readonly now?: () => Date;
};

type Filled = RestoreReport & {
  /** Accounts that the first round is going to delete for good, a day from now. */
  readonly purges: number;
};

export type FinishedRestore = Filled & {
  /** Where what was there before lies now. */
  readonly aside: string | undefined;
};

/**
 * Makes this installation what it was when it was backed up. It is made beside its place and checked: rights, rows, each file's bytes.
 * Only then it takes its place, so whatever happens before leaves what was there.
 * @throws BackupError, PostgresStartError, MigrationError, or what an external database says.
 */
export async function restoreInstallation(options: RestoreInstallationOptions): Promise<FinishedRestore> {
  const { dataFolder, databaseUrl } = options.settings;
  const postgresFolder = join(dataFolder, 'postgres');
  makeFolder(dataFolder);
  // Nobody starts on the folder meanwhile, and no second restoration.
  return withOwnedFolder(postgresFolder, async () => {
    finishSwap(dataFolder);
    refuseContent(options);
    refuseMount(options);
    const restoring = nameRestoring(dataFolder);
    await discard(restoring);
    // What is restored without files takes the place of those that are there, too.
    makeFolder(join(restoring, 'storage'));
    try {
      const report = await restoreBeside(options, restoring);
      keepSecrets(restoring, report.jwtSecrets);
      startSwap(dataFolder);
      // Sooner, whatever ends this process would leave it open to a server with other files and secrets.
      if (databaseUrl !== undefined) await unmarkFinished({ connectionString: databaseUrl });
      const aside = finishSwap(dataFolder);
      // Another history begins: what is archived of the one before does not lead into it.
      forgetArchiving(postgresFolder);
      return { ...report, aside };
    } finally {
      // A swap that failed half-way left the only copy of the restored database in it: whoever comes next finishes it.
      if (!isSwapUnfinished(dataFolder)) rmSync(restoring, { recursive: true, force: true });
    }
  });
}

/** What a killed restoration has left, its Postgres included. */
async function discard(restoring: string): Promise<void> {
  const postgresFolder = join(restoring, 'postgres');
  if (existsSync(postgresFolder)) await withOwnedFolder(postgresFolder, async () => undefined);
  rmSync(restoring, { recursive: true, force: true });
}

async function restoreBeside(options: RestoreInstallationOptions, restoring: string): Promise<Filled> {
  const { databaseUrl } = options.settings;
  return databaseUrl === undefined
    ? restoreEmbedded(options, restoring)
    : restoreExternal(options, restoring, databaseUrl);
}

function refuseContent({ settings: { dataFolder, databaseUrl }, replace }: RestoreInstallationOptions): void {
  const isUsed = (path: string) =>
    existsSync(path) && readdirSync(path).some((name) => !name.startsWith('.'));
  const places = databaseUrl === undefined ? ['postgres/cluster', 'storage'] : ['storage'];
  const found = places.find((name) => isUsed(join(dataFolder, name)));
  if (found !== undefined && !replace)
    throw new BackupError(
      `Em ${join(dataFolder, found)} já há dados: escolha outra pasta com DATA_DIR, ou use --replace (os dados de agora ficam guardados ao lado).`,
    );
}

/** Found out only at the end, it would leave half of the installation in its place, and every start would fail at the other half. */
function refuseMount({ settings: { dataFolder, databaseUrl } }: RestoreInstallationOptions): void {
  const mount = findMount(dataFolder, databaseUrl === undefined);
  if (mount !== undefined)
    throw new BackupError(
      `${mount} é um disco ou ponto de montagem próprio: monte o volume na pasta de DATA_DIR, e não dentro dela, ou restaure em outra pasta com DATA_DIR. Nada foi mudado.`,
    );
}

async function restoreEmbedded(options: RestoreInstallationOptions, restoring: string): Promise<Filled> {
  const postgres = await startEmbeddedPostgres({ dataFolder: join(restoring, 'postgres') });
  try {
    return await fill(options, restoring, postgres.connection);
  } finally {
    await postgres.stop();
  }
}

async function restoreExternal(
  options: RestoreInstallationOptions,
  restoring: string,
  connectionString: string,
): Promise<Filled> {
  const connect = { connectionString };
  await requireEmptyDatabase(connect);
  await markUnfinished(connect);
  return fill(options, restoring, connect);
}

async function fill(
  { settings, store, name, onProgress, now = () => new Date() }: RestoreInstallationOptions,
  restoring: string,
  connect: pg.ClientConfig,
): Promise<Filled> {
  const blobs = await openBlobStore({ s3: settings.s3, dataFolder: restoring });
  const files = restoreFiles(blobs);
  const report = await restoreDatabase({
    connect,
    folders: MIGRATION_FOLDERS,
    archive: readArchive(store.read(name), settings.backup.passphrase),
    writeFile: files.write,
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  await files.check();
  await checkRights(connect);
  const purges = await letRest(connect, new Date(report.manifest.createdAt), now());
  return { ...report, purges };
}

/** As `loadSecrets` reads them. */
function keepSecrets(
  folder: string,
  [jwtSecret = randomBytes(48).toString('base64url'), ...earlier]: readonly string[],
) {
  const path = join(folder, 'secrets.json');
  const secrets = { jwtSecret, ...(earlier.length > 0 ? { earlierJwtSecrets: earlier } : {}) };
  writeFileSync(path, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true });
  chmodSync(path, 0o600);
}

type RestoringFiles = {
  write(file: RestoredFile, body: AsyncIterable<Buffer>): Promise<void>;
  /** Reads every file again. @throws BackupError where one is not what was written. */
  check(): Promise<void>;
};

/** Puts the bytes of files where the server looks for them. */
function restoreFiles(blobs: BlobStore): RestoringFiles {
  const sums = new Map<string, string>();
  return {
    async write({ bucketId, version }, body) {
      const key = toBlobKey(bucketId, version);
      if (parseBlobKey(key) === undefined)
        throw new BackupError(`O backup está danificado: ${key} não é um arquivo.`);
      const hash = createHash('sha256');
      const counted = async function* () {
        for await (const piece of body) {
          hash.update(piece);
          yield piece;
        }
      };
      await blobs.write(key, Readable.from(counted()), { maxBytes: Number.POSITIVE_INFINITY });
      sums.set(key, hash.digest('hex'));
    },

    async check() {
      for (const [key, sum] of sums) {
        const hash = createHash('sha256');
        for await (const piece of await blobs.read(key)) hash.update(piece);
        if (hash.digest('hex') !== sum)
          throw new BackupError(
            `O arquivo ${key} não ficou como no backup: confira o disco e restaure de novo.`,
          );
      }
    },
  };
}
