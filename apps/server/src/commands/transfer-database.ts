import { readArchive } from '@linkoteca/backup/archive';
import { makeBackup } from '@linkoteca/backup/make-backup';
import { restoreDatabase } from '@linkoteca/backup/restore-database';
import type pg from 'pg';
import { checkRights } from '../backups/check-rights.ts';
import { MIGRATION_FOLDERS } from '../project-folders.ts';

export type Transfer = {
  readonly rows: number;
  /** In Portuguese: what has not come along. */
  readonly warnings: readonly string[];
};

/**
 * Brings everything from one database into an empty one of whatever version, as a backup and its restoration would, with no file
 * between them: the rows are counted, the rights compared with those of a new installation. Files stay where they lie.
 * @throws BackupError, MigrationError, or the database's error; the second database is then to be thrown away.
 */
export async function transferDatabase(from: pg.ClientConfig, to: pg.ClientConfig): Promise<Transfer> {
  const restored: Transfer[] = [];
  await makeBackup({
    connect: from,
    readFile: async () => undefined,
    jwtSecrets: [],
    programVersion: '',
    passphrase: undefined,
    async write(bytes) {
      const { totals, manifest, warnings } = await restoreDatabase({
        connect: to,
        folders: MIGRATION_FOLDERS,
        archive: readArchive(bytes, undefined),
        writeFile: async () => undefined,
      });
      const rows = Object.values(totals.rows).reduce((sum, count) => sum + count, 0);
      restored.push({ rows, warnings: [...manifest.leftOut, ...warnings] });
    },
  });
  await checkRights(to);
  const [transfer] = restored;
  if (transfer === undefined) throw new Error('nothing was restored');
  return transfer;
}
