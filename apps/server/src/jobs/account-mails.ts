import {
  type DueAccountMail,
  processAccountMails,
} from '../../../../supabase/functions/_shared/account-mails.ts';
import type { JobDeclaration } from './create-job.ts';
import { declareMails, type MailsDeps } from './mail-job.ts';
import { openMailQueue } from './open-mail-queue.ts';

/** Sends the mails about accounts (deleted, soon suspended, suspended) from the queue in the database. */
export function declareAccountMails({ db, siteUrl, ...deps }: MailsDeps): JobDeclaration {
  const queue = openMailQueue<DueAccountMail>(db, {
    claim: 'claim_account_mails',
    columns: 'id, kind, email, name, deadline',
    begin: 'begin_account_mail',
    finish: 'finish_account_mail',
    reason: 'account mails',
  });
  return declareMails({
    ...deps,
    name: 'account',
    processQueue: (round) => processAccountMails({ ...round, queue, siteUrl }),
  });
}
