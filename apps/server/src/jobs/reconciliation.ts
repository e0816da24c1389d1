import type { Logger } from 'pino';
import { asServiceRole, type Database } from '../kernel/database.ts';
import type { JobDeclaration } from './create-job.ts';

/** What the function `reconcile-subscriptions` answers. */
export type ReconciliationReport = {
  readonly checked: number;
  readonly repaired: number;
  readonly failed: number;
  readonly complete: boolean;
};

export type ReconciliationDeps = {
  readonly db: Database;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** Does a part of the run: those who were not asked for since then. */
  readonly reconcile: (before: Date) => Promise<ReconciliationReport>;
  readonly now: () => Date;
  /** Whether money is taken by somebody else than the emulator, who may know customers that are unknown here. */
  readonly hasProvider: boolean;
};

/** Three in the morning in Brasília. */
const QUIET_HOUR_UTC = 6;
/** Half an hour of asking; what is left then is begun with in an hour. */
const MAX_PARTS = 20;

/**
 * Has what the database says compared with what the payment provider says, once a day by one copy of the server: at night, or
 * right after the start when the last run is older than a day. A run that was not finished is begun again after an hour.
 */
export function declareReconciliation(deps: ReconciliationDeps): JobDeclaration {
  const { db, logger, now, hasProvider } = deps;
  return {
    name: 'reconciliation',
    everyMs: 600_000,
    patienceMs: 0,
    claim: () => claimRun(db, now().getUTCHours() === QUIET_HOUR_UTC, hasProvider),
    run: ({ shouldStop }) => reconcileAll(deps, shouldStop),
    onFailure: (err, isStopping) => {
      // The server that stops takes the function along.
      if (!isStopping) logger.warn({ err }, 'subscriptions could not be reconciled');
    },
  };
}

async function reconcileAll(
  { db, logger, now, reconcile }: ReconciliationDeps,
  shouldStop: () => boolean,
): Promise<void> {
  const before = now();
  const total = { checked: 0, repaired: 0, failed: 0, complete: false };
  for (let part = 0; part < MAX_PARTS && !total.complete && !shouldStop(); part += 1) {
    const report = await reconcile(before);
    total.checked += report.checked;
    total.repaired += report.repaired;
    total.failed += report.failed;
    total.complete = report.complete;
    // The provider is away: asking on and on would not bring it back.
    if (report.failed > 0 && report.failed === report.checked) break;
  }
  // A failure of the job, which an alert tells: nothing shows when the last complete one was.
  if (!total.complete && !shouldStop()) throw new Error(`reconciled in part: ${JSON.stringify(total)}`);
  if (total.failed > 0 || !total.complete) logger.warn(total, 'subscriptions reconciled in part');
  else logger.info(total, 'subscriptions reconciled');
  if (total.complete) await finishRun(db, total);
}

function claimRun(db: Database, isQuiet: boolean, hasProvider: boolean): Promise<boolean> {
  return asServiceRole(db, 'claim the reconciliation of subscriptions', async (tx) => {
    const { rows } = await tx.query<{ readonly due: boolean }>({
      name: 'claim_subscription_reconciliation',
      text: 'select private.claim_subscription_reconciliation($1, $2) as due',
      values: [isQuiet, hasProvider],
    });
    return rows[0]?.due === true;
  });
}

function finishRun(db: Database, { checked, repaired }: ReconciliationReport): Promise<unknown> {
  return asServiceRole(db, 'finish the reconciliation of subscriptions', (tx) =>
    tx.query({
      name: 'finish_subscription_reconciliation',
      text: 'select private.finish_subscription_reconciliation($1, $2)',
      values: [checked, repaired],
    }),
  );
}
