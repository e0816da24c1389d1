import {
  type AccountMailQueue,
  type DueAccountMail,
  workOffAccountMails,
} from '../../../supabase/functions/_shared/work-off-account-mails.ts';
import { createMailJob, type MailJob, type MailJobDeps } from './create-mail-job.ts';
import { asServiceRole, type Database } from './kernel/database.ts';

export type AccountMailJobDeps = Omit<MailJobDeps, 'name' | 'workOff'> & {
  readonly db: Database;
  readonly siteUrl: string;
};

/** Sends the mails about accounts (deleted, soon suspended, suspended) from the queue in the database. */
export function createAccountMailJob({ db, siteUrl, ...deps }: AccountMailJobDeps): MailJob {
  const queue = openQueue(db);
  return createMailJob({
    ...deps,
    name: 'account',
    workOff: (round) => workOffAccountMails({ ...round, queue, siteUrl }),
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
