import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeBaseBackup } from '@linkoteca/embedded-postgres/take-base-backup';
import { listBaseBackups, pruneWalArchive, type WalArchive } from '@linkoteca/embedded-postgres/wal-archive';
import pg from 'pg';
import type { Logger } from 'pino';

export type BaseBackupJob = {
  readonly archive: WalArchive;
  /** How many days recovery can go back. */
  readonly days: number;
  /** `DATA_DIR/postgres`, with the cluster in it. */
  readonly postgresFolder: string;
  readonly connection: pg.ClientConfig;
  readonly now: () => Date;
  readonly logger: Pick<Logger, 'error' | 'info'>;
};

const LOOK_EVERY_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Keeps the archive able to recover: a base backup a day, and one at once where the log has a hole because archiving was off or went
 * elsewhere. A failure is tried again with the next look.
 * @returns stops it; a base backup that is under way is given up.
 */
export function scheduleBaseBackups(job: BaseBackupJob, { everyMs = LOOK_EVERY_MS } = {}): () => void {
  let isRunning = false;
  let lastFault = '';
  const look = () => {
    if (isRunning) return;
    isRunning = true;
    keepArchive(job)
      .then(
        (fault) => fault,
        (error: unknown) => String(error),
      )
      .then((fault) => {
        if (fault !== '' && fault !== lastFault)
          job.logger.error({ fault, folder: job.archive.folder }, 'the write-ahead log is not archived');
        lastFault = fault;
        isRunning = false;
      });
  };
  look();
  const timer = setInterval(look, everyMs).unref();
  return () => clearInterval(timer);
}

/** @returns what is wrong with archiving; empty when nothing is. */
export async function keepArchive(job: BaseBackupJob): Promise<string> {
  const { archive, days, postgresFolder, connection, now, logger } = job;
  const fault = await findArchivingFault(connection);
  if (fault !== '') return fault;
  // One from a day to come was made by a clock that was ahead.
  const isRecent = (await listBaseBackups(archive)).some(
    ({ finishedAt }) => Math.abs(now().getTime() - Date.parse(finishedAt)) < DAY_MS,
  );
  if (isRecent && readArchivedTo(postgresFolder) === archive.folder) return '';
  const base = await takeBaseBackup(
    archive,
    { connection, clusterFolder: join(postgresFolder, 'cluster') },
    now,
  );
  writeFileSync(markerPath(postgresFolder), archive.folder, { mode: 0o600 });
  logger.info(base, 'base backup made');
  await pruneWalArchive(archive, new Date(now().getTime() - days * DAY_MS), days + 1);
  return '';
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
async function findArchivingFault(connection: pg.ClientConfig): Promise<string> {
  const client = new pg.Client({ ...connection, application_name: 'linkoteca archiving' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ segment: string }>(
      `select last_failed_wal as segment from pg_stat_archiver
       where last_failed_time > coalesce(last_archived_time, '-infinity')`,
    );
    return rows[0] ? `segment ${rows[0].segment} could not be written` : '';
  } finally {
    await client.end();
  }
}
