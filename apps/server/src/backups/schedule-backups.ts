import { NOTICE_SILENCE } from '@linkoteca/migrations/run-migration';
import pg from 'pg';
import type { Logger } from 'pino';
import type { JobDeclaration } from '../jobs/create-job.ts';
import { asServiceRole, type Database } from '../kernel/database.ts';
import type { Settings } from '../kernel/settings.ts';
import { listSurplusScheduled, nameScheduled } from './backup-names.ts';
import { DEAD_AFTER_MS } from './backup-store.ts';

export type ScheduledBackupDeps = {
  readonly settings: Pick<Settings, 'dataFolder' | 's3' | 'backup'>;
  readonly jwtSecrets: readonly string[];
  readonly db: Database;
  /** As the account that owns the tables. */
  readonly connect: pg.ClientConfig;
  readonly now: () => Date;
  readonly logger: Pick<Logger, 'info' | 'error'>;
};

const LOOK_EVERY_MS = 60_000;
/** After one that failed, if the next is not due earlier anyway. */
const RETRY_MS = 900_000;
/** What lies further in the future was noted by a clock that was wrong. */
const CLOCK_SLACK_MS = 3_600_000;
const TURN_LOCK = `hashtextextended('linkoteca: scheduled backup', 0)`;

/**
 * Backs up every `BACKUP_EVERY`, counted from the last that went well, whichever copy of the server made it. The process may end without
 * waiting for one: what is unfinished is removed by a later one.
 */
export function declareBackup(deps: ScheduledBackupDeps): JobDeclaration {
  return {
    name: 'backup',
    firstAfterMs: LOOK_EVERY_MS,
    everyMs: LOOK_EVERY_MS,
    patienceMs: 0,
    claim: () => claimBackup(deps),
    run: () => backUpNow(deps),
    onFailure: (err) => deps.logger.error({ err }, 'the scheduled backup failed'),
  };
}

/** The turn is a session's lock: who dies gives it back. */
async function claimBackup(deps: ScheduledBackupDeps): Promise<false | (() => Promise<void>)> {
  if (!(await isDue(deps))) return false;
  const session = new pg.Client(deps.connect);
  session.on('error', () => undefined);
  await session.connect();
  let isOurs = false;
  try {
    await session.query(NOTICE_SILENCE);
    const { rows } = await session.query<{ ours: boolean }>(
      `select pg_try_advisory_lock(${TURN_LOCK}) as ours`,
    );
    // Another copy may have made it between the two looks.
    isOurs = rows[0]?.ours === true && (await isDue(deps));
  } finally {
    if (!isOurs) await session.end();
  }
  return isOurs && (() => session.end());
}

async function backUpNow({ settings, jwtSecrets, connect, now, logger }: ScheduledBackupDeps): Promise<void> {
  // Seldom needed: a start is the quicker for it.
  const [{ backUp }, { openBackupStore }] = await Promise.all([
    import('./back-up.ts'),
    import('./backup-place.ts'),
  ]);
  const store = openBackupStore(settings.backup.to, settings);
  await store.removeUnfinished(new Date(now().getTime() - DEAD_AFTER_MS));
  const name = nameScheduled(now());
  const { bytes, totals } = await backUp({ settings, jwtSecrets, connect, kind: 'scheduled', store, name });
  logger.info({ name, bytes, files: totals.files, lost: totals.lostFiles.length }, 'backed up');
  for (const surplus of listSurplusScheduled(await store.list(), settings.backup.keep, name))
    await store.remove(surplus);
}

async function isDue({ db, settings, now }: ScheduledBackupDeps): Promise<boolean> {
  const { everyMs } = settings.backup;
  if (everyMs === undefined) return false;
  const { rows } = await asServiceRole(db, 'look when the last backup was', (tx) =>
    tx.query<{ started: Date | null; failed: Date | null }>({
      text: `select started_at as started, failed_at as failed from linkoteca_platform.backups where kind = 'scheduled'`,
    }),
  );
  const { started = null, failed = null } = rows[0] ?? {};
  const isOver = (since: Date | null, ms: number) => {
    const age = since === null ? ms : now().getTime() - since.getTime();
    return age >= ms || age < -CLOCK_SLACK_MS;
  };
  return isOver(started, everyMs) && isOver(failed, Math.min(RETRY_MS, everyMs));
}
