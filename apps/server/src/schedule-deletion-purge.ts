import type { Logger } from 'pino';
import { asServiceRole, type Database } from './kernel/database.ts';

const EVERY_MS = 300_000;

/**
 * Deletes for good what people deleted and can no longer bring back: at once, and then every five minutes, so that nobody's data
 * outlives its undo on an installation where nothing happens. The process may end without waiting for it.
 * @returns stops it.
 */
export function scheduleDeletionPurge(db: Database, logger: Logger, everyMs = EVERY_MS): () => void {
  const purge = () => {
    asServiceRole(db, 'purge deletions', (tx) =>
      tx.query({ text: 'select private.purge_deletions()' }),
    ).catch((err: unknown) => logger.warn({ err }, 'expired deletions could not be purged'));
  };
  purge();
  const timer = setInterval(purge, everyMs).unref();
  return () => clearInterval(timer);
}
