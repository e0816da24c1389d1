import { callAsService } from './call-as-service.ts';
import type { DatabaseAccess } from './call-database.ts';
import { deliverByApi, type MailApi } from './deliver-by-api.ts';
import { type AccountMailQueue, type DueAccountMail, workOffAccountMails } from './work-off-account-mails.ts';

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
  return await workOffAccountMails({
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

function openQueue(access: DatabaseAccess): AccountMailQueue {
  return {
    claim: async (max) =>
      (await callAsService(access, 'claim_account_mails', { max })) as readonly DueAccountMail[],
    begin: async (id) => (await callAsService(access, 'begin_account_mail', { id })) === true,
    finish: (id, outcome) => callAsService(access, 'finish_account_mail', { id, outcome }),
  };
}
