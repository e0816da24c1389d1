import { type DueDailyMail, processDailyMails } from '../../../../supabase/functions/_shared/daily-mails.ts';
import type { JobDeclaration } from './create-job.ts';
import { declareMails, type MailsDeps } from './mail-job.ts';
import { openMailQueue } from './open-mail-queue.ts';

/** Sends the daily mails about what others added to shared places; who has something new is known when it is claimed. */
export function declareDailyMails({ db, siteUrl, ...deps }: MailsDeps): JobDeclaration {
  const queue = openMailQueue<DueDailyMail>(db, {
    claim: 'claim_daily_mails',
    columns: 'id, email, news, unsubscribe_token',
    begin: 'begin_daily_mail',
    finish: 'finish_daily_mail',
    reason: 'daily mails',
  });
  return declareMails({
    ...deps,
    name: 'daily',
    processQueue: (round) =>
      processDailyMails({ ...round, queue, siteUrl, functionsUrl: `${siteUrl}/functions/v1` }),
  });
}
