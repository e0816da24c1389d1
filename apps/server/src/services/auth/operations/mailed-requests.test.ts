import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Mail } from '../../../kernel/mail.ts';
import { call } from '../test-support/call-service.ts';
import {
  createPerson,
  follow,
  linkMailedTo,
  newEmail,
  readFragment,
  signIn,
} from '../test-support/sign-people-in.ts';
import {
  PASSWORD,
  SITE_URL,
  startAuthService,
  type TestService,
} from '../test-support/start-auth-service.ts';

let service: TestService;
let limited: TestService;
beforeAll(async () => {
  service = await startAuthService();
  // Long enough for every failure to be known before the answer.
  limited = await startAuthService({ settings: { mailFrequency: 60 } });
});
afterAll(async () => {
  await service.stop();
  await limited.stop();
});

function countMailsTo(from: TestService, email: string): number {
  return from.mails.filter(({ to }) => to === email).length;
}

describe('a forgotten password', () => {
  it('is replaced through the mailed link', async () => {
    const { email } = await createPerson(service);
    const asked = await call(service, 'POST /recover', { body: { email } });
    expect(asked).toMatchObject({ status: 200, body: {} });
    expect(service.mails.at(-1)).toMatchObject({ to: email, subject: 'Redefina sua senha' });
    const session = readFragment(await follow(service, linkMailedTo(service, email)));
    expect(session['type']).toBe('recovery');
    const token = session['access_token'] ?? '';
    expect((await call(service, 'PUT /user', { token, body: { password: 'nova senha' } })).status).toBe(200);
    await signIn(service, email, 'nova senha');
  });

  it('leads to the page of the product that asked, and opening that spends nothing', async () => {
    const { email } = await createPerson(service);
    const page = `${SITE_URL}/change-password`;
    const asked = `${page}?by=token`;
    for (const challenge of [{}, { code_challenge: 'c'.repeat(43), code_challenge_method: 'plain' }]) {
      const query = new URLSearchParams({ redirect_to: asked });
      await call(service, `POST /recover?${query}`, { body: { email, ...challenge } });
      const link = linkMailedTo(service, email);
      expect(link.origin + link.pathname).toBe(page);
      expect([...link.searchParams.keys()]).toEqual(['by', 'token_hash', 'type']);
      const { by: _, ...proof } = Object.fromEntries(link.searchParams);
      const session = await call(service, 'POST /verify', { body: proof });
      expect(session).toMatchObject({ status: 200, body: { user: { email } } });
      expect(await call(service, 'POST /verify', { body: proof })).toMatchObject({ status: 403 });
    }
    for (const elsewhere of [page, `${asked}&next=x`, `${SITE_URL}/dashboard`]) {
      await call(service, `POST /recover?${new URLSearchParams({ redirect_to: elsewhere })}`, {
        body: { email },
      });
      expect(linkMailedTo(service, email).pathname).toBe('/auth/v1/verify');
    }
  });

  it('is asked for with the same answer for an unknown address, which gets no mail', async () => {
    const email = newEmail();
    const reply = await call(service, 'POST /recover', { body: { email } });
    expect(reply).toMatchObject({ status: 200, body: {} });
    expect(countMailsTo(service, email)).toBe(0);
  });
});

describe('the frequency of mails', () => {
  it.each([
    ['POST /recover', {}],
    ['POST /otp', { create_user: true }],
    ['POST /resend', { type: 'signup' }],
    ['POST /signup', { password: PASSWORD }],
  ])('is the same for known and unknown addresses: %s', async (line, more) => {
    const { email: known } = await createPerson(limited);
    const unknown = newEmail();
    for (const email of [known, unknown]) {
      expect((await call(limited, line, { body: { email, ...more } })).status).toBe(200);
      const again = await call(limited, line, { body: { email, ...more } });
      expect(again).toMatchObject({ status: 429, body: { code: 'over_email_send_rate_limit' } });
      expect((again.body as { message: string }).message).toMatch(
        /^For security purposes, you can only request this after [1-6]?\d seconds\.$/,
      );
      expect(again.headers['retry-after']).toMatch(/^[1-6]?\d$/);
      expect(countMailsTo(limited, email)).toBeLessThanOrEqual(1);
    }
  });

  it('lets one of many requests that race through', async () => {
    const { email } = await createPerson(limited);
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => call(limited, 'POST /recover', { body: { email } })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(countMailsTo(limited, email)).toBe(1);
  });

  it('does not bind operators', async () => {
    const { email } = await createPerson(limited);
    const token = limited.keyring.serviceRoleKey;
    for (let round = 0; round < 3; round += 1)
      expect((await call(limited, 'POST /recover', { body: { email }, token })).status).toBe(200);
    expect(countMailsTo(limited, email)).toBe(3);
  });

  it('is not spent by a sign-up that was confirmed', async () => {
    const email = newEmail();
    const body = { email, password: PASSWORD };
    await call(limited, 'POST /signup', { body });
    await follow(limited, linkMailedTo(limited, email));
    expect((await call(limited, 'POST /signup', { body })).status).toBe(200);
  });

  it('is not spent by a sign-up that was confirmed without following its link either', async () => {
    const email = newEmail();
    const body = { email, password: PASSWORD };
    await call(limited, 'POST /signup', { body });
    const token_hash = linkMailedTo(limited, email).searchParams.get('token');
    const proven = await call(limited, 'POST /verify', { body: { type: 'signup', token_hash } });
    expect(proven.status).toBe(200);
    expect((await call(limited, 'POST /signup', { body })).status).toBe(200);
  });
});

