import {
  type AccessRequestMailQueue,
  type DueAccessRequestMail,
  processAccessRequestMails,
} from '../../../../supabase/functions/_shared/access-request-mails.ts';
import { asServiceRole } from '../kernel/database.ts';
import type { JobDeclaration } from './create-job.ts';
import { declareMails, type MailsDeps } from './mail-job.ts';

/** Sends the mails to owners whom somebody asks for access. */
export function declareAccessRequestMails({ db, siteUrl, ...deps }: MailsDeps): JobDeclaration {
  const queue: AccessRequestMailQueue = {
    claim: (max) =>
      asServiceRole(db, 'claim mails about requests for access', async (tx) => {
        const { rows } = await tx.query<DueAccessRequestMail>({
          name: 'claim_access_request_mails',
          text: `select id, email, category_id, category_name, asker_name, asker_email, note, unsubscribe_token
            from public.claim_access_request_mails($1)`,
          values: [max],
        });
        return rows;
      }),
    begin: (id) =>
      asServiceRole(db, 'begin a mail about a request for access', async (tx) => {
        const { rows } = await tx.query<{ readonly may: boolean }>({
          name: 'begin_access_request_mail',
          text: 'select public.begin_access_request_mail($1) as may',
          values: [id],
        });
        return rows[0]?.may === true;
      }),
    finish: (id, outcome) =>
      asServiceRole(db, 'finish a mail about a request for access', (tx) =>
        tx.query({
          name: 'finish_access_request_mail',
          text: 'select public.finish_access_request_mail($1, $2)',
          values: [id, outcome],
        }),
      ),
  };
  return declareMails({
    ...deps,
    name: 'access_request',
    processQueue: (round) =>
      processAccessRequestMails({ ...round, queue, siteUrl, functionsUrl: `${siteUrl}/functions/v1` }),
  });
}
