import type { Logger } from 'pino';
import { finishRound } from './finish-round.ts';
import { asServiceRole, type Database } from './kernel/database.ts';

/** What the function `account-upkeep` answers, as far as the schedule reads it. */
export type AccountUpkeepReport = { readonly complete: boolean };

export type AccountUpkeepSchedule = {
  readonly db: Database;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** Does a part of the round. */
  readonly callUpkeep: () => Promise<AccountUpkeepReport>;
  readonly now: () => Date;
  /** How often to look whether a round is due. */
  readonly everyMs?: number;
};

const EVERY_MS = 60_000;
/** A deleted account is gone within the hour that its thirty days are over. */
const NEXT_IN_MINUTES = 60;
/** What is left then waits a minute: the turn is held for twenty. */
const MAX_CALLS = 10;

/**
 * Has unused accounts warned and suspended and deleted ones purged, once an hour, by one copy of the server: whoever takes the turn in
 * the database. The process may end without waiting for it: the round goes on with the next turn.
 * @returns stops it.
 */
export function scheduleAccountUpkeep(schedule: AccountUpkeepSchedule): () => void {
  const { logger, everyMs = EVERY_MS } = schedule;
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    runRound(schedule)
      .catch((err: unknown) => logger.warn({ err }, 'accounts could not be looked after'))
      .finally(() => {
        isRunning = false;
      });
  }, everyMs).unref();
  return () => clearInterval(timer);
}

/** A round that throws gives its turn back by time alone: whatever is wrong is not hurried. */
async function runRound({ db, logger, callUpkeep, now }: AccountUpkeepSchedule): Promise<void> {
  const isOurs = await asServiceRole(db, 'take the turn for account upkeep', async (tx) => {
    const { rows } = await tx.query<{ readonly ours: boolean }>({
      name: 'claim_account_upkeep',
      text: 'select public.claim_account_upkeep($1) as ours',
      values: [now()],
    });
    return rows[0]?.ours === true;
  });
  if (!isOurs) return;
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