describe('the time of an answer', () => {
  it.each([
    ['POST /recover', {}],
    ['POST /otp', { create_user: false }],
    ['POST /resend', { type: 'signup' }],
    ['POST /signup', { password: PASSWORD }],
    ['POST /verify', { type: 'email', token: 'wrong' }],
  ])('does not tell whether there was something to do: %s', async (line, more) => {
    const steady = await startAuthService({ settings: { answerStepMs: 400, mailWaitMs: 300 } });
    try {
      const { email: known } = await createPerson(steady);
      const took = async (email: string) => {
        const start = performance.now();
        const { status } = await call(steady, line, { body: { email, ...more } });
        expect(status).toBe(line === 'POST /verify' ? 403 : 200);
        return performance.now() - start;
      };
      // Before the first mail, after a slow one and after a quick one: an unknown address takes no less than a known one.
      for (const slowMs of [150, 0]) {
        expect(await took(newEmail())).toBeGreaterThan(399);
        steady.setMailer(() => wait(slowMs));
        expect(await took(known)).toBeGreaterThan(399);
      }
    } finally {
      await steady.stop();
    }
  });
});

it('an operator, to whom nothing is told, does not wait for a step', async () => {
  const steady = await startAuthService({ settings: { answerStepMs: 600_000 } });
  try {
    const { email } = await createPerson(steady);
    const token = steady.keyring.serviceRoleKey;
    expect((await call(steady, 'POST /recover', { body: { email }, token })).status).toBe(200);
  } finally {
    await steady.stop();
  }
});

describe('a mail server that does not work', () => {
  it('makes no pretence: the request fails with a code of its own, and may be repeated at once', async () => {
    const email = newEmail();
    const works = async (mail: Mail) => void limited.mails.push(mail);
    onTestFinished(() => limited.setMailer(works));
    limited.setMailer(() => Promise.reject(new Error('connect ECONNREFUSED 127.0.0.1:25')));
    const body = { email, password: PASSWORD };
    const failed = await call(limited, 'POST /signup', { body });
    expect(failed).toMatchObject({ status: 422, body: { code: 'email_send_failed' } });
    expect(JSON.stringify(failed.body)).not.toContain('ECONNREFUSED');
    expect(limited.failures.at(-1)).toMatchObject({
      err: { message: expect.stringContaining('ECONNREFUSED') },
    });
    // Whether there is an account must not be told by who is spared the failure.
    expect(await call(limited, 'POST /recover', { body: { email: newEmail() } })).toMatchObject({
      status: 422,
    });

    limited.setMailer(works);
    expect((await call(limited, 'POST /signup', { body })).status).toBe(200);
    await follow(limited, linkMailedTo(limited, email));
    await signIn(limited, email);
    expect((await call(limited, 'POST /recover', { body: { email: newEmail() } })).status).toBe(200);
  });

  /** @returns what lets the mails go that have been handed over. */
  function holdMails(of: TestService): (() => void)[] {
    const letGo: (() => void)[] = [];
    onTestFinished(() => of.setMailer(async (mail) => void of.mails.push(mail)));
    of.setMailer(
      (mail) =>
        new Promise((resolve) => {
          letGo.push(() => {
            of.mails.push(mail);
            resolve();
          });
        }),
    );
    return letGo;
  }

  it('that hangs holds no database connection', async () => {
    const letGo = holdMails(service);
    // More than there are connections, and their answers wait longer than this test does.
    const replies = Array.from({ length: 12 }, () =>
      call(service, 'POST /signup', { body: { email: newEmail(), password: PASSWORD } }),
    );
    await expect.poll(() => letGo, { timeout: 15_000 }).toHaveLength(12);
    for (const go of letGo) go();
    for (const reply of replies) expect((await reply).status).toBe(200);
  });

  it('that hangs does not hold the answer', async () => {
    const hasty = await startAuthService({ settings: { mailWaitMs: 300 } });
    onTestFinished(() => hasty.stop());
    const letGo = holdMails(hasty);
    const email = newEmail();
    expect(await call(hasty, 'POST /signup', { body: { email, password: PASSWORD } })).toMatchObject({
      status: 200,
    });
    expect(countMailsTo(hasty, email)).toBe(0);
    for (const go of letGo) go();
    await follow(hasty, linkMailedTo(hasty, email));
  });
});

