import type { ThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { createLibrary, type Library } from './create-library.ts';
import { inviteToFolder } from './share-folder.ts';

type News = {
  readonly places: number;
  readonly added: number;
  readonly shown: readonly {
    readonly category_id: string;
    readonly category: string;
    readonly folder: string | null;
    readonly added: number;
    readonly links: readonly { readonly title: string; readonly url: string }[];
  }[];
};

/** A mail as `claim_daily_mails` hands it out. */
export type DueDailyMail = {
  readonly id: string;
  readonly email: string;
  readonly news: News;
  readonly unsubscribe_token: string;
};

/** A folder with an editor, Ana, who has switched the mail on; whoever had one before has it no more. */
export type DailyMails = ReturnType<typeof callDailyMails> & {
  readonly library: Library;
  readonly ana: TestUser;
  /** So many days after the mail was switched on in São Paulo, at this time there. */
  at(days: number, time?: string): Promise<Date>;
};

/** Shares a folder of a new library with Ana, and has nobody else wait for a mail. */
export async function openDailyMails(database: ThrowawayDatabase): Promise<DailyMails> {
  const calls = callDailyMails(database);
  await database.admin.query('truncate private.daily_mails, private.share_mail_addresses');
  const library = await createLibrary(database, { plan: 'pro', name: 'Marta' });
  const ana = await createUser(database.admin, { name: 'Ana' });
  await inviteToFolder(database, library.owner, library.folderId, ana.email, 'editor');
  await calls.turn(ana, true);
  const { rows } = await database.admin.query<{ day: string }>(
    'select (private.brasilia_day(due_at) - 1)::text as day from private.daily_mails',
  );
  const at = async (days: number, time = '08:00') =>
    (
      await database.admin.query<{ moment: Date }>(
        `select ($1::date + $2::int + $3::time) at time zone 'America/Sao_Paulo' as moment`,
        [rows[0]?.day, days, time],
      )
    ).rows[0]?.moment as Date;
  return { ...calls, library, ana, at };
}

function callDailyMails(database: ThrowawayDatabase) {
  const run = (caller: TestCaller, text: string, ...values: unknown[]) =>
    queryAs<Record<string, unknown>>(database, caller, text, values);
  const value = async (caller: TestCaller, call: string, ...values: unknown[]) =>
    (await run(caller, `select ${call} as value`, ...values)).rows[0]?.['value'];
  const claim = async (moment: Date, max = 10) =>
    (
      await queryAs<DueDailyMail>(database, 'service_role', 'select * from claim_daily_mails($1, $2)', [
        max,
        moment,
      ])
    ).rows;
  const begin = (id: string | undefined, moment: Date) =>
    value('service_role', 'begin_daily_mail($1, $2)', id, moment);
  const finish = (id: string | undefined, outcome: string, moment: Date) =>
    value('service_role', 'finish_daily_mail($1, $2, $3)', id, outcome, moment);
  return {
    run,
    value,
    claim,
    begin,
    finish,
    turn: (caller: TestCaller, enabled: boolean | null) => run(caller, 'select set_daily_mail($1)', enabled),
    isOn: (caller: TestCaller) => value(caller, 'daily_mail()'),
    /** Adds links named by the title and a number. */
    add: (caller: TestCaller, categoryId: string, title: string, times = 1) =>
      run(
        caller,
        `insert into links (url, title, category_id) select 'https://n.br/' || n, $2 || n, $1 from generate_series(1, $3::int) n`,
        categoryId,
        title,
        times,
      ),
    /** Sends what is due at that moment. @returns the receivers' addresses. @throws where one does not go. */
    send: async (moment: Date): Promise<readonly string[]> => {
      const mails = await claim(moment);
      for (const { id } of mails)
        if (!((await begin(id, moment)) && (await finish(id, 'sent', moment))))
          throw new Error('a mail that was claimed did not go');
      return mails.map(({ email }) => email);
    },
  };
}
