import type { Logger } from 'pino';
import { asServiceRole, type Database } from '../kernel/database.ts';
import { type SweepDeps, sweepOrphans } from '../services/storage/blobs/sweep-orphans.ts';

/** Not at once: a start has better things to do. */
const FIRST_AFTER_MS = 600_000;
const EVERY_MS = 86_400_000;

/**
 * Sweeps the bytes of no file out once a day. The process may end without waiting for it: what is left is found the next time.
 * @returns stops it.
 */
export function scheduleOrphanSweep(
  deps: SweepDeps,
  { firstAfterMs = FIRST_AFTER_MS, everyMs = EVERY_MS } = {},
): () => void {
  const { db, logger } = deps;
  const sweep = () => {
    sweepOrphans(deps)
      .then(async (report) => {
        if (report === undefined) return;
        if (report.removed > 0) logger.info(report, 'storage: bytes without a record removed');
        await finishRound(db, 'file_sweep');
      })
      .catch((err: unknown) =>
        logger.warn({ err }, 'storage: bytes without a record could not be swept out'),
      );
  };
  let timer = setTimeout(() => {
    sweep();
    timer = setInterval(sweep, everyMs).unref();
  }, firstAfterMs).unref();
  return () => clearTimeout(timer);
}

const SCHEDULE_DELETION_PURGE_EVERY_MS = 300_000;

/**
 * Deletes for good what people deleted and can no longer bring back: at once, and then every five minutes, so that nobody's data
 * outlives its undo on an installation where nothing happens. The process may end without waiting for it.
 * @returns stops it.
 */
export function scheduleDeletionPurge(
  db: Database,
  logger: Logger,
  everyMs = SCHEDULE_DELETION_PURGE_EVERY_MS,
): () => void {
  const purge = () => {
    asServiceRole(db, 'purge deletions', (tx) =>
      tx.query({ text: 'select private.purge_deletions()' }),
    ).catch((err: unknown) => logger.warn({ err }, 'expired deletions could not be purged'));
  };
  purge();
  const timer = setInterval(purge, everyMs).unref();
  return () => clearInterval(timer);
}

/** Writes down that a round of this kind is over, for whoever watches that it is made at all. */
export async function finishRound(db: Database, round: 'file_sweep' | 'account_upkeep'): Promise<void> {
  await asServiceRole(db, 'note a finished round', (tx) =>
    tx.query({ name: 'finish_round', text: 'select private.finish_round($1)', values: [round] }),
  );
}
