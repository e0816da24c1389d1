import type { Logger } from 'pino';
import { asServiceRole, type Database } from '../kernel/database.ts';
import type { JobDeclaration } from './create-job.ts';
import { finishRound } from './sweeps.ts';

/** What the function `account-upkeep` answers, as far as the job reads it. */
export type AccountUpkeepReport = { readonly complete: boolean };

export type AccountUpkeepDeps = {
  readonly db: Database;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** Does a part of the round. */
  readonly callUpkeep: () => Promise<AccountUpkeepReport>;
  readonly now: () => Date;
};

const LOOK_EVERY_MS = 60_000;
/** A deleted account is gone within the hour that its thirty days are over. */
const NEXT_IN_MINUTES = 60;
/** What is left then waits a minute: the turn is held for twenty. */
const MAX_CALLS = 10;

/**
 * Has unused accounts warned and suspended and deleted ones purged, once an hour, by one copy of the server: whoever takes the turn in
 * the database. A round that throws gives its turn back by time alone: whatever is wrong is not hurried. The process may end without
 * waiting for it: the round goes on with the next turn.
 */
export function declareAccountUpkeep(deps: AccountUpkeepDeps): JobDeclaration {
  const { db, logger, now } = deps;
  return {
    name: 'account_upkeep',
    firstAfterMs: LOOK_EVERY_MS,
    everyMs: LOOK_EVERY_MS,
    patienceMs: 0,
    claim: () =>
      asServiceRole(db, 'take the turn for account upkeep', async (tx) => {
        const { rows } = await tx.query<{ readonly ours: boolean }>({
          name: 'claim_account_upkeep',
          text: 'select public.claim_account_upkeep($1) as ours',
          values: [now()],
        });
        return rows[0]?.ours === true;
      }),
    run: () => lookAfterAccounts(deps),
    onFailure: (err) => logger.warn({ err }, 'accounts could not be looked after'),
  };
}

async function lookAfterAccounts({ db, logger, callUpkeep, now }: AccountUpkeepDeps): Promise<void> {
  let report = await callUpkeep();
  for (let call = 1; call < MAX_CALLS && !report.complete; call += 1) report = await callUpkeep();
  logger.info(report, 'accounts looked after');
  if (report.complete) await finishRound(db, 'account_upkeep');
  await asServiceRole(db, 'end the turn for account upkeep', (tx) =>
    tx.query({
      name: 'finish_account_upkeep',
      text: 'select public.finish_account_upkeep($1, $2)',
      values: [report.complete ? NEXT_IN_MINUTES : 1, now()],
    }),
  );
}
