import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeBaseBackup } from '@linkoteca/embedded-postgres/take-base-backup';
import {
  clearUnfinishedBases,
  listBaseBackups,
  pruneWalArchive,
  type WalArchive,
} from '@linkoteca/embedded-postgres/wal-archive';
import pg from 'pg';
import type { Logger } from 'pino';
import type { JobDeclaration } from './create-job.ts';

export type BaseBackupDeps = {
  readonly archive: WalArchive;
  /** How many days recovery can go back. */
  readonly days: number;
  /** `DATA_DIR/postgres`, with the cluster in it. */
  readonly postgresFolder: string;
  readonly connection: pg.ClientConfig;
  readonly now: () => Date;
  readonly logger: Pick<Logger, 'error' | 'info'>;
};

const DAY_MS = 86_400_000;

/**
 * Keeps the archive able to recover: a base backup a day, and one at once where the log has a hole because archiving was off or went
 * elsewhere. A failure is tried again with the next look, and logged when it is another than the last. One that is under way when the
 * server stops is given up.
 */
export function declareBaseBackup(deps: BaseBackupDeps): JobDeclaration {
  const { archive, logger } = deps;
  let lastFault = '';
  return {
    name: 'base_backup',
    everyMs: 60_000,
    patienceMs: 0,
    run: async () => {
      await keepArchive(deps);
      lastFault = '';
    },
    onFailure: (err) => {
      const fault = err instanceof Error ? err.message : String(err);
      if (fault !== lastFault)
        logger.error({ fault, folder: archive.folder }, 'the write-ahead log is not archived');
      lastFault = fault;
    },
  };
}

/** @throws what is wrong with archiving. */
async function keepArchive(deps: BaseBackupDeps): Promise<void> {
  const { archive, days, postgresFolder, connection, now, logger } = deps;
  // Of a server that was killed: this one makes one base backup at a time, and here it makes none.
  await clearUnfinishedBases(archive);
  const fault = await findArchivingFault(connection);
  if (fault !== undefined) throw new Error(fault);
  // One from a day to come was made by a clock that was ahead.
  const isRecent = (await listBaseBackups(archive)).some(
    ({ finishedAt }) => Math.abs(now().getTime() - Date.parse(finishedAt)) < DAY_MS,
  );
  if (isRecent && readArchivedTo(postgresFolder) === archive.folder) return;
  const base = await takeBaseBackup(
    archive,
    { connection, clusterFolder: join(postgresFolder, 'cluster') },
    now,
  );
  writeFileSync(markerPath(postgresFolder), archive.folder, { mode: 0o600 });
  logger.info(base, 'base backup made');
  await pruneWalArchive(archive, new Date(now().getTime() - days * DAY_MS), days + 1);
}

/** Says that segments from now on are missing in whatever archive there was. To be called before Postgres starts without archiving. */
export function forgetArchiving(postgresFolder: string): void {
  rmSync(markerPath(postgresFolder), { force: true });
}

const markerPath = (postgresFolder: string) => join(postgresFolder, 'archived-to');

function readArchivedTo(postgresFolder: string): string {
  try {
    return readFileSync(markerPath(postgresFolder), 'utf8');
  } catch {
    return '';
  }
}

/** Postgres goes on trying, and keeps every segment until it succeeds. */
async function findArchivingFault(connection: pg.ClientConfig): Promise<string | undefined> {
  const client = new pg.Client({ ...connection, application_name: 'linkoteca archiving' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ segment: string }>(
      `select last_failed_wal as segment from pg_stat_archiver
       where last_failed_time > coalesce(last_archived_time, '-infinity')`,
    );
    return rows[0] ? `segment ${rows[0].segment} could not be written` : undefined;
  } finally {
    await client.end();
  }
}
