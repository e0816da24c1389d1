import type { Logger } from 'pino';
import {
  type DueFolderMail,
  processFolderMails,
} from '../../../../supabase/functions/_shared/folder-mails.ts';
import type { Delivery, MailOutcome } from '../../../../supabase/functions/_shared/process-mail-queue.ts';
import { type DueShareMail, processShareMails } from '../../../../supabase/functions/_shared/share-mails.ts';
import type { Database } from '../kernel/database.ts';
import { type Mail, MailError, type Mailer } from '../kernel/mail.ts';
import type { JobDeclaration } from './create-job.ts';
import { openMailQueue } from './open-mail-queue.ts';

export type MailsDeps = {
  readonly db: Database;
  readonly mailer: Mailer;
  readonly siteUrl: string;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
};

/** What a round needs besides its queue. */
type MailRound = {
  readonly deliver: (mail: Mail, id: string) => Promise<Delivery>;
  readonly unrecorded: Map<string, MailOutcome>;
  readonly shouldStop: () => boolean;
};

type MailQueueDeps = Pick<MailsDeps, 'mailer' | 'logger'> & {
  /** What the log and the metrics call such mails: 'invitation', say. */
  readonly name: string;
  /** Sends what is due. @returns how many went. */
  readonly processQueue: (round: MailRound) => Promise<number>;
};

/**
 * Sends mails from a queue in the database: when one is queued, and every 30 s what is to be tried again. Any number of copies may do so:
 * each claims its mails. What is not sent when the server stops stays in the queue.
 */
export function declareMails({ mailer, logger, name, processQueue }: MailQueueDeps): JobDeclaration {
  const unrecorded = new Map<string, MailOutcome>();
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
  return {
    name: `${name}_mails`,
    everyMs: 30_000,
    run: async ({ shouldStop }) => {
      const sent = await processQueue({ deliver, unrecorded, shouldStop });
      if (sent > 0) logger.info({ sent }, `mails (${name}) sent`);
    },
    onFailure: (err) => logger.warn({ err }, `the mails (${name}) could not be worked off`),
  };
}

/** Sends the mails to people who were invited to a category or to a folder. */
export function declareShareMails({ db, siteUrl, ...deps }: MailsDeps): JobDeclaration {
  const ofCategories = openMailQueue<DueShareMail>(db, {
    claim: 'claim_share_notifications',
    columns: 'id, category_id, email, category_name, description, owner_name, unsubscribe_token',
    begin: 'begin_share_notification',
    finish: 'finish_share_notification',
    reason: 'invitation mails',
  });
  const ofFolders = openMailQueue<DueFolderMail>(db, {
    claim: 'claim_folder_notifications',
    columns: 'id, email, folder_name, role, sender_name, first_category_id, unsubscribe_token',
    begin: 'begin_share_notification',
    finish: 'finish_share_notification',
    reason: 'mails about folders',
  });
  return declareMails({
    ...deps,
    name: 'invitation',
    processQueue: async (round) => {
      const given = { ...round, siteUrl, functionsUrl: `${siteUrl}/functions/v1` };
      const sent = await processShareMails({ ...given, queue: ofCategories });
      return sent + (await processFolderMails({ ...given, queue: ofFolders }));
    },
  });
}
