import { type AccountMailKind, writeAccountMail } from '../../../packages/domain/src/mail-templates.ts';
import { callAsService, type DatabaseAccess } from './call-database.ts';
import { deliverByApi, type MailApi } from './deliver-by-api.ts';
import { type MailQueue, processMailQueue, type WorkOffMailsDeps } from './process-mail-queue.ts';

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
export type WorkOffAccountMailsDeps = Omit<WorkOffMailsDeps<DueAccountMail>, 'write'> & {
  readonly siteUrl: string;
};

/** Sends the mails about accounts that are due. @returns how many went. @throws when the database cannot be asked. */
export function processAccountMails({ siteUrl, ...deps }: WorkOffAccountMailsDeps): Promise<number> {
  return processMailQueue({
    ...deps,
    write: ({ kind, email, name, deadline }) =>
      writeAccountMail({ kind, email, name, deadline: new Date(deadline), siteUrl }),
  });
}

export type AccountMailSender = {
  readonly access: DatabaseAccess;
  readonly siteUrl: string;
  /** Without it mails wait in the queue for somebody else: our own server works it off by itself. */
  readonly mailApi: Omit<MailApi, 'fetch'> | undefined;
};

/** Sends what is due over the mail API, where there is one. @returns how many went. @throws InstallationUnreachable */
export async function sendAccountMails({ access, siteUrl, mailApi }: AccountMailSender): Promise<number> {
  if (mailApi === undefined) return 0;
  const api = { fetch: access.fetch, ...mailApi };
  return await processAccountMails({
    queue: openQueue(access),
    deliver: (mail, id) => deliverByApi(api, { mail, purpose: 'account-mail', id }),
    siteUrl,
    unrecorded: new Map(),
  });
}

/** The settings of a mail API; undefined where none is configured. @param read a setting's text, empty when it is not set. */
export function readMailApi(read: (name: string) => string): AccountMailSender['mailApi'] {
  const url = read('MAIL_API_URL');
  return url === '' ? undefined : { url, key: read('MAIL_API_KEY'), from: read('MAIL_FROM') };
}

function openQueue(access: DatabaseAccess): MailQueue<DueAccountMail> {
  return {
    claim: async (max) =>
      (await callAsService(access, 'claim_account_mails', { max })) as readonly DueAccountMail[],
    begin: async (id) => (await callAsService(access, 'begin_account_mail', { id })) === true,
    finish: (id, outcome) => callAsService(access, 'finish_account_mail', { id, outcome }),
  };
}
