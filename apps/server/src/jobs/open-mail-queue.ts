import type { MailQueue } from '../../../../supabase/functions/_shared/process-mail-queue.ts';
import { asServiceRole, type Database } from '../kernel/database.ts';

/** The functions in the database that a queue is worked off by. */
type MailQueueFunctions = {
  readonly claim:
    | 'claim_access_request_mails'
    | 'claim_account_mails'
    | 'claim_daily_mails'
    | 'claim_folder_notifications'
    | 'claim_share_notifications';
  /** Of what `claim` returns. */
  readonly columns: string;
  readonly begin:
    | 'begin_access_request_mail'
    | 'begin_account_mail'
    | 'begin_daily_mail'
    | 'begin_share_notification';
  readonly finish:
    | 'finish_access_request_mail'
    | 'finish_account_mail'
    | 'finish_daily_mail'
    | 'finish_share_notification';
  /** Which mails they are: 'account mails'. */
  readonly reason: string;
};

/** A queue of mails in the database, as its service role. */
export function openMailQueue<Due extends { readonly id: string }>(
  db: Database,
  { claim, columns, begin, finish, reason }: MailQueueFunctions,
): MailQueue<Due> {
  return {
    claim: (max) =>
      asServiceRole(db, `claim ${reason}`, async (tx) => {
        const text = `select ${columns} from public.${claim}($1)`;
        return (await tx.query<Due>({ name: claim, text, values: [max] })).rows;
      }),
    begin: (id) =>
      asServiceRole(db, `begin one of ${reason}`, async (tx) => {
        const text = `select public.${begin}($1) as may`;
        const { rows } = await tx.query<{ readonly may: boolean }>({ name: begin, text, values: [id] });
        return rows[0]?.may === true;
      }),
    finish: (id, outcome) =>
      asServiceRole(db, `finish one of ${reason}`, (tx) =>
        tx.query({ name: finish, text: `select public.${finish}($1, $2)`, values: [id, outcome] }),
      ),
  };
}
