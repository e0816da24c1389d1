import type { AddressInfo } from 'node:net';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { eventually } from '@linkoteca/test-kit/eventually';
import { queryAs } from '@linkoteca/test-kit/query-as';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { createLogger } from '../kernel/create-logger.ts';
import type { Mailer } from '../kernel/mail.ts';
import { createMailer } from '../kernel/mail.ts';
import { createJob, type Job } from './create-job.ts';
import { listenForWork } from './listen-for-work.ts';
import { declareShareMails, type MailsDeps } from './mail-job.ts';

type Refusal = { readonly at: 'MAIL FROM' | 'RCPT TO' | 'DATA'; readonly code: number; readonly to?: string };

/** What the fake mail server does to the next mails. */
let refusals: Refusal[] = [];
/** Called with the text in hand, before it is confirmed. */
let onText: (() => void | Promise<void>) | undefined;
let received: Email[] = [];
let smtp: SMTPServer;
let smtpPort: number;
let database: ThrowawayDatabase;
let owner: TestUser;
let categoryId: string;
const jobs: Job[] = [];

beforeAll(async () => {
  database = await createThrowawayDatabase();
  smtp = startSmtp();
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  smtpPort = (smtp.server.address() as AddressInfo).port;
});
afterAll(async () => {
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
  await database.drop();
});
beforeEach(async () => {
  refusals = [];
  onText = undefined;
  received = [];
  await database.admin.query('truncate private.share_notifications, private.share_mail_addresses');
  owner = await createUser(database.admin, { plan: 'pro', name: 'Marta' });
  categoryId = await createCategory();
});
afterEach(async () => {
  await Promise.all(jobs.splice(0).map((job) => job.stop()));
});

function startSmtp(): SMTPServer {
  const findRefusal = (at: Refusal['at'], to = '') =>
    refusals.find((refusal) => refusal.at === at && (refusal.to === undefined || refusal.to === to));
  const refuse = ({ code }: Refusal) => Object.assign(new Error('not now'), { responseCode: code });
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, done) => {
      const refusal = findRefusal('MAIL FROM');
      done(refusal && refuse(refusal));
    },
    onRcptTo: ({ address }, _session, done) => {
      const refusal = findRefusal('RCPT TO', address);
      done(refusal && refuse(refusal));
    },
    onData: async (stream, _session, done) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      const refusal = findRefusal('DATA');
      if (refusal) return done(refuse(refusal));
      received.push(await PostalMime.parse(Buffer.concat(chunks)));
      await onText?.();
      done();
    },
  });
  // Connections that a test cuts.
  server.on('error', () => undefined);
  return server;
}

async function createCategory(): Promise<string> {
  const folder = await queryAs<{ id: string }>(
    database,
    owner,
    `insert into folders (name, user_id) values ('Pasta', $1) returning id`,
    [owner.id],
  );
  const category = await queryAs<{ id: string }>(
    database,
    owner,
    `insert into categories (name, description, folder_id, user_id) values ('Leituras', 'Do clube', $1, $2) returning id`,
    [folder.rows[0]?.id, owner.id],
  );
  return category.rows[0]?.id ?? '';
}

const invite = (...emails: string[]) =>
  queryAs(database, owner, 'select save_sharing($1, false, $2)', [categoryId, emails]);

function startJob({ mailer, db }: Partial<MailsDeps> = {}, patienceMs = 20_000): Job {
  const smtpUrl = `smtp://127.0.0.1:${smtpPort}`;
  const declaration = declareShareMails({
    db: db ?? { pool: database.callers },
    mailer:
      mailer ??
      createMailer({ smtpUrl, from: 'Linkoteca <nao-responda@linkoteca.test>', mailFolder: '/nowhere' }),
    siteUrl: 'https://linkoteca.test',
    logger: createLogger('silent'),
  });
  // No interval goes by in a test. What is under way when one ends must not reach the next, but some mails never end.
  const job = createJob({ ...declaration, patienceMs });
  jobs.push(job);
  job.start();
  return job;
}

const states = async () =>
  Object.fromEntries(
    (
      await database.admin.query('select email, state from private.share_notifications order by queued_at')
    ).rows.map((row) => [row.email, row.state]),
  );
const receivers = () => received.map(({ to }) => to?.[0]?.address).sort();
/** As if so much time had gone by. */
const age = (interval: string) =>
  database.admin.query(
    `update private.share_notifications set next_attempt_at = next_attempt_at - $1::interval,
       leased_until = leased_until - $1::interval`,
    [interval],
  );