describe('a sign-in link', () => {
  it('opens an account for an unknown address, and its mail carries a code too', async () => {
    const email = newEmail();
    expect(await call(service, 'POST /otp', { body: { email, data: { name: 'Rui' } } })).toMatchObject({
      status: 200,
      body: {},
    });
    const mail = service.mails.at(-1);
    expect(mail).toMatchObject({ to: email, subject: 'Seu link de acesso' });
    const [, token] = /Código: (\d{6})/.exec(mail?.text ?? '') ?? [];
    const verified = await call(service, 'POST /verify', { body: { type: 'email', email, token } });
    expect(verified).toMatchObject({
      status: 200,
      body: { user: { email, user_metadata: { name: 'Rui' } } },
    });
  });

  it('opens no account when the client does not want that, and does not tell that there is none', async () => {
    const { email: known } = await createPerson(service);
    const unknown = newEmail();
    for (const email of [known, unknown])
      expect(await call(service, 'POST /magiclink', { body: { email, create_user: false } })).toMatchObject({
        status: 200,
        body: {},
      });
    expect([countMailsTo(service, known), countMailsTo(service, unknown)]).toEqual([1, 0]);
    const { rowCount } = await service.admin.query('select from auth.users where email = $1', [unknown]);
    expect(rowCount).toBe(0);
  });

  it('says that there is no account where a sign-up would say it as well', async () => {
    const trusting = await startAuthService({ settings: { confirmEmail: false } });
    try {
      const { email: known } = await createPerson(trusting);
      const ask = (email: string) => call(trusting, 'POST /otp', { body: { email, create_user: false } });
      expect(await ask(newEmail())).toMatchObject({
        status: 422,
        body: { code: 'otp_disabled', message: 'Signups not allowed for otp' },
      });
      expect(await ask(known)).toMatchObject({ status: 200, body: {} });
    } finally {
      await trusting.stop();
    }
  });

  it('is not refused for an unknown address alone where sign-ups are closed', async () => {
    const closed = await startAuthService({ settings: { signUpEnabled: false } });
    try {
      expect(await call(closed, 'POST /otp', { body: { email: newEmail() } })).toMatchObject({
        status: 200,
        body: {},
      });
      expect(closed.mails).toEqual([]);
    } finally {
      await closed.stop();
    }
  });

  it('signs a known person in', async () => {
    const { email } = await createPerson(service);
    await call(service, 'POST /otp', { body: { email, create_user: false } });
    const arrival = await follow(service, linkMailedTo(service, email));
    expect(readFragment(arrival)).toMatchObject({ type: 'magiclink', token_type: 'bearer' });
  });
});

describe('a confirmation', () => {
  it('is mailed again while it is pending, and keeps leading to a code', async () => {
    const email = newEmail();
    const challenge = { code_challenge: 'c'.repeat(43), code_challenge_method: 'plain' };
    await call(service, 'POST /signup', { body: { email, password: PASSWORD, ...challenge } });
    await call(service, 'POST /resend', { body: { type: 'signup', email } });
    expect(countMailsTo(service, email)).toBe(2);
    const arrival = await follow(service, linkMailedTo(service, email));
    expect(arrival.searchParams.get('code')).toMatch(/^[0-9a-f-]{36}$/);
    await call(service, 'POST /resend', { body: { type: 'signup', email } });
    expect(countMailsTo(service, email)).toBe(2);
  });

  it.each([
    [{ email: 'a@b.test' }, 'validation_failed'],
    [{ type: 'recovery', email: 'a@b.test' }, 'validation_failed'],
    [{ type: 'signup' }, 'validation_failed'],
    [{ type: 'signup', email: 'a@b.test', phone: '1' }, 'validation_failed'],
    [{ type: 'sms', phone: '+55119' }, 'phone_provider_disabled'],
    [{ type: 'signup', email: 'a@b.test', code_challenge: 'c'.repeat(43) }, 'validation_failed'],
    [{ type: 'email_change', email: 'a@b.test', code_challenge_method: 's256' }, 'validation_failed'],
  ])('is refused with a reason: %j', async (body, code) => {
    expect(await call(service, 'POST /resend', { body })).toMatchObject({ status: 400, body: { code } });
  });
});
