import { type AccountMailKind, writeAccountMail } from '../../../packages/domain/src/mail-templates.ts';
import { type MailQueue, type WorkOffMailsDeps, workOffMails } from './work-off-mails.ts';

/** A row of `claim_account_mails`. */
export type DueAccountMail = {
  readonly id: string;
  readonly kind: AccountMailKind;
  readonly email: string;
  readonly name: string | null;
  /** As the driver or JSON hands it over. */
  readonly deadline: Date | string;
};

/** The queue in the database (supabase/migrations/20261123001500_close_accounts.sql). */
export type AccountMailQueue = MailQueue<DueAccountMail>;

export type WorkOffAccountMailsDeps = Omit<WorkOffMailsDeps<DueAccountMail>, 'write'> & {
  readonly siteUrl: string;
};

/** Sends the mails about accounts that are due. @returns how many went. @throws when the database cannot be asked. */
export function workOffAccountMails({ siteUrl, ...deps }: WorkOffAccountMailsDeps): Promise<number> {
  return workOffMails({
    ...deps,
    write: ({ kind, email, name, deadline }) =>
      writeAccountMail({ kind, email, name, deadline: new Date(deadline), siteUrl }),
  });
}
