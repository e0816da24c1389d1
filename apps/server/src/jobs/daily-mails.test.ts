import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { eventually } from '@linkoteca/test-kit/eventually';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../kernel/create-logger.ts';
import { type Mail, MailError, type Mailer } from '../kernel/mail.ts';
import { createJob, type Job } from './create-job.ts';
import { declareDailyMails } from './daily-mails.ts';

let database: ThrowawayDatabase;
const jobs: Job[] = [];
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
afterEach(async () => {
  await Promise.all(jobs.splice(0).map((job) => job.stop()));
});

function startJob(send: Mailer['send']): Job {
  const declaration = declareDailyMails({
    db: { pool: database.callers },
    mailer: { send },
    siteUrl: 'https://linkoteca.test',
    logger: createLogger('silent'),
  });
  const job = createJob(declaration);
  jobs.push(job);
  job.start();
  return job;
}

const insert = async (caller: TestCaller, text: string, ...values: unknown[]) =>
  (await queryAs<{ id: string }>(database, caller, `${text} returning id`, values)).rows[0]?.id;
const state = async () =>
  (
    await database.admin.query<{ attempts: number; is_later: boolean }>(
      'select attempts, leased_until is null and next_attempt_at > now() as is_later from private.daily_mails',
    )
  ).rows;
/** As if the morning had come, and the links of before. */
const makeDue = () =>
  database.admin.query(
    `update private.daily_mails set next_attempt_at = now(), told_until = now() - interval '1 day'`,
  );

test('who has switched it on gets one mail about what is new, however many servers send, after one that was put off', async () => {
  const owner = await createUser(database.admin, { plan: 'pro' });
  const { id: bia } = await createUser(database.admin, { email: 'bia@m.br' });
  const folder = await insert(owner, `insert into folders (name) values ('Casa')`);
  const category = await insert(
    owner,
    `insert into categories (name, folder_id) values ('Doces', $1)`,
    folder,
  );
  await insert(
    owner,
    `insert into folder_members (folder_id, email, role) values ($1, 'bia@m.br', 'viewer')`,
    folder,
  );
  await database.admin.query(`update folder_members set created_at = now() - interval '1 day'`);
  await database.admin.query(
    `insert into links (url, title, category_id, user_id, created_at)
     values ('https://bolo.exemplo.br/', 'Bolo', $1, $2, now() - interval '1 hour')`,
    [category, owner.id],
  );
  await queryAs(database, { id: bia, email: 'bia@m.br' }, 'select set_daily_mail(true)');
  await makeDue();

  const putOff = startJob(() => Promise.reject(new MailError(new Error('away'), false)));
  await eventually(async () =>
    expect(await state()).toEqual([{ attempts: 1, is_later: expect.any(Boolean) }]),
  );
  await putOff.stop();
  expect(await state()).toEqual([{ attempts: 1, is_later: true }]);
  await makeDue();

  const mails: Mail[] = [];
  const send = async (mail: Mail) => void mails.push(mail);
  startJob(send);
  startJob(send);
  await eventually(async () => expect(await state()).toEqual([{ attempts: 0, is_later: true }]));
  expect(mails).toEqual([expect.objectContaining({ to: 'bia@m.br', subject: '1 link novo em “Doces”' })]);
  expect(mails[0]?.text).toContain('Casa › Doces (1 link novo)\n- Bolo (bolo.');
});
