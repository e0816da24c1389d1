import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type Database } from '../../kernel/database.ts';
import { type AuthSettings, DEFAULT_AUTH_SETTINGS } from './auth-settings.ts';
import { createRateLimits, type MailKind } from './rate-limits.ts';
import { newEmail } from './test-support/sign-people-in.ts';

let database: ThrowawayDatabase;
let db: Database;
let time = Date.now();
beforeAll(async () => {
  database = await createThrowawayDatabase();
  db = createDatabase({ ...database.authenticator, max: 4 });
  db.pool.on('error', () => undefined);
});
afterAll(async () => {
  await db.pool.end();
  await database.drop();
});

/** The limits of one copy of the server. */
function open(settings: Partial<AuthSettings> = {}, from = db) {
  const all = { ...DEFAULT_AUTH_SETTINGS, siteUrl: 'https://linkoteca.test', ...settings };
  return createRateLimits(all, { db: from, now: () => new Date(time) });
}

const REFUSED = { status: 429, code: 'over_email_send_rate_limit' };

describe('the limits', () => {
  it('count a whole network of IPv6 as one, and single addresses of IPv4', async () => {
    const limits = open({ requestsPerAddress: { points: 1, seconds: 60 } });
    await limits.countRequest('token', '2001:db8:1:2::1');
    await expect(limits.countRequest('token', '2001:db8:1:2:ffff:ffff:ffff:ffff')).rejects.toMatchObject({
      status: 429,
    });
    await limits.countRequest('token', '2001:db8:1:3::1');
    await limits.countRequest('token', '::1');
    await limits.countRequest('token', '10.0.0.1');
    await limits.countRequest('token', '10.0.0.2');
    await limits.countRequest('token', '::ffff:10.0.0.2');
    await limits.countRequest('token', '::ffff:10.0.0.3');
  });

  it.each([
    ['neither', { points: 0, seconds: 0 }],
    ['no attempts', { points: 0, seconds: 60 }],
    ['no time', { points: 1, seconds: 0 }],
  ])('are switched off by %s, and then nobody asks the database', async (_name, off) => {
    const limits = open(
      {
        mailFrequency: 0,
        mailsPerReceiver: off,
        mailsPerSender: off,
        mailsPerSenderShort: off,
        mailsPerSenderAndReceiver: off,
        requestsPerAddress: off,
        failedPasswordsPerAccount: off,
        failedVerificationsPerAddress: off,
      },
      createDatabase({ host: '127.0.0.1', port: 9 }),
    );
    const orders = [{ kind: 'recovery', email: 'a@b.test', ip: '10.0.0.1' }] as const;
    for (let round = 0; round < 400; round += 1) {
      await limits.countRequest('token', '10.0.0.1');
      await limits.countPasswordAttempt('a@b.test');
      await limits.forgetPasswordAttempts('a@b.test');
      await limits.countVerification('10.0.0.1');
      await limits.forgiveVerification('10.0.0.1');
      await limits.takeMails(orders);
      await limits.giveMailsBack(orders);
      await limits.allowMail('recovery', 'a@b.test');
    }
  });

  it('count a password for the account, or for a browser of its own, and forget it for just that', async () => {
    const limits = open({ failedPasswordsPerAccount: { points: 1, seconds: 60 } });
    const refused = { status: 429, details: { retryAfter: 60 } };
    await limits.countPasswordAttempt('ana');
    await limits.countPasswordAttempt('ana', 'browser');
    await limits.countPasswordAttempt('rui');
    await expect(limits.countPasswordAttempt('ana')).rejects.toMatchObject(refused);
    await expect(limits.countPasswordAttempt('ana', 'browser')).rejects.toMatchObject(refused);
    await limits.forgetPasswordAttempts('ana', 'browser');
    await limits.countPasswordAttempt('ana', 'browser');
    await expect(limits.countPasswordAttempt('ana')).rejects.toMatchObject(refused);
    await limits.forgetPasswordAttempts('ana');
    await limits.countPasswordAttempt('ana');
  });

  it('never ask anybody to wait longer than the window, whose copy of the server has a clock that is behind', async () => {
    const limits = open({ failedPasswordsPerAccount: { points: 1, seconds: 60 } });
    const email = newEmail();
    await limits.countPasswordAttempt(email);
    time -= 1500;
    const refusal = limits.countPasswordAttempt(email);
    await expect(refusal).rejects.toMatchObject({ details: { retryAfter: 60 } });
    time += 1500;
  });

  it('let everybody in again once a clock that was ahead is set back', async () => {
    const limits = open({ failedPasswordsPerAccount: { points: 1, seconds: 60 } });
    const email = newEmail();
    const orders = [{ kind: 'recovery', email, ip: '10.7.0.1' }] as const;
    time += 400 * 86_400_000;
    await limits.countPasswordAttempt(email);
    await limits.takeMails(orders);
    time -= 400 * 86_400_000;
    await limits.countPasswordAttempt(email);
    await limits.takeMails(orders);
    await expect(limits.countPasswordAttempt(email)).rejects.toMatchObject({ status: 429 });
    await expect(limits.takeMails(orders)).rejects.toMatchObject(REFUSED);
  });

  it.each([
    ['passwords', 'countPasswordAttempt', { failedPasswordsPerAccount: { points: 10, seconds: 300 } }],
    ['links and codes', 'countVerification', { failedVerificationsPerAddress: { points: 10, seconds: 300 } }],
  ] as const)(
    'count %s for all copies of the server, however many try at once, until the time is over',
    async (...[, name, settings]) => {
      const copies = [open(settings), open(settings), open(settings)];
      const whom = name === 'countVerification' ? '10.5.0.1' : newEmail();
      const tried = await Promise.allSettled(
        Array.from({ length: 30 }, (_, at) => copies[at % 3]?.[name](whom)),
      );
      expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
      // Nor does a restart forget them.
      const restarted = open(settings);
      await expect(restarted[name](whom)).rejects.toMatchObject({ code: 'over_request_rate_limit' });
      time += 300_001;
      await restarted[name](whom);
    },
  );

  it('count requests of one address for all copies, and what is refused costs the database nothing', async () => {
    const counted: string[] = [];
    const watched = (): Database => ({
      pool: new Proxy(db.pool, {
        get(pool, name) {
          if (name === 'connect') counted.push('asked');
          const value = Reflect.get(pool, name);
          return typeof value === 'function' ? value.bind(pool) : value;
        },
      }),
    });
    const settings = { requestsPerAddress: { points: 4, seconds: 60 } };
    const [one, two] = [open(settings, watched()), open(settings, watched())];
    for (const limits of [one, two, one, two]) await limits.countRequest('token', '10.6.0.1');
    const refused = { status: 429, details: { retryAfter: 60 } };
    await expect(one.countRequest('token', '10.6.0.1')).rejects.toMatchObject(refused);
    await expect(two.countRequest('token', '10.6.0.1')).rejects.toMatchObject(refused);
    const before = counted.length;
    for (let at = 0; at < 20; at += 1)
      await expect(one.countRequest('token', '10.6.0.1')).rejects.toMatchObject({ status: 429 });
    expect(counted).toHaveLength(before);
    await one.countRequest('token', '10.6.0.2');
    await one.countRequest('recover', '10.6.0.1');
    // A copy that starts anew has forgotten nothing, and lets everybody in when the window ends.
    await expect(open(settings).countRequest('token', '10.6.0.1')).rejects.toMatchObject(refused);
    time += 60_001;
    await open(settings).countRequest('token', '10.6.0.1');
  });

  it('count verifications by network, less those that were right', async () => {
    const limits = open({ failedVerificationsPerAddress: { points: 1, seconds: 60 } });
    await limits.countVerification('2001:db8:1:2::1');
    await limits.forgiveVerification('2001:db8:1:2::2');
    await limits.countVerification('2001:db8:1:2::3');
    await expect(limits.countVerification('2001:db8:1:2::1')).rejects.toMatchObject({
      code: 'over_request_rate_limit',
    });
  });

  it('leave the connection as it was: what it writes next is on the disk before it is answered', async () => {
    const one = createDatabase({ ...database.authenticator, max: 1 });
    try {
      const limits = open({}, one);
      await limits.countRequest('token', '10.9.0.1');
      await limits.countPasswordAttempt('quem guarda');
      await limits.forgetPasswordAttempts('quem guarda');
      await limits.countVerification('10.9.0.1');
      await limits.forgiveVerification('10.9.0.1');
      const { rows } = await one.pool.query(`select current_setting('synchronous_commit') as commit`);
      expect(rows).toEqual([{ commit: 'on' }]);
    } finally {
      await one.pool.end();
    }
  });
});

