import { type SharedNews, writeDailyMail } from './daily-mail.ts';
import { processMailQueue, type WorkOffMailsDeps } from './process-mail-queue.ts';

/** A row of `claim_daily_mails`. */
export type DueDailyMail = {
  readonly id: string;
  readonly email: string;
  readonly news: SharedNews;
  readonly unsubscribe_token: string;
};

/** The queue in the database (supabase/migrations/20261206000000_mail_daily_news.sql). */
export type ProcessDailyMailsDeps = Omit<WorkOffMailsDeps<DueDailyMail>, 'write'> & {
  readonly siteUrl: string;
  readonly functionsUrl: string;
};

/** Sends the daily mails that are due. @returns how many went. @throws when the database cannot be asked. */
export function processDailyMails({
  siteUrl,
  functionsUrl,
  ...deps
}: ProcessDailyMailsDeps): Promise<number> {
  return processMailQueue({
    ...deps,
    write: ({ email, news, unsubscribe_token: unsubscribeToken }) =>
      writeDailyMail({ email, news, unsubscribeToken, siteUrl, functionsUrl }),
  });
}
