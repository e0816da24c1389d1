import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { call } from '../test-support/call-service.ts';
import {
  createPerson,
  expectJustSignedIn,
  follow,
  linkMailedTo,
  newEmail,
  readFragment,
  signIn,
  waitForLocks,
} from '../test-support/sign-people-in.ts';
import {
  PASSWORD,
  SITE_URL,
  startAuthService,
  type TestService,
} from '../test-support/start-auth-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startAuthService({
    settings: {
      failedVerificationsPerAddress: { points: 1000, seconds: 300 },
      requestsPerAddress: { points: 0, seconds: 0 },
    },
  });
});
afterAll(() => service.stop());

async function signUp(): Promise<string> {
  const email = newEmail();
  await call(service, 'POST /signup', { body: { email, password: PASSWORD } });
  return email;
}

async function generate(type: string, email: string, more: object = {}) {
  const reply = await call(service, 'POST /admin/generate_link', {
    token: service.keyring.serviceRoleKey,
    body: { type, email, ...more },
  });
  expect(reply.status).toBe(200);
  return reply.body as {
    email_otp: string;
    hashed_token: string;
    action_link: string;
    verification_type: string;
  };
}

describe('a mailed link', () => {
  it('works once: the second click is told so, in the fragment', async () => {
    const link = linkMailedTo(service, await signUp());
    await follow(service, link);
    const arrival = await follow(service, link);
    expect(readFragment(arrival)).toEqual({
      error: 'access_denied',
      error_code: 'otp_expired',
      error_description: 'Email link is invalid or has expired',
      sb: '',
    });
    expect(arrival.search).toBe('');
  });

  it('opens one session when two clicks race', async () => {
    const email = await signUp();
    const link = linkMailedTo(service, email);
    const arrivals = await Promise.all(Array.from({ length: 6 }, () => follow(service, link)));
    expect(arrivals.filter((url) => 'access_token' in readFragment(url))).toHaveLength(1);
    const { rows } = await service.admin.query(
      'select count(*)::int as n from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1',
      [email],
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  it('expires after an hour, to the moment', async () => {
    service.clock.hold();
    onTestFinished(() => service.clock.release());
    const [link, late] = [linkMailedTo(service, await signUp()), linkMailedTo(service, await signUp())];
    service.clock.advance(3599.999);
    expect(readFragment(await follow(service, link))).toHaveProperty('access_token');
    service.clock.advance(0.001);
    expect(readFragment(await follow(service, late))['error_code']).toBe('otp_expired');
  });

  it('is not used up by a link checker that only looks', async () => {
    const link = linkMailedTo(service, await signUp());
    const look = await service.server.inject({ method: 'HEAD', url: link.pathname + link.search });
    expect(look.statusCode).toBe(405);
    expect(readFragment(await follow(service, link))).toHaveProperty('access_token');
  });

  it('of a challenged request puts its errors into query and fragment', async () => {
    const url = new URL(`${SITE_URL}/auth/v1/verify?token=pkce_desconhecido&type=signup`);
    const arrival = await follow(service, url);
    expect(arrival.searchParams.get('error_code')).toBe('otp_expired');
    expect(readFragment(arrival)['error_code']).toBe('otp_expired');
  });

  it('puts no claim in the place of what an account has whose address is proven by now', async () => {
    const email = await signUp();
    await service.admin.query(
      `update auth.users set email_confirmed_at = now(), encrypted_password = '', raw_user_meta_data = '{"name":"Ana"}'
        where email = $1`,
      [email],
    );
    const { access_token: token = '' } = readFragment(await follow(service, linkMailedTo(service, email)));
    expect((await call(service, 'GET /user', { token })).body).toMatchObject({
      email,
      user_metadata: { name: 'Ana' },
    });
    const tried = await call(service, 'POST /token?grant_type=password', {
      body: { email, password: PASSWORD },
    });
    expect(tried.body).toMatchObject({ code: 'invalid_credentials' });
  });

  it('cannot be used for another purpose than its own', async () => {
    const { email } = await createPerson(service);
    const { hashed_token } = await generate('recovery', email);
    const url = new URL(`${SITE_URL}/auth/v1/verify?token=${hashed_token}&type=email_change`);
    expect(readFragment(await follow(service, url))['error_code']).toBe('otp_expired');
    url.searchParams.set('type', 'recovery');
    expect(readFragment(await follow(service, url))['type']).toBe('recovery');
  });

  it.each([
    ['', 400],
    ['?token=x', 400],
    ['?type=signup', 400],
    ['?token=x&type=toString', 400],
    ['?token=%00&type=signup', 400],
    ['?token=x&token=y&type=signup', 303],
    [`?token=${'x'.repeat(8000)}&type=signup`, 303],
    ["?token=';drop table auth.users;--&type=signup", 303],
  ])('that is malformed is refused: %s', async (search, status) => {
    const reply = await call(service, `GET /verify${search.replaceAll(' ', '%20')}`);
    expect(reply.status).toBe(status);
    if (status === 400) expect(reply.body).toMatchObject({ code: 'validation_failed' });
  });

  it('of a banned account leads nowhere', async () => {
    const { id, email } = await createPerson(service);
    const { action_link } = await generate('magiclink', email);
    await service.admin.query(`update auth.users set banned_until = 'infinity' where id = $1`, [id]);
    expect(readFragment(await follow(service, new URL(action_link)))['error_code']).toBe('user_banned');
  });
});

describe('a mailed code', () => {
  it.each([
    ['signup', 'signup'],
    ['signup', 'email'],
    ['magiclink', 'magiclink'],
    ['magiclink', 'email'],
    ['recovery', 'recovery'],
    ['invite', 'invite'],
  ])('of a %s opens a session when it is typed as %s', async (made, typed) => {
    const isNew = made === 'signup' || made === 'invite';
    const email = isNew ? newEmail() : (await createPerson(service)).email;
    const { email_otp: token } = await generate(made, email, { password: PASSWORD });
    const miss = await call(service, 'POST /verify', { body: { type: typed, email, token: '12345' } });
    expect(miss).toMatchObject({ status: 403, body: { code: 'otp_expired' } });
    expect(token).toMatch(/^\d{6}$/);
    const wrong = await call(service, 'POST /verify', { body: { type: typed, email: newEmail(), token } });
    expect(wrong).toMatchObject({
      status: 403,
      body: { code: 'otp_expired', message: 'Token has expired or is invalid' },
    });
    const right = await call(service, 'POST /verify', {
      body: { type: typed, email: email.toUpperCase(), token },
    });
    expect(right).toMatchObject({ status: 200, body: { access_token: expect.any(String), user: { email } } });
    expectJustSignedIn(service, right);
    const again = await call(service, 'POST /verify', { body: { type: typed, email, token } });
    expect(again).toMatchObject({ status: 403, body: { code: 'otp_expired' } });
  });

  it('may be replaced by the hash of its link, challenged or not', async () => {
    const { email } = await createPerson(service);
    const { hashed_token } = await generate('magiclink', email);
    const reply = await call(service, 'POST /verify', {
      body: { type: 'magiclink', token_hash: hashed_token },
    });
    expect(reply).toMatchObject({ status: 200, body: { user: { email } } });

    const challenged = await createPerson(service);
    await call(service, 'POST /recover', {
      body: { email: challenged.email, code_challenge: 'c'.repeat(43), code_challenge_method: 'plain' },
    });
    const hash = linkMailedTo(service, challenged.email).searchParams.get('token') ?? '';
    expect(hash).toMatch(/^pkce_[0-9a-f]{56}$/);
    expect(
      (await call(service, 'POST /verify', { body: { type: 'recovery', token_hash: hash } })).status,
    ).toBe(200);
  });

  it('proves the mailbox of an account whose password a stranger had set: that password is forgotten', async () => {
    const email = newEmail();
    await call(service, 'POST /signup', { body: { email, password: 'do invasor' } });
    const { email_otp: token } = await generate('magiclink', email);
    expect((await call(service, 'POST /verify', { body: { type: 'email', email, token } })).status).toBe(200);
    const intruder = await call(service, 'POST /token?grant_type=password', {
      body: { email, password: 'do invasor' },
    });
    expect(intruder).toMatchObject({ body: { code: 'invalid_credentials' } });
  });

  it.each([
    [{}, 400, 'validation_failed', 'Verify requires a verification type'],
    [{ type: 'signup' }, 400, 'validation_failed', 'Verify requires either a token or a token hash'],
    [
      { type: 'signup', email: 'a@b.test' },
      400,
      'validation_failed',
      'Verify requires either a token or a token hash',
    ],
    [
      { type: 'signup', token: '123456' },
      400,
      'validation_failed',
      'Only an email address or phone number should be provided on verify',
    ],
    [
      { type: 'outro', token: '123456', email: 'a@b.test' },
      400,
      'validation_failed',
      'Verify requires a verification type',
    ],
    [
      { type: 'email', token_hash: 'x', email: 'a@b.test' },
      400,
      'validation_failed',
      'Only the token_hash and type should be provided',
    ],
    [
      { type: 'email', token_hash: 'x', token: '123456' },
      400,
      'validation_failed',
      'Only the token_hash and type should be provided',
    ],
    [{ type: 'email', token_hash: 'x' }, 403, 'otp_expired', 'Email link is invalid or has expired'],
    [
      { type: 'email', token: '123456', email: 'a@b.test' },
      403,
      'otp_expired',
      'Token has expired or is invalid',
    ],
    [
      { type: 'sms', token: '123456', phone: '+551199' },
      403,
      'otp_expired',
      'Token has expired or is invalid',
    ],
    [
      { type: 'sms', token: '123456' },
      400,
      'validation_failed',
      'Only an email address or phone number should be provided on verify',
    ],
    [
      { type: 'sms', token: '123456', email: 'a@b.test', phone: '+551199' },
      400,
      'validation_failed',
      'Only an email address or phone number should be provided on verify',
    ],
    [
      { type: 'email', token: '123456', phone: '+551199' },
      400,
      'validation_failed',
      'Invalid sms verification type',
    ],
    [
      { type: 'sms', token: '123456', phone: '+55 11 abc' },
      400,
      'validation_failed',
      'Invalid phone number format (E.164 required)',
    ],
    [{ type: 'sms', phone: '+551199' }, 400, 'validation_failed', expect.stringContaining('token')],
    [{ type: 'phone_change', token_hash: 'x' }, 400, 'validation_failed', 'Invalid email verification type'],
    [{ type: 'email', token: 123456, email: 'a@b.test' }, 400, 'bad_json', expect.any(String)],
  ])('%j is refused', async (body, status, code, message) => {
    expect(await call(service, 'POST /verify', { body })).toMatchObject({ status, body: { code, message } });
  });

  it('that was mailed is good for no phone, whoever’s address comes with it', async () => {
    const { email } = await createPerson(service);
    const { email_otp: token, hashed_token: hash } = await generate('magiclink', email);
    const type = (more: object) => call(service, 'POST /verify', { body: { email, token, ...more } });
    for (const more of [{ type: 'sms' }, { type: 'email', phone: '+551199' }])
      expect(await type(more)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    for (const more of [
      { type: 'sms', token_hash: hash },
      { type: 'sms', token, phone: '+551199' },
    ])
      expect((await call(service, 'POST /verify', { body: more })).status).toBeGreaterThanOrEqual(400);
    expect((await type({ type: 'email' })).status).toBe(200);
  });

  it('and whoever else changes the account wait for each other in one order', async () => {
    const { id, email } = await createPerson(service);
    const { email_otp: token } = await generate('magiclink', email);
    const other = await service.admin.connect();
    await other.query('begin');
    await other.query('select from auth.users where id = $1 for update', [id]);
    const typed = call(service, 'POST /verify', { body: { type: 'email', email, token } });
    await waitForLocks(service, 1);
    // Would wait for the attempt, and the attempt for it, if that had begun with the code.
    await other.query('delete from auth.mailed_tokens where user_id = $1', [id]);
    await other.query('commit');
    other.release();
    expect(await typed).toMatchObject({ status: 403, body: { code: 'otp_expired' } });
  });

  it('has nothing to do with the link of its mail: that is random, and stored nowhere', async () => {
    const { email } = await createPerson(service);
    const [first, second] = [await generate('magiclink', email), await generate('magiclink', email)];
    expect(first.hashed_token).toMatch(/^[0-9a-f]{56}$/);
    expect(second.hashed_token).not.toBe(first.hashed_token);
    const derived = createHash('sha224')
      .update(email + second.email_otp)
      .digest('hex');
    expect(second.hashed_token).not.toBe(derived);
    for (const token_hash of [derived, `pkce_${derived}`])
      expect((await call(service, 'POST /verify', { body: { type: 'email', token_hash } })).status).toBe(403);
    const stored = await service.admin.query(
      'select to_jsonb(u) as account, to_jsonb(t) as token from auth.users u join auth.mailed_tokens t on t.user_id = u.id where u.email = $1',
      [email],
    );
    expect(stored.rowCount).toBe(1);
    expect(JSON.stringify(stored.rows)).not.toContain(second.hashed_token);
  });

  it('dies after five misses, whoever makes them and however many copies of the server count', async () => {
    const { email } = await createPerson(service);
    const { email_otp: right, hashed_token } = await generate('magiclink', email);
    const wrong = Array.from({ length: 201 }, (_, at) => String(at).padStart(6, '0'))
      .filter((code) => code !== right)
      .slice(0, 200);
    const url = await service.server.listen({ port: 0, host: '127.0.0.1' });
    const type = (token: string) =>
      fetch(`${url}/auth/v1/verify`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'email', email, token }),
      });
    const guesses = await Promise.all(wrong.map(type));
    expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([403]));
    const counted = await service.admin.query('select attempts from auth.mailed_tokens where email = $1', [
      email,
    ]);
    expect(counted.rows).toEqual([{ attempts: 5 }]);
    const late = await type(right);
    expect([late.status, await late.json()]).toMatchObject([403, { error_code: 'otp_expired' }]);
    // The owner, who has the mail, is not locked out by it.
    const link = await call(service, 'POST /verify', { body: { type: 'email', token_hash: hashed_token } });
    expect(link.status).toBe(200);
  });

  it('still opens a session at its fifth attempt, and is compared with the one account’s codes only', async () => {
    const { email } = await createPerson(service);
    const { email: other } = await createPerson(service);
    const { email_otp: token } = await generate('magiclink', email);
    await generate('magiclink', other);
    const wrong = token === '000000' ? '000001' : '000000';
    for (let miss = 0; miss < 4; miss += 1) {
      const body = { type: 'email', email, token: wrong };
      expect((await call(service, 'POST /verify', { body })).status).toBe(403);
    }
    expect(
      (await call(service, 'POST /verify', { body: { type: 'email', email: other, token } })).status,
    ).toBe(403);
    expect((await call(service, 'POST /verify', { body: { type: 'email', email, token } })).status).toBe(200);
  });

  it('expires after an hour, to the moment', async () => {
    service.clock.hold();
    onTestFinished(() => service.clock.release());
    const [{ email }, { email: other }] = [await createPerson(service), await createPerson(service)];
    const { email_otp: token } = await generate('magiclink', email);
    const { email_otp: late } = await generate('magiclink', other);
    const type = (body: object) => call(service, 'POST /verify', { body: { type: 'email', ...body } });
    service.clock.advance(3599.999);
    expect((await type({ email, token })).status).toBe(200);
    service.clock.advance(0.001);
    expect(await type({ email: other, token: late })).toMatchObject({
      status: 403,
      body: { code: 'otp_expired' },
    });
  });

  it('of a reauthentication dies as surely', async () => {
    const { email } = await createPerson(service);
    const { access_token: token, refresh_token } = await signIn(service, email);
    await call(service, 'GET /reauthenticate', { token });
    const [, nonce = ''] = /Código: (\d{6})/.exec(service.mails.at(-1)?.text ?? '') ?? [];
    service.clock.advance(700);
    const renewed = await call(service, 'POST /token?grant_type=refresh_token', { body: { refresh_token } });
    const { access_token } = renewed.body as { access_token: string };
    const wrong = Array.from({ length: 50 }, (_, at) => String(at).padStart(6, '0')).filter(
      (one) => one !== nonce,
    );
    const change = (code: string) =>
      call(service, 'PUT /user', { token: access_token, body: { password: 'nova senha', nonce: code } });
    for (const { body } of await Promise.all(wrong.map(change)))
      expect(body).toMatchObject({ code: 'reauthentication_not_valid' });
    expect((await change(nonce)).body).toMatchObject({ code: 'reauthentication_not_valid' });
  });

  it('cannot be guessed for long from one address, and a right one is not counted', async () => {
    const guarded = await startAuthService({
      settings: { failedVerificationsPerAddress: { points: 3, seconds: 60 } },
    });
    try {
      const guess = (ip: string) =>
        call(guarded, 'POST /verify', { body: { type: 'email', email: 'a@b.test', token: '000000' }, ip });
      for (let round = 0; round < 3; round += 1) expect((await guess('10.1.1.1')).status).toBe(403);
      expect(await guess('10.1.1.1')).toMatchObject({
        status: 429,
        body: { code: 'over_request_rate_limit' },
      });
      const link = await call(guarded, 'GET /verify?token=x&type=signup', { ip: '10.1.1.1' });
      expect(link.status).toBe(429);
      expect((await guess('10.1.1.2')).status).toBe(403);

      const make = async () => {
        const { email } = await createPerson(guarded);
        const { body } = await call(guarded, 'POST /admin/generate_link', {
          token: guarded.keyring.serviceRoleKey,
          body: { type: 'magiclink', email },
        });
        return { email, ...(body as { email_otp: string; hashed_token: string }) };
      };
      for (let round = 0; round < 5; round += 1) {
        const { email, email_otp: token } = await make();
        const body = { type: 'email', email, token };
        expect((await call(guarded, 'POST /verify', { body, ip: '10.1.1.3' })).status).toBe(200);
        const { hashed_token } = await make();
        const link = `GET /verify?token=${hashed_token}&type=magiclink`;
        expect((await call(guarded, link, { ip: '10.1.1.3' })).status).toBe(303);
      }
    } finally {
      await guarded.stop();
    }
  });

  it('signs in with the session of an ordinary sign-in', async () => {
    const { email } = await createPerson(service);
    const { email_otp: token } = await generate('magiclink', email);
    await call(service, 'POST /verify', { body: { type: 'email', email, token } });
    await signIn(service, email);
  });
});
