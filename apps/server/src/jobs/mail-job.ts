import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Delivery, MailOutcome } from '../../../../supabase/functions/_shared/process-mail-queue.ts';
import {
  type DueShareMail,
  processShareMails,
  type ShareMailQueue,
} from '../../../../supabase/functions/_shared/share-mails.ts';
import { asServiceRole, type Database } from '../kernel/database.ts';
import { type Mail, MailError, type Mailer } from '../kernel/mail.ts';

export type MailJob = {
  /** Looks into the queue now, and then again and again. The process may end without waiting for it. */
  start(): void;
  /** Something was queued just now. */
  wake(): void;
  /** Waits a moment for the mail under way; what is not sent stays in the queue. */
  stop(): Promise<void>;
};

/** What a round needs besides its queue. */
export type MailRound = {
  readonly deliver: (mail: Mail, id: string) => Promise<Delivery>;
  readonly unrecorded: Map<string, MailOutcome>;
  readonly shouldStop: () => boolean;
};

export type MailJobDeps = {
  readonly mailer: Mailer;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** What the log calls such mails: 'invitation', say. */
  readonly name: string;
  /** Sends what is due. @returns how many went. */
  readonly workOff: (round: MailRound) => Promise<number>;
  /** How often to look: for what is to be tried again, and for what another copy of the server has queued. */
  readonly everyMs?: number;
  readonly patienceMs?: number;
};

const EVERY_MS = 30_000;
const PATIENCE_MS = 5_000;

/** Sends mails from a queue in the database, one round at a time. Any number of servers may do so. */
export function createMailJob(deps: MailJobDeps): MailJob {
  const { mailer, logger, name, workOff, everyMs = EVERY_MS, patienceMs = PATIENCE_MS } = deps;
  const unrecorded = new Map<string, MailOutcome>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  let isStopped = false;

  async function deliver(mail: Mail, id: string): Promise<Delivery> {
    try {
      await mailer.send(mail);
      return 'sent';
    } catch (err) {
      const delivery = err instanceof MailError ? err.failure : 'unreachable';
      logger.warn({ err, mail: id, delivery }, `a mail (${name}) could not be sent`);
      return delivery;
    }
  }

  async function work(): Promise<void> {
    do {
      isAskedAgain = false;
      const sent = await workOff({ deliver, unrecorded, shouldStop: () => isStopped });
      if (sent > 0) logger.info({ sent }, `mails (${name}) sent`);
    } while (isAskedAgain && !isStopped);
  }

  function wake(): void {
    isAskedAgain = true;
    if (timer === undefined || isStopped || running) return;
    running = work()
      .catch((err: unknown) => logger.warn({ err }, `the mails (${name}) could not be worked off`))
      .finally(() => {
        running = undefined;
      });
  }

  return {
    start() {
      timer = setInterval(wake, everyMs).unref();
      wake();
    },
    wake,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await Promise.race([running, wait(patienceMs, undefined, { ref: false })]);
    },
  };
}

export type ShareMailJobDeps = Omit<MailJobDeps, 'name' | 'workOff'> & {
  readonly db: Database;
  readonly siteUrl: string;
};

/** Sends the mails to people who were invited to a category, from the queue in the database. */
export function createShareMailJob({ db, siteUrl, ...deps }: ShareMailJobDeps): MailJob {
  const queue = openQueue(db);
  return createMailJob({
    ...deps,
    name: 'invitation',
    workOff: (round) =>
      processShareMails({ ...round, queue, siteUrl, functionsUrl: `${siteUrl}/functions/v1` }),
  });
}

function openQueue(db: Database): ShareMailQueue {
  return {
    claim: (max) =>
      asServiceRole(db, 'claim invitation mails', async (tx) => {
        const { rows } = await tx.query<DueShareMail>({
          name: 'claim_share_notifications',
          text: `select id, category_id, email, category_name, description, owner_name, unsubscribe_token
            from public.claim_share_notifications($1)`,
          values: [max],
        });
        return rows;
      }),
    begin: (id) =>
      asServiceRole(db, 'begin an invitation mail', async (tx) => {
        const { rows } = await tx.query<{ readonly may: boolean }>({
          name: 'begin_share_notification',
          text: 'select public.begin_share_notification($1) as may',
          values: [id],
        });
        return rows[0]?.may === true;
      }),
    finish: (id, outcome) =>
      asServiceRole(db, 'finish an invitation mail', (tx) =>
        tx.query({
          name: 'finish_share_notification',
          text: 'select public.finish_share_notification($1, $2)',
          values: [id, outcome],
        }),
      ),
  };
}
