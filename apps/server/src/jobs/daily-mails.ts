import {
  type DailyMailQueue,
  type DueDailyMail,
  processDailyMails,
} from '../../../../supabase/functions/_shared/daily-mails.ts';
import { asServiceRole } from '../kernel/database.ts';
import type { JobDeclaration } from './create-job.ts';
import { declareMails, type MailsDeps } from './mail-job.ts';

/** Sends the daily mails about what others added to shared places; who has something new is known when it is claimed. */
export function declareDailyMails({ db, siteUrl, ...deps }: MailsDeps): JobDeclaration {
  const queue: DailyMailQueue = {
    claim: (max) =>
      asServiceRole(db, 'claim daily mails', async (tx) => {
        const { rows } = await tx.query<DueDailyMail>({
          name: 'claim_daily_mails',
          text: 'select id, email, news, unsubscribe_token from public.claim_daily_mails($1)',
          values: [max],
        });
        return rows;
      }),
    begin: (id) =>
      asServiceRole(db, 'begin a daily mail', async (tx) => {
        const { rows } = await tx.query<{ readonly may: boolean }>({
          name: 'begin_daily_mail',
          text: 'select public.begin_daily_mail($1) as may',
          values: [id],
        });
        return rows[0]?.may === true;
      }),
    finish: (id, outcome) =>
      asServiceRole(db, 'finish a daily mail', (tx) =>
        tx.query({
          name: 'finish_daily_mail',
          text: 'select public.finish_daily_mail($1, $2)',
          values: [id, outcome],
        }),
      ),
  };
  return declareMails({
    ...deps,
    name: 'daily',
    processQueue: (round) =>
      processDailyMails({ ...round, queue, siteUrl, functionsUrl: `${siteUrl}/functions/v1` }),
  });
}
