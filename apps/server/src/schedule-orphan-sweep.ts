import { finishRound } from './finish-round.ts';
import { type SweepDeps, sweepOrphans } from './services/storage/blobs/sweep-orphans.ts';

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
