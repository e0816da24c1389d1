import type { Logger } from 'pino';
import { findKeptAside } from '../backups/find-kept-aside.ts';
import { asServiceRole, type Database } from '../kernel/database.ts';
import type { Settings } from '../kernel/settings.ts';
import { type SweepDeps, sweepOrphans } from '../services/storage/blobs/sweep-orphans.ts';
import { sweepUploads } from '../services/storage/resumable/sweep-uploads.ts';
import type { JobDeclaration, JobRound } from './create-job.ts';

/** Sweeps the bytes of no file out once a day, in one copy of the server: the sweep itself takes the turn. */
export function declareFileSweep(
  deps: SweepDeps & { readonly settings: Pick<Settings, 'dataFolder' | 's3'> },
): JobDeclaration {
  const { db, logger, settings } = deps;
  return {
    name: 'file_sweep',
    // Not at once: a start has better things to do.
    firstAfterMs: 600_000,
    everyMs: 86_400_000,
    patienceMs: 0,
    run: async () => {
      const kept = findKeptAside(settings);
      if (kept === undefined) {
        const report = await sweepOrphans(deps);
        if (report === undefined) return;
        if (report.removed > 0) logger.info(report, 'storage: bytes without a record removed');
      } else {
        logger.warn(
          { kept },
          'storage: nothing is swept out while a database is kept aside that may name it',
        );
      }
      await finishRound(db, 'file_sweep');
    },
    onFailure: (err) => logger.warn({ err }, 'storage: bytes without a record could not be swept out'),
  };
}

/** Throws away uploads that nobody went on with for a day, and what is remembered of those that were finished. Any number of copies may do so. */
export function declareUploadSweep(deps: SweepDeps): JobDeclaration {
  const { logger } = deps;
  return {
    name: 'upload_sweep',
    everyMs: 900_000,
    run: () => sweepUploads(deps),
    onFailure: (err) => logger.warn({ err }, 'storage: abandoned uploads could not be thrown away'),
  };
}

/**
 * Deletes for good what was in somebody's bin for its thirty days, or was taken out of it, so that nobody's data outlives its time on
 * an installation where nothing happens: a bounded part each time. Any number of copies may do so.
 */
export function declareDeletionPurge(db: Database, logger: Pick<Logger, 'warn'>): JobDeclaration {
  return {
    name: 'deletion_purge',
    everyMs: 300_000,
    run: () =>
      asServiceRole(db, 'purge deletions', (tx) => tx.query({ text: 'select private.purge_deletions()' })),
    onFailure: (err) => logger.warn({ err }, 'expired deletions could not be purged'),
  };
}

/**
 * Forgets the keys under which programs could send a request to the plain API again, when their day is over. Any number of copies may do so.
 */
export function declareIdempotencyKeyPurge(db: Database, logger: Pick<Logger, 'warn'>): JobDeclaration {
  return {
    name: 'idempotency_key_purge',
    everyMs: 900_000,
    run: (round) => purgeInParts(db, 'purge idempotency keys', 'private.purge_idempotency_keys', round),
    onFailure: (err) => logger.warn({ err }, 'expired idempotency keys could not be purged'),
  };
}

/** Forgets the numbers of links and tags that are neither there nor in a bin, once a day. Any number of copies may do so. */
export function declareShortIdPurge(db: Database, logger: Pick<Logger, 'warn'>): JobDeclaration {
  return {
    name: 'short_id_purge',
    firstAfterMs: 900_000,
    everyMs: 86_400_000,
    run: (round) => purgeInParts(db, 'purge short ids', 'private.purge_short_ids', round),
    onFailure: (err) => logger.warn({ err }, 'numbers of what is gone could not be purged'),
  };
}

/** Forgets what changed in categories more than thirty days ago. Any number of copies may do so. */
export function declareHistoryPurge(db: Database, logger: Pick<Logger, 'warn'>): JobDeclaration {
  return {
    name: 'history_purge',
    firstAfterMs: 900_000,
    everyMs: 900_000,
    run: (round) =>
      purgeInParts(db, 'purge the history of categories', 'private.purge_category_changes', round),
    onFailure: (err) => logger.warn({ err }, 'the history of categories could not be purged'),
  };
}

/**
 * Sums up anew the parts of large libraries that have been edited since, so that those with whom they are shared may skip them, too: a
 * bounded part each time. Any number of copies may do so.
 */
export function declareSearchZoneRefresh(db: Database, logger: Pick<Logger, 'warn'>): JobDeclaration {
  return {
    name: 'search_zone_refresh',
    firstAfterMs: 60_000,
    everyMs: 60_000,
    run: () =>
      asServiceRole(db, 'refresh search zones', (tx) =>
        tx.query({ text: 'select private.refresh_search_zones()' }),
      ),
    onFailure: (err) => logger.warn({ err }, 'search zones could not be refreshed'),
  };
}

const PART = 10_000;

/** Purges all that is due, a part a transaction: more may come in an hour than one takes. */
export async function purgeInParts(
  db: Database,
  reason: string,
  purge: `private.purge_${string}`,
  { shouldStop }: JobRound,
): Promise<void> {
  for (let purged = PART; purged === PART && !shouldStop(); )
    purged = await asServiceRole(db, reason, async (tx) => {
      const { rows } = await tx.query<{ readonly purged: number }>({
        text: `select ${purge}($1) as purged`,
        values: [PART],
      });
      return rows[0]?.purged ?? 0;
    });
}

/** Writes down that a round of this kind is over, for whoever watches that it is made at all. */
export async function finishRound(db: Database, round: 'file_sweep' | 'account_upkeep'): Promise<void> {
  await asServiceRole(db, 'note a finished round', (tx) =>
    tx.query({ name: 'finish_round', text: 'select private.finish_round($1)', values: [round] }),
  );
}
