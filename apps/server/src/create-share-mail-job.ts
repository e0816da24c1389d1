import {
  type DueShareMail,
  type ShareMailQueue,
  workOffShareMails,
} from '../../../supabase/functions/_shared/work-off-share-mails.ts';
import { createMailJob, type MailJob, type MailJobDeps } from './create-mail-job.ts';
import { asServiceRole, type Database } from './kernel/database.ts';

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
      workOffShareMails({ ...round, queue, siteUrl, functionsUrl: `${siteUrl}/functions/v1` }),
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
