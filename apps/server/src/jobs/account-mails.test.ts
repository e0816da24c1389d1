import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../kernel/create-logger.ts';
import { type Mail, MailError, type Mailer } from '../kernel/mail.ts';
import { declareAccountMails } from './account-mails.ts';
import { runOnce } from './create-job.ts';

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

test('who deletes an account gets one mail, however many servers send, after one that was put off', async () => {
  const ana = await createUser(database.admin, { email: 'ana@a.br', name: 'Ana' });
  await queryAs(database, 'service_role', 'select close_account($1)', [ana.id]);
  const round = (send: Mailer['send']) =>
    runOnce(
      declareAccountMails({
        db: { pool: database.callers },
        mailer: { send },
        siteUrl: 'https://linkoteca.test',
        logger: createLogger('silent'),
      }),
    );
  const read = async () =>
    (await database.admin.query('select state, attempts from private.account_mails')).rows;
  await round(() => Promise.reject(new MailError(new Error('away'), false)));
  expect(await read()).toEqual([{ state: 'waiting', attempts: 1 }]);
  await database.admin.query('update private.account_mails set next_attempt_at = now()');

  const mails: Mail[] = [];
  const send = async (mail: Mail) => void mails.push(mail);
  await Promise.all([round(send), round(send)]);
  expect(mails).toEqual([expect.objectContaining({ to: 'ana@a.br' })]);
  expect(await read()).toEqual([{ state: 'sent', attempts: 2 }]);
});
