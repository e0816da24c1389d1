import type { Server } from 'node:http';
import type { Logger } from 'pino';
import {
  type AccountMailQueue,
  type DueAccountMail,
  processAccountMails,
} from '../../../../supabase/functions/_shared/account-mails.ts';
import { findOwnUrl } from '../find-own-url.ts';
import { asServiceRole, type Database } from '../kernel/database.ts';
import type { Mailer } from '../kernel/mail.ts';
import { createMailJob, type MailJob, type MailJobDeps } from './mail-job.ts';
import { finishRound } from './sweeps.ts';
import { watchRequests } from './watch-requests.ts';

export type AccountJobsDeps = {
  readonly server: Server;
  readonly db: Database;
  readonly mailer: Mailer;
  readonly serviceRoleKey: string;
  readonly siteUrl: string;
  readonly logger: Logger;
  readonly now: () => Date;
};

export type AccountJobs = {
  /** The server listens by now. */
  start(): void;
  /** Waits a moment for the mail under way. */
  stop(): Promise<void>;
};

/** What puts mails into the queue. */
const QUEUEING = /^\/functions\/v1\/(?:delete-account|account-upkeep)(?:\?|$)/;
/** A part of a round takes a minute, and what it is at then a few seconds more. */
const PATIENCE_MS = 120_000;

/** What the server does for accounts by itself: it sends mails about them, and looks after the unused and the deleted ones. */
export function createAccountJobs(deps: AccountJobsDeps): AccountJobs {
  const { server } = deps;
  const mails = createAccountMailJob(deps);
  watchRequests(server, QUEUEING, mails.wake);
  let stopUpkeep: () => void = () => undefined;
  return {
    start() {
      mails.start();
      stopUpkeep = scheduleAccountUpkeep({ ...deps, callUpkeep: () => callUpkeep(deps) });
    },
    stop() {
      stopUpkeep();
      return mails.stop();
    },
  };
}

/** By way of the function, which knows the payment provider: the same that a schedule calls on the hosted platform. */
async function callUpkeep({ server, serviceRoleKey }: AccountJobsDeps): Promise<AccountUpkeepReport> {
  const response = await fetch(`${findOwnUrl(server)}/functions/v1/account-upkeep`, {
    method: 'POST',
    headers: { authorization: `Bearer ${serviceRoleKey}` },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!response.ok) throw new Error(`account-upkeep: status ${response.status}`);
  return (await response.json()) as AccountUpkeepReport;
}

type AccountMailJobDeps = Omit<MailJobDeps, 'name' | 'workOff'> & {
  readonly db: Database;
  readonly siteUrl: string;
};

/** Sends the mails about accounts (deleted, soon suspended, suspended) from the queue in the database. */
function createAccountMailJob({ db, siteUrl, ...deps }: AccountMailJobDeps): MailJob {
  const queue = openQueue(db);
  return createMailJob({
    ...deps,
    name: 'account',
    workOff: (round) => processAccountMails({ ...round, queue, siteUrl }),
  });
}

function openQueue(db: Database): AccountMailQueue {
  return {
    claim: (max) =>
      asServiceRole(db, 'claim account mails', async (tx) => {
        const { rows } = await tx.query<DueAccountMail>({
          name: 'claim_account_mails',
          text: 'select id, kind, email, name, deadline from public.claim_account_mails($1)',
          values: [max],
        });
        return rows;
      }),
    begin: (id) =>
      asServiceRole(db, 'begin an account mail', async (tx) => {
        const { rows } = await tx.query<{ readonly may: boolean }>({
          name: 'begin_account_mail',
          text: 'select public.begin_account_mail($1) as may',
          values: [id],
        });
        return rows[0]?.may === true;
      }),
    finish: (id, outcome) =>
      asServiceRole(db, 'finish an account mail', (tx) =>
        tx.query({
          name: 'finish_account_mail',
          text: 'select public.finish_account_mail($1, $2)',
          values: [id, outcome],
        }),
      ),
  };
}

/** What the function `account-upkeep` answers, as far as the schedule reads it. */
type AccountUpkeepReport = { readonly complete: boolean };

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