describe('somebody who was invited', () => {
  test('gets one mail, with the headers of a mail that one can end', async () => {
    await invite('ana@a.br', 'bia@b.br');
    startJob();
    startJob();
    await eventually(async () => expect(await states()).toEqual({ 'ana@a.br': 'sent', 'bia@b.br': 'sent' }));
    expect(receivers()).toEqual(['ana@a.br', 'bia@b.br']);
    const [mail] = received;
    expect(mail?.subject).toBe('Marta compartilhou “Leituras” com você');
    expect(mail?.text).toContain(`https://linkoteca.test/shared/${categoryId}`);
    const headers = Object.fromEntries(mail?.headers.map(({ key, value }) => [key, value]) ?? []);
    expect(headers).toMatchObject({
      'list-unsubscribe': expect.stringMatching(
        /^<https:\/\/linkoteca\.test\/functions\/v1\/share-unsubscribe\?token=[0-9a-f-]{36}>$/,
      ),
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    });
    // Nobody who reads a mail learns who else was invited.
    expect(JSON.stringify(received.find(({ to }) => to?.[0]?.address === 'ana@a.br'))).not.toContain(
      'bia@b.br',
    );
  });

  test('gets none when the invitation was taken back, or the category deleted, before it went', async () => {
    await invite('ana@a.br', 'bia@b.br');
    await invite('bia@b.br');
    await queryAs(database, owner, 'delete from categories where id = $1', [categoryId]);
    const job = startJob();
    await job.stop();
    expect(received).toEqual([]);
  });

  test('who wants no mails gets none, from nobody', async () => {
    await invite('ana@a.br');
    startJob();
    await eventually(() => expect(received).toHaveLength(1));
    const token = /unsubscribe\?token=([0-9a-f-]{36})/.exec(received[0]?.text ?? '')?.[1];
    await queryAs(database, 'service_role', 'select unsubscribe_share_mail($1)', [token]);
    owner = await createUser(database.admin, { plan: 'plus', name: 'Outra' });
    categoryId = await createCategory();
    await invite('ana@a.br', 'bia@b.br');
    startJob();
    await eventually(() => expect(receivers()).toEqual(['ana@a.br', 'bia@b.br']));
    await eventually(async () =>
      expect(await states()).toEqual({ 'ana@a.br': 'waiting', 'bia@b.br': 'sent' }),
    );
  });
});

describe('somebody who was invited to a folder', () => {
  const share = (email: string, role: string) =>
    queryAs(
      database,
      owner,
      'insert into folder_members (folder_id, email, role) select folder_id, $2, $3 from categories where id = $1',
      [categoryId, email, role],
    );

  test('gets one mail, beside those who were invited to a category', async () => {
    await share('ana@a.br', 'editor');
    await invite('bia@b.br');
    startJob();
    startJob();
    await eventually(async () => expect(await states()).toEqual({ 'ana@a.br': 'sent', 'bia@b.br': 'sent' }));
    expect(receivers()).toEqual(['ana@a.br', 'bia@b.br']);
    const mail = received.find(({ to }) => to?.[0]?.address === 'ana@a.br');
    expect(mail?.subject).toBe('Marta compartilhou a pasta “Pasta” com você');
    for (const form of [mail?.text, mail?.html]) {
      expect(form).toContain('Você pode editar.');
      expect(form).toContain(`https://linkoteca.test/category/${categoryId}`);
    }
    const headers = Object.fromEntries(mail?.headers.map(({ key, value }) => [key, value]) ?? []);
    expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
  });

  test('gets none when the folder was deleted, or the owner’s plan ended, before it went', async () => {
    await share('ana@a.br', 'viewer');
    await queryAs(database, owner, 'delete from folders where user_id = $1', [owner.id]);
    for (const address of ['bia@b.br', 'caio@c.br']) {
      owner = await createUser(database.admin, { plan: 'pro' });
      categoryId = await createCategory();
      await share(address, 'viewer');
      if (address === 'bia@b.br')
        await database.admin.query(`update profiles set plan = 'free' where id = $1`, [owner.id]);
    }
    startJob();
    // By then those that were queued before have had their turn.
    await eventually(async () =>
      expect(await states()).toEqual({ 'ana@a.br': 'waiting', 'bia@b.br': 'waiting', 'caio@c.br': 'sent' }),
    );
    expect(receivers()).toEqual(['caio@c.br']);
  });

  test('is tried again where the mail server was away', async () => {
    refusals = [{ at: 'RCPT TO', code: 451 }];
    await share('ana@a.br', 'viewer');
    const away = startJob();
    await eventually(async () => {
      const { rows } = await database.admin.query(
        'select next_attempt_at > now() as later from private.share_notifications',
      );
      expect(rows).toEqual([{ later: true }]);
    });
    await away.stop();
    refusals = [];
    await age('1 hour');
    startJob();
    await eventually(() => expect(receivers()).toEqual(['ana@a.br']));
  });
});

