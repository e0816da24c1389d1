import type { FolderRole } from '../../../packages/domain/src/folder-roles.ts';
import { writeFolderMail } from './folder-mail.ts';
import { processMailQueue, type WorkOffMailsDeps } from './process-mail-queue.ts';

/** A row of `claim_folder_notifications`. */
export type DueFolderMail = {
  readonly id: string;
  readonly email: string;
  readonly folder_name: string;
  /** One of these by the table's constraint. */
  readonly role: FolderRole;
  readonly sender_name: string | null;
  readonly first_category_id: string | null;
  readonly unsubscribe_token: string;
};

/** The queue in the database (supabase/migrations/20261130050000_announce_shared_folders.sql). */
export type ProcessFolderMailsDeps = Omit<WorkOffMailsDeps<DueFolderMail>, 'write'> & {
  readonly siteUrl: string;
  readonly functionsUrl: string;
};

/** Sends the mails to people invited to folders that are due. @returns how many went. @throws when the database cannot be asked. */
export function processFolderMails({
  siteUrl,
  functionsUrl,
  ...deps
}: ProcessFolderMailsDeps): Promise<number> {
  return processMailQueue({
    ...deps,
    write: (due) =>
      writeFolderMail({
        email: due.email,
        folderName: due.folder_name,
        role: due.role,
        senderName: due.sender_name,
        firstCategoryId: due.first_category_id,
        unsubscribeToken: due.unsubscribe_token,
        siteUrl,
        functionsUrl,
      }),
  });
}
