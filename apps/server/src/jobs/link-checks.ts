import type { Logger } from 'pino';
import { asServiceRole, type Database } from '../kernel/database.ts';
import type { JobDeclaration } from './create-job.ts';

/** What the function `check-links` answers. */
export type LinkChecksReport = {
  readonly checked: number;
  readonly failing: number;
  readonly complete: boolean;
};

export type LinkChecksDeps = {
  readonly db: Database;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** Does a part of what is due. */
  readonly checkLinks: () => Promise<LinkChecksReport>;
};

const LOOK_EVERY_MS = 60_000;
/** A quarter of an hour; what is left then is found by the next look. */
const MAX_CALLS = 15;

/**
 * Has the links opened that are due, of those who want it. Copies of the server share the work: the database gives each link to one. The
 * process may end without waiting for it: what was taken is given up after ten minutes.
 */
export function declareLinkChecks({ db, logger, checkLinks }: LinkChecksDeps): JobDeclaration {
  return {
    name: 'link_checks',
    firstAfterMs: LOOK_EVERY_MS,
    everyMs: LOOK_EVERY_MS,
    patienceMs: 0,
    // Mostly nothing is, and no function is started.
    claim: () =>
      asServiceRole(db, 'ask whether links are to be checked', async (tx) => {
        const { rows } = await tx.query<{ readonly due: boolean }>({
          name: 'are_link_checks_due',
          text: 'select public.are_link_checks_due() as due',
        });
        return rows[0]?.due === true;
      }),
    run: async ({ shouldStop }) => {
      for (let call = 0; call < MAX_CALLS && !shouldStop(); call += 1) {
        const report = await checkLinks();
        logger.info(report, 'links checked');
        if (report.complete) break;
      }
    },
    onFailure: (err, isStopping) => {
      // The server that stops takes the function along.
      if (!isStopping) logger.warn({ err }, 'links could not be checked');
    },
  };
}