describe('mails', () => {
  const order = (email: string, kind: MailKind = 'recovery', ip = '10.0.0.1') => [{ kind, email, ip }];

  it('of different kinds and to different addresses are counted apart, once a minute', async () => {
    const limits = open();
    const [ana, rui] = [newEmail(), newEmail()];
    await limits.takeMails(order(ana));
    await limits.takeMails(order(ana, 'confirmation'));
    await limits.takeMails(order(rui));
    await expect(limits.takeMails(order(ana, 'recovery', '10.0.0.2'))).rejects.toMatchObject({
      code: 'over_email_send_rate_limit',
      message: 'For security purposes, you can only request this after 60 seconds.',
      details: { retryAfter: 60 },
    });
    await limits.giveMailsBack(order(ana));
    await limits.takeMails(order(ana));
    await limits.allowMail('recovery', ana);
    await limits.takeMails(order(ana));
  });

  it('are counted for all copies of the server, however many ask at once', async () => {
    const copies = [open(), open(), open()];
    const email = newEmail();
    const asked = await Promise.allSettled(
      Array.from({ length: 30 }, (_, at) =>
        copies[at % 3]?.takeMails(order(email, 'recovery', `10.1.0.${at}`)),
      ),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('to one mailbox end for the day, whoever asks and whatever for, and a stranger cannot use all of them up', async () => {
    const limits = open({
      mailFrequency: 0,
      mailsPerReceiver: { points: 5, seconds: 86_400 },
      mailsPerSenderAndReceiver: { points: 3, seconds: 86_400 },
    });
    const email = newEmail();
    for (const kind of ['recovery', 'confirmation', 'email_change'] as const)
      await limits.takeMails(order(email, kind, '10.2.0.1'));
    await expect(limits.takeMails(order(email, 'recovery', '10.2.0.1'))).rejects.toMatchObject(REFUSED);
    await limits.takeMails(order(email, 'recovery', '10.2.0.2'));
    await limits.takeMails(order(email, 'recovery', '10.2.0.3'));
    await expect(limits.takeMails(order(email, 'recovery', '10.2.0.4'))).rejects.toMatchObject(REFUSED);
    time += 86_400_000;
    await limits.takeMails(order(email, 'recovery', '10.2.0.1'));
  });

  it('of the whole installation end for the hour, whoever asks of whichever copy', async () => {
    const mailsSent = { points: 2, seconds: 3600 };
    const [one, other] = [open({ mailsSent }), open({ mailsSent })];
    await one.takeMails(order(newEmail(), 'recovery', '10.4.0.1'));
    const sent = order(newEmail(), 'recovery', '10.4.0.2');
    await other.takeMails(sent);
    const ask = () => one.takeMails(order(newEmail(), 'recovery', '10.4.0.3'));
    await expect(ask()).rejects.toMatchObject(REFUSED);
    // One that did not leave counts for nobody.
    await other.giveMailsBack(sent);
    await ask();
    await expect(ask()).rejects.toMatchObject(REFUSED);
    time += 3_600_000;
    await ask();
  });

  it('from one sender end for the minute and for the day, to however many mailboxes', async () => {
    const limits = open({
      mailsPerSenderShort: { points: 3, seconds: 60 },
      mailsPerSender: { points: 5, seconds: 86_400 },
    });
    const ask = () => limits.takeMails(order(newEmail(), 'recovery', '10.3.0.1'));
    for (let round = 0; round < 3; round += 1) await ask();
    await expect(ask()).rejects.toMatchObject(REFUSED);
    time += 61_000;
    await ask();
    await ask();
    time += 61_000;
    await expect(ask()).rejects.toMatchObject(REFUSED);
    await limits.takeMails(order(newEmail(), 'recovery', '10.3.0.2'));
  });

  it('that are refused count for nobody, and addresses are kept nowhere in clear', async () => {
    const limits = open();
    const [ana, rui] = [newEmail(), newEmail()];
    await limits.takeMails(order(ana, 'email_change', '10.4.0.1'));
    const both = [...order(rui, 'email_change', '10.4.0.1'), ...order(ana, 'email_change', '10.4.0.1')];
    await expect(limits.takeMails(both)).rejects.toMatchObject(REFUSED);
    await limits.takeMails(order(rui, 'email_change', '10.4.0.1'));
    const { rows } = await database.admin.query('select key from auth.rate_counters');
    expect(JSON.stringify(rows)).not.toMatch(/exemplo\.test|10\.4\.0\.1/);
  });
});
