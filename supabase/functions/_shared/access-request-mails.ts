import { writeAccessRequestMail } from './access-request-mail.ts';
import { processMailQueue, type WorkOffMailsDeps } from './process-mail-queue.ts';

/** A row of `claim_access_request_mails`. */
export type DueAccessRequestMail = {
  readonly id: string;
  readonly email: string;
  readonly category_id: string;
  readonly category_name: string;
  readonly asker_name: string | null;
  readonly asker_email: string;
  readonly note: string;
  readonly unsubscribe_token: string;
};

/** The queue in the database (supabase/migrations/20261201000000_ask_for_access.sql). */
export type ProcessAccessRequestMailsDeps = Omit<WorkOffMailsDeps<DueAccessRequestMail>, 'write'> & {
  readonly siteUrl: string;
  readonly functionsUrl: string;
};

/** Sends the mails about requests for access that are due. @returns how many went. @throws when the database cannot be asked. */
export function processAccessRequestMails({
  siteUrl,
  functionsUrl,
  ...deps
}: ProcessAccessRequestMailsDeps): Promise<number> {
  return processMailQueue({
    ...deps,
    write: (due) =>
      writeAccessRequestMail({
        email: due.email,
        categoryId: due.category_id,
        categoryName: due.category_name,
        askerName: due.asker_name,
        askerEmail: due.asker_email,
        note: due.note,
        unsubscribeToken: due.unsubscribe_token,
        siteUrl,
        functionsUrl,
      }),
  });
}