describe('a mail that is queued by plain SQL', () => {
  /** @returns how often it was told, after the first time, which is when it listens. */
  async function listen(onQueued: () => void): Promise<() => number> {
    const told = vi.fn(onQueued);
    const db = { pool: database.callers };
    onTestFinished(listenForWork(db, createLogger('silent'), { linkoteca_mails: told }));
    await eventually(() => expect(told).toHaveBeenCalledOnce());
    return () => told.mock.calls.length - 1;
  }

  test('is sent at once, by one of the copies that hear of it', async () => {
    const copies = [startJob(), startJob()];
    for (const job of copies) await listen(job.wake);
    await invite('ana@a.br');
    // The interval is half a minute.
    await eventually(() => expect(receivers()).toEqual(['ana@a.br']));
    await Promise.all(copies.map((job) => job.stop()));
    expect(receivers()).toEqual(['ana@a.br']);
  });

  test('is told of whatever its queue is, also when it is queued a second time', async () => {
    const timesTold = await listen(() => undefined);
    await database.admin.query(
      `insert into private.account_mails (user_id, kind, occasion, deadline) values ($1, 'deleted', now(), now())`,
      [owner.id],
    );
    await eventually(() => expect(timesTold()).toBe(1));
    await invite('ana@a.br');
    await eventually(() => expect(timesTold()).toBe(2));
    await database.admin.query(`update private.share_notifications set state = 'expired'`);
    await queryAs(database, owner, 'select queue_share_notifications($1, $2)', [categoryId, ['ana@a.br']]);
    await eventually(() => expect(timesTold()).toBe(3));
  });

  test('is sent when the session is back that was lost meanwhile', async () => {
    await listen(startJob().wake);
    const admin = await database.admin.connect();
    try {
      // Nothing is heard before the commit, and then nobody listens.
      await admin.query('begin');
      await admin.query('insert into shared_with (category_id, email) values ($1, $2)', [
        categoryId,
        'ana@a.br',
      ]);
      await admin.query(
        `insert into private.share_notifications (category_id, sender_id, email) values ($1, $2, 'ana@a.br')`,
        [categoryId, owner.id],
      );
      await database.admin.query(
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity
         where application_name = 'linkoteca jobs' and datname = current_database()`,
      );
      await admin.query('commit');
    } finally {
      admin.release();
    }
    await eventually(() => expect(receivers()).toEqual(['ana@a.br']));
  });
});

describe('a mail server that', () => {
  test('is down loses nothing: everything goes once it is back', async () => {
    await invite('ana@a.br', 'bia@b.br', 'caio@c.br');
    const mailer = createMailer({ smtpUrl: 'smtp://127.0.0.1:1', from: 'x@linkoteca.test', mailFolder: '/' });
    const down = startJob({ mailer });
    await eventually(async () =>
      expect(new Set(Object.values(await states()))).toEqual(new Set(['waiting'])),
    );
    await eventually(async () => {
      const { rows } = await database.admin.query(
        `select count(*)::int as n from private.share_notifications where next_attempt_at > now()`,
      );
      expect(rows[0].n).toBe(3);
    });
    await down.stop();
    await age('1 hour');
    startJob();
    await eventually(() => expect(receivers()).toEqual(['ana@a.br', 'bia@b.br', 'caio@c.br']));
  });

  test.each([
    [{ at: 'RCPT TO', code: 550, to: 'bia@b.br' } as const, 'refused'],
    [{ at: 'RCPT TO', code: 450, to: 'bia@b.br' } as const, 'waiting'],
  ])('refuses one address (%j) gets the others', async (refusal, state) => {
    refusals = [refusal];
    await invite('ana@a.br', 'bia@b.br', 'caio@c.br');
    startJob();
    await eventually(async () =>
      expect(await states()).toEqual({ 'ana@a.br': 'sent', 'bia@b.br': state, 'caio@c.br': 'sent' }),
    );
    expect(receivers()).toEqual(['ana@a.br', 'caio@c.br']);
  });

  test.each([
    { at: 'MAIL FROM', code: 550 } as const,
    { at: 'MAIL FROM', code: 421 } as const,
    { at: 'DATA', code: 452 } as const,
  ])('takes no mail of ours for now (%j) is asked again later', async (refusal) => {
    refusals = [refusal];
    await invite('ana@a.br');
    const job = startJob();
    await eventually(async () => {
      const { rows } = await database.admin.query(
        'select state, next_attempt_at > now() as later from private.share_notifications',
      );
      expect(rows).toEqual([{ state: 'waiting', later: true }]);
    });
    refusals = [];
    await age('1 hour');
    job.wake();
    await eventually(() => expect(receivers()).toEqual(['ana@a.br']));
  });

  test('breaks off with the text in hand gets it no second time: it may have arrived', async () => {
    onText = () => {
      for (const connection of smtp.connections) connection.close();
    };
    await invite('ana@a.br');
    const job = startJob();
    await eventually(() => expect(received).toHaveLength(1));
    await job.stop();
    onText = undefined;
    await age('1 hour');
    startJob();
    await eventually(async () => expect(await states()).toEqual({ 'ana@a.br': 'sent' }));
    expect(received).toHaveLength(1);
  });
});

describe('a server that dies', () => {
  const never: Mailer = { send: () => new Promise(() => undefined) };

  test('between claiming and sending loses nothing', async () => {
    await invite('ana@a.br');
    await queryAs(database, 'service_role', 'select claim_share_notifications(10)');
    const job = startJob();
    await age('4 minutes');
    job.wake();
    expect(await states()).toEqual({ 'ana@a.br': 'sending' });
    await age('2 minutes');
    job.wake();
    await eventually(() => expect(receivers()).toEqual(['ana@a.br']));
  });

  test('while sending leaves that one mail alone, and the others to the next server', async () => {
    await invite('ana@a.br', 'bia@b.br');
    startJob({ mailer: never }, 0);
    await eventually(async () => {
      const { rows } = await database.admin.query(
        'select count(*)::int as n from private.share_notifications where started_at is not null',
      );
      expect(rows[0].n).toBe(1);
    });
    await age('6 minutes');
    startJob();
    await eventually(async () => expect(await states()).toEqual({ 'ana@a.br': 'sent', 'bia@b.br': 'sent' }));
    expect(received).toHaveLength(1);
  });

  test('or is too slow gives nothing back that another server has taken since', async () => {
    await invite('ana@a.br', 'bia@b.br');
    const [slow, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = startJob({ mailer: { send: () => slow.promise } });
    await eventually(async () => {
      const { rows } = await database.admin.query(
        'select count(*)::int as n from private.share_notifications where started_at is not null',
      );
      expect(rows[0].n).toBe(1);
    });
    await age('6 minutes');
    const sent: string[] = [];
    const send: Mailer['send'] = async ({ to }) => {
      sent.push(to);
      await other.promise;
    };
    const second = startJob({ mailer: { send } });
    await eventually(() => expect(sent).toHaveLength(1));
    slow.reject(new Error('connect ECONNREFUSED'));
    await first.stop();
    other.resolve();
    await second.stop();
    expect(await states()).toEqual({ 'ana@a.br': 'sent', 'bia@b.br': 'sent' });
  });
});

test('an outcome that the database could not be told is told later', async () => {
  await invite('ana@a.br');
  let isAway = false;
  const { callers } = database;
  const pool = new Proxy(callers, {
    get: (target, name) =>
      name === 'connect' && isAway
        ? () => Promise.reject(new Error('the database is away'))
        : Reflect.get(target, name, target),
  });
  const job = startJob({
    db: { pool },
    mailer: {
      send: async () => {
        isAway = true;
        throw new Error('connect ECONNREFUSED');
      },
    },
  });
  await eventually(() => expect(isAway).toBe(true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(await states()).toEqual({ 'ana@a.br': 'sending' });
  isAway = false;
  job.wake();
  await eventually(async () => expect(await states()).toEqual({ 'ana@a.br': 'waiting' }));
});
