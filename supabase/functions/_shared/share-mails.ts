import { processMailQueue, type WorkOffMailsDeps } from './process-mail-queue.ts';
import { writeShareMail } from './share-mail.ts';

/** A row of `claim_share_notifications`. */
export type DueShareMail = {
  readonly id: string;
  readonly category_id: string;
  readonly email: string;
  readonly category_name: string;
  readonly description: string | null;
  readonly owner_name: string | null;
  readonly unsubscribe_token: string;
};

/** The queue in the database (supabase/migrations/20261123001200_queue_share_mails.sql). */
export type WorkOffShareMailsDeps = Omit<WorkOffMailsDeps<DueShareMail>, 'write'> & {
  readonly siteUrl: string;
  readonly functionsUrl: string;
};

/** Sends the mails to invited people that are due. @returns how many went. @throws when the database cannot be asked. */
export function processShareMails({
  siteUrl,
  functionsUrl,
  ...deps
}: WorkOffShareMailsDeps): Promise<number> {
  return processMailQueue({
    ...deps,
    write: (due) =>
      writeShareMail({
        email: due.email,
        categoryId: due.category_id,
        categoryName: due.category_name,
        description: due.description,
        ownerName: due.owner_name,
        unsubscribeToken: due.unsubscribe_token,
        siteUrl,
        functionsUrl,
      }),
  });
}
