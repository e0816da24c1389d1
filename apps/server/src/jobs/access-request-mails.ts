import {
  type DueAccessRequestMail,
  processAccessRequestMails,
} from '../../../../supabase/functions/_shared/access-request-mails.ts';
import type { JobDeclaration } from './create-job.ts';
import { declareMails, type MailsDeps } from './mail-job.ts';
import { openMailQueue } from './open-mail-queue.ts';

/** Sends the mails to owners whom somebody asks for access. */
export function declareAccessRequestMails({ db, siteUrl, ...deps }: MailsDeps): JobDeclaration {
  const queue = openMailQueue<DueAccessRequestMail>(db, {
    claim: 'claim_access_request_mails',
    columns: 'id, email, category_id, category_name, asker_name, asker_email, note, unsubscribe_token',
    begin: 'begin_access_request_mail',
    finish: 'finish_access_request_mail',
    reason: 'mails about requests for access',
  });
  return declareMails({
    ...deps,
    name: 'access_request',
    processQueue: (round) =>
      processAccessRequestMails({ ...round, queue, siteUrl, functionsUrl: `${siteUrl}/functions/v1` }),
  });
}
