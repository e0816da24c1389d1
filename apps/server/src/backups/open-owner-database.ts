import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BackupError } from '@linkoteca/backup/backup-error';
import { refuseUnfinished } from '@linkoteca/backup/mark-unfinished';
import { findRunningPostgres } from '@linkoteca/embedded-postgres/find-running-postgres';
import { startEmbeddedPostgres } from '@linkoteca/embedded-postgres/start-embedded-postgres';
import type pg from 'pg';
import type { Settings } from '../kernel/settings.ts';
import { planArchiving } from '../open-database.ts';

export type OwnerDatabase = {
  readonly connect: pg.ClientConfig;
  /** Shuts down what was started for it. */
  close(): Promise<void>;
};

/**
 * This installation's database as it is, as the account that owns it: that of a server that is running, else one started for the
 * moment. Nothing is migrated.
 * @throws BackupError where there is none yet, or one that a restoration began and did not end, or what starting it throws.
 */
export async function openOwnerDatabase(
  settings: Pick<Settings, 'dataFolder' | 'databaseUrl' | 'walArchive'>,
): Promise<OwnerDatabase> {
  const { dataFolder, databaseUrl } = settings;
  const close = async () => undefined;
  if (databaseUrl !== undefined) {
    const connect = { connectionString: databaseUrl };
    await refuseUnfinished(connect);
    return { connect, close };
  }
  const folder = join(dataFolder, 'postgres');
  const running = findRunningPostgres(folder);
  if (running) return { connect: running, close };
  if (!existsSync(join(folder, 'cluster/PG_VERSION')))
    throw new BackupError(`Em ${dataFolder} não há banco de dados: confira DATA_DIR.`);
  const postgres = await startEmbeddedPostgres({
    dataFolder: folder,
    settings: await planArchiving(settings),
  });
  return { connect: postgres.connection, close: postgres.stop };
}
