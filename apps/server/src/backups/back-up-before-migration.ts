import { BackupError } from '@linkoteca/backup/backup-error';
import type { MigrationNames } from '@linkoteca/migrations/pending-migrations';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Settings } from '../kernel/settings.ts';
import { backUp } from './back-up.ts';
import { listSurplusBeforeMigration, type MigratedState, nameBeforeMigration } from './backup-names.ts';
import { openBackupStore } from './backup-place.ts';
import { DEAD_AFTER_MS } from './backup-store.ts';

type Deps = {
  readonly settings: Pick<Settings, 'dataFolder' | 's3' | 'backup'>;
  readonly jwtSecrets: readonly string[];
  readonly connect: pg.ClientConfig;
  readonly logger: Logger;
};

const KEPT = 3;

/**
 * The way back from an upgrade: a backup of the database as the earlier version left it.
 * @throws BackupError that says how to go on without one.
 */
export async function backUpBeforeMigration(deps: Deps, pending: MigrationNames, client: pg.ClientBase) {
  const { settings, jwtSecrets, connect, logger } = deps;
  if (!settings.backup.beforeMigration) return;
  try {
    const store = openBackupStore(settings.backup.to, settings);
    const name = nameBeforeMigration(await readState(client), new Date());
    logger.warn({ pending, place: store.label, name }, 'backing up before the migration');
    // Of starts that were killed meanwhile. To leave it is no reason to change nothing.
    await store
      .removeUnfinished(new Date(Date.now() - DEAD_AFTER_MS))
      .catch((err: unknown) => logger.warn({ err }, 'unfinished backups could not be removed'));
    await backUp({ settings, jwtSecrets, connect, kind: 'before_migration', store, name });
    for (const surplus of listSurplusBeforeMigration(await store.list(), KEPT)) await store.remove(surplus);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BackupError(
      `O banco de dados precisa ser atualizado, e o backup de antes não pôde ser feito. ${reason} ` +
        'Nada foi mudado. Resolva isso, escolha outro lugar com BACKUP_TO, ou vá em frente sem backup com BACKUP_BEFORE_MIGRATION=false.',
      { cause },
    );
  }
}

async function readState(client: pg.ClientBase): Promise<MigratedState> {
  const readNewest = async (text: string) =>
    (await client.query<{ newest: string | null }>(text)).rows[0]?.newest ?? '0';
  const product = await readNewest(
    'select max(version) as newest from supabase_migrations.schema_migrations',
  );
  // A database that comes from a hosted project has no record of the platform's.
  const table = await readNewest(`select to_regclass('linkoteca_platform.migrations') as newest`);
  if (table === '0') return { product, platform: '0' };
  const platform = await readNewest(
    `select substring(max(name) from '^\\d+') as newest from linkoteca_platform.migrations`,
  );
  return { product, platform };
}
