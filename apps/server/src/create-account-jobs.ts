import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { createAccountMailJob } from './create-account-mail-job.ts';
import { findOwnUrl } from './find-own-url.ts';
import type { Database } from './kernel/database.ts';
import type { Mailer } from './kernel/mail.ts';
import { type AccountUpkeepReport, scheduleAccountUpkeep } from './schedule-account-upkeep.ts';
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
