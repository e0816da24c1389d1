import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { eventually } from '@linkoteca/test-kit/eventually';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../kernel/create-logger.ts';
import { type Mail, MailError, type Mailer } from '../kernel/mail.ts';
import { declareAccessRequestMails } from './access-request-mails.ts';
import { createJob, type Job } from './create-job.ts';

let database: ThrowawayDatabase;
const jobs: Job[] = [];
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
afterEach(async () => {
  await Promise.all(jobs.splice(0).map((job) => job.stop()));
});

/** A request for a category of somebody's, by somebody. */
async function ask(ownerEmail: string): Promise<string> {
  const owner = await createUser(database.admin, { email: ownerEmail, plan: 'plus' });
  const { rows } = await queryAs<{ id: string }>(
    database,
    owner,
    `insert into folders (name) values ('Pasta') returning id`,
  );
  const made = await queryAs<{ id: string }>(
    database,
    owner,
    `insert into categories (name, folder_id) values ('Leituras', $1) returning id`,
    [rows[0]?.id],
  );
  const id = made.rows[0]?.id ?? '';
  const asker = await createUser(database.admin, { name: 'Ana' });
  await queryAs(database, asker, `select request_access($1, 'Sou da turma')`, [id]);
  return id;
}

function startJob(send: Mailer['send']): Job {
  const declaration = declareAccessRequestMails({
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

const states = async () =>
  (
    await database.admin.query<{ state: string; attempts: number }>(
      'select state, attempts from private.access_request_mails order by queued_at',
    )
  ).rows;

test('an owner who is asked for access gets one mail, however many servers send, after one that was put off', async () => {
  const id = await ask('marta@m.br');
  const putOff = startJob(() => Promise.reject(new MailError(new Error('away'), false)));
  await eventually(async () => expect(await states()).toEqual([{ state: 'waiting', attempts: 1 }]));
  await putOff.stop();
  await database.admin.query('update private.access_request_mails set next_attempt_at = now()');

  const mails: Mail[] = [];
  const send = async (mail: Mail) => void mails.push(mail);
  startJob(send);
  startJob(send);
  await eventually(async () => expect(await states()).toEqual([{ state: 'sent', attempts: 2 }]));
  expect(mails).toEqual([
    expect.objectContaining({ to: 'marta@m.br', subject: 'Ana pede acesso a “Leituras”' }),
  ]);
  expect(mails[0]?.text).toContain(`https://linkoteca.test/category/${id}?share=1`);
  expect(mails[0]?.text).toContain('“Sou da turma”');
});
