import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
beforeAll(async () => {
  service = await startAuthService();
});
afterAll(() => service.stop());

describe('a person signs up', () => {
  it('gets an unconfirmed account, a mail in Portuguese, and a session by the mailed link', async () => {
    const email = newEmail();
    const reply = await call(service, `POST /signup?redirect_to=${encodeURIComponent(`${SITE_URL}/login`)}`, {
      body: { email: `  ${email.toUpperCase()} `, password: PASSWORD, data: { name: 'Ana 🦜 שלום' } },
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      email,
      aud: 'authenticated',
      role: 'authenticated',
      phone: '',
      user_metadata: { name: 'Ana 🦜 שלום' },
      app_metadata: { provider: 'email', providers: ['email'] },
      confirmation_sent_at: expect.any(String),
      is_anonymous: false,
      identities: [{ provider: 'email', identity_data: { email, email_verified: false } }],
    });
    expect(reply.body).not.toHaveProperty('access_token');
    expect(reply.body).not.toHaveProperty('email_confirmed_at');
    expect(reply.body).not.toHaveProperty('encrypted_password');
    expect(service.mails.filter(({ to }) => to === email)).toMatchObject([
      { subject: 'Confirme seu e-mail' },
    ]);

    const early = await call(service, 'POST /token?grant_type=password', {
      body: { email, password: PASSWORD },
    });
    expect(early).toMatchObject({ status: 400, body: { code: 'email_not_confirmed' } });

    const arrival = await follow(service, linkMailedTo(service, email));
    expect(arrival.origin + arrival.pathname).toBe(`${SITE_URL}/login`);
    const fragment = readFragment(arrival);
    expect(Object.keys(fragment)).toEqual([
      'access_token',
      'expires_at',
      'expires_in',
      'refresh_token',
      'sb',
      'token_type',
      'type',
    ]);
    expect(fragment['type']).toBe('signup');
    const user = await call(service, 'GET /user', { token: fragment['access_token'] ?? '' });
    expect(user.body).toMatchObject({
      email,
      email_confirmed_at: expect.any(String),
      identities: [{ identity_data: { email_verified: true } }],
    });
    await signIn(service, email);
  });

  it('sends the person to the site when the place asked for is a stranger', async () => {
    const email = newEmail();
    await call(service, 'POST /signup?redirect_to=https%3A%2F%2Fevil.test%2Flogin', {
      body: { email, password: PASSWORD },
    });
    const link = linkMailedTo(service, email);
    expect(link.searchParams.get('redirect_to')).toBe(SITE_URL);
    link.searchParams.set('redirect_to', 'https://evil.test');
    expect((await follow(service, link)).origin).toBe(SITE_URL);
  });

  it('is answered alike for an address that is free, waits for its link or has an account, whose owner is told by mail', async () => {
    const [free, pending] = [newEmail(), newEmail()];
    const { id, email } = await createPerson(service);
    const ask = async (to: string) =>
      (await call(service, 'POST /signup', { body: { email: to, password: 'outra senha', data: { a: 1 } } }))
        .body as { id: string; email: string };
    await ask(pending);
    const before = service.mails.length;
    const answers = [await ask(free), await ask(pending), await ask(email)];

    const withoutSecrets = answers.map((answer) =>
      JSON.stringify(answer)
        .replaceAll(answer.id, 'id')
        .replaceAll(answer.email, 'email')
        .replace(/"identity_id":"[^"]*"/, '"identity_id"')
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time'),
    );
    expect(new Set(withoutSecrets).size).toBe(1);
    expect(answers[0]).toMatchObject({ identities: [{ provider: 'email' }], user_metadata: { a: 1 } });
    expect(answers[2]?.id).not.toBe(id);
    expect(service.mails.slice(before).map(({ to, subject }) => [to, subject])).toEqual([
      [free, 'Confirme seu e-mail'],
      [pending, 'Confirme seu e-mail'],
      [email, 'Você já tem uma conta na Linkoteca'],
    ]);
    expect((await ask(pending)).id).not.toBe((await ask(pending)).id);
    await signIn(service, email);
  });

  it('keeps the password of a sign-up whose mail was sent again, or that an operator confirms', async () => {
    const [again, confirmed] = [newEmail(), newEmail()];
    await call(service, 'POST /signup', { body: { email: again, password: PASSWORD } });
    await call(service, 'POST /resend', { body: { type: 'signup', email: again } });
    await follow(service, linkMailedTo(service, again));
    await signIn(service, again);

    const body = { email: confirmed, password: PASSWORD, data: { name: 'Ana' } };
    const { id } = (await call(service, 'POST /signup', { body })).body as { id: string };
    const token = service.keyring.serviceRoleKey;
    await call(service, `PUT /admin/users/${id}`, { token, body: { email_confirm: true } });
    expect((await signIn(service, confirmed)).user['user_metadata']).toEqual({ name: 'Ana' });
  });

  it('makes one account of twenty requests that race', async () => {
    const email = newEmail();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        call(service, 'POST /signup', { body: { email, password: PASSWORD } }),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const { rows } = await service.admin.query('select count(*)::int as n from auth.users where email = $1', [
      email,
    ]);
    expect(rows).toEqual([{ n: 1 }]);
    await follow(service, linkMailedTo(service, email));
    await signIn(service, email);
  });

  it.each([
    ['no password', { email: 'a@b.test' }, 400, 'validation_failed', 'Signup requires a valid password'],
    [
      'a short password',
      { email: 'a@b.test', password: '12345' },
      422,
      'weak_password',
      'Password should be at least 6 characters.',
    ],
    [
      'a password of 73 characters',
      { email: 'a@b.test', password: 'x'.repeat(73) },
      400,
      'validation_failed',
      'Password cannot be longer than 72 characters',
    ],
    [
      'an address without @',
      { email: 'ana', password: PASSWORD },
      400,
      'validation_failed',
      'Unable to validate email address: invalid format',
    ],
    [
      'two addresses',
      { email: 'a@b.test, c@d.test', password: PASSWORD },
      400,
      'validation_failed',
      'Unable to validate email address: invalid format',
    ],
    [
      'a line break in the address',
      { email: 'a@b.test\r\nBcc: c@d.test', password: PASSWORD },
      400,
      'validation_failed',
      'Unable to validate email address: invalid format',
    ],
    [
      'a very long address',
      { email: `${'a'.repeat(300)}@b.test`, password: PASSWORD },
      400,
      'validation_failed',
      'An email address is too long',
    ],
    [
      'neither address nor phone',
      { password: PASSWORD },
      422,
      'anonymous_provider_disabled',
      'Anonymous sign-ins are disabled',
    ],
    ['nothing at all', {}, 422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled'],
    [
      'a phone',
      { phone: '+5511999999999', password: PASSWORD },
      400,
      'phone_provider_disabled',
      'Phone signups are disabled',
    ],
    [
      'a challenge without its method',
      { email: 'a@b.test', password: PASSWORD, code_challenge: 'x'.repeat(43) },
      400,
      'validation_failed',
      'PKCE flow requires code_challenge_method and code_challenge',
    ],
    [
      'a challenge too short',
      { email: 'a@b.test', password: PASSWORD, code_challenge: 'x', code_challenge_method: 's256' },
      400,
      'validation_failed',
      expect.stringContaining('between 43 and 128'),
    ],
    [
      'data that would not fit a token',
      { email: 'a@b.test', password: PASSWORD, data: { x: 'x'.repeat(5000) } },
      400,
      'validation_failed',
      'User metadata cannot be longer than 4096 bytes',
    ],
  ])('is refused with %s', async (_name, body, status, code, message) => {
    const reply = await call(service, 'POST /signup', { body });
    expect(reply).toMatchObject({ status, body: { code, message } });
    expect(reply.headers['x-sb-error-code']).toBe(code);
  });

  it('says why a password is weak, in both shapes of errors', async () => {
    const body = { email: newEmail(), password: '12345' };
    const dated = await call(service, 'POST /signup', { body });
    expect(dated.body).toMatchObject({ weak_password: { reasons: ['length'] } });
    const old = await call(service, 'POST /signup', { body, headers: { 'x-supabase-api-version': '' } });
    expect(old.body).toEqual({
      code: 422,
      error_code: 'weak_password',
      msg: 'Password should be at least 6 characters.',
      weak_password: { reasons: ['length'] },
    });
  });

  it('takes null where the client leaves a field out', async () => {
    const body = {
      email: newEmail(),
      password: PASSWORD,
      data: null,
      code_challenge: null,
      code_challenge_method: null,
    };
    expect((await call(service, 'POST /signup', { body })).status).toBe(200);
  });
});

describe('an address that a stranger claims too', () => {
  const OWNER = { password: PASSWORD, data: { name: 'Dona' } };
  const STRANGER = { password: 'do invasor', data: { name: 'Invasor', is: 'stranger' } };
  const claim = async (email: string, body: object) => {
    await call(service, 'POST /signup', { body: { email, ...body } });
    return linkMailedTo(service, email);
  };
  const tryPassword = (email: string, password: string) =>
    call(service, 'POST /token?grant_type=password', { body: { email, password } });

  it.each(['before', 'after'])(
    '%s its owner, gets the password and data of the mail she follows',
    async (when) => {
      const email = newEmail();
      if (when === 'before') await claim(email, STRANGER);
      const link = await claim(email, OWNER);
      const other = when === 'after' ? await claim(email, STRANGER) : undefined;
      await follow(service, link);
      expect((await signIn(service, email)).user['user_metadata']).toEqual(OWNER.data);
      expect((await tryPassword(email, STRANGER.password)).body).toMatchObject({
        code: 'invalid_credentials',
      });
      if (other) expect(readFragment(await follow(service, other))['error_code']).toBe('otp_expired');
      await signIn(service, email);
    },
  );

  it('gets no password at all by a mail that was sent again for nobody knows whom', async () => {
    const email = newEmail();
    await claim(email, OWNER);
    await claim(email, STRANGER);
    await call(service, 'POST /resend', { body: { type: 'signup', email } });
    const arrival = await follow(service, linkMailedTo(service, email));
    expect(readFragment(arrival)).toHaveProperty('access_token');
    for (const { password } of [OWNER, STRANGER])
      expect((await tryPassword(email, password)).body).toMatchObject({ code: 'invalid_credentials' });
  });

  it.each(['POST /otp', 'POST /recover', 'POST /invite'])(
    'gets nothing of the stranger’s by the mail of %s',
    async (line) => {
      const email = newEmail();
      await claim(email, STRANGER);
      await call(service, 'POST /otp', { body: { email, data: STRANGER.data } });
      const operator = line === 'POST /invite' ? { token: service.keyring.serviceRoleKey } : {};
      const query = new URLSearchParams({ redirect_to: `${SITE_URL}/login` });
      expect((await call(service, `${line}?${query}`, { body: { email }, ...operator })).status).toBe(200);
      const { access_token: token = '' } = readFragment(await follow(service, linkMailedTo(service, email)));
      const { body } = await call(service, 'GET /user', { token });
      expect(body).toMatchObject({ email, user_metadata: {} });
      expect(body).not.toHaveProperty('user_metadata.is');
      expect((await tryPassword(email, STRANGER.password)).status).toBe(400);
    },
  );

  it('leads its owner’s browser to the code of its own flow', async () => {
    const email = newEmail();
    const challenge = (letter: string) => ({
      code_challenge: letter.repeat(43),
      code_challenge_method: 'plain',
    });
    const link = await claim(email, { ...OWNER, ...challenge('d') });
    await claim(email, { ...STRANGER, ...challenge('i') });
    const code = (await follow(service, link)).searchParams.get('code');
    const exchange = (code_verifier: string) =>
      call(service, 'POST /token?grant_type=pkce', { body: { auth_code: code, code_verifier } });
    expect((await exchange('i'.repeat(43))).body).toMatchObject({ code: 'bad_code_verifier' });
    expect(await exchange('d'.repeat(43))).toMatchObject({ status: 200, body: { user: { email } } });
  });
});

describe('other ways an installation may want it', () => {
  it('signs people in at once when addresses are taken on trust', async () => {
    const trusting = await startAuthService({ settings: { confirmEmail: false } });
    try {
      const body = { email: newEmail(), password: PASSWORD };
      const reply = await call(trusting, 'POST /signup', { body });
      expect(reply.body).toMatchObject({ access_token: expect.any(String), user: { email: body.email } });
      expect(trusting.mails).toEqual([]);
      const again = await call(trusting, 'POST /signup', { body });
      expect(again).toMatchObject({
        status: 422,
        body: { code: 'user_already_exists', message: 'User already registered' },
      });
    } finally {
      await trusting.stop();
    }
  });

  it('signs in at once whoever has only an unconfirmed sign-up from before addresses were taken on trust', async () => {
    const trusting = await startAuthService({ settings: { confirmEmail: false } });
    try {
      const email = newEmail();
      await call(trusting, 'POST /admin/generate_link', {
        token: trusting.keyring.serviceRoleKey,
        body: { type: 'magiclink', email, data: { name: 'Outra', de: 'antes' } },
      });
      const body = { email, password: PASSWORD, data: { name: 'Ana' } };
      const { rows } = await trusting.admin.query('select id from auth.users where email = $1', [email]);
      const reply = await call(trusting, 'POST /signup', { body });
      expect(reply).toMatchObject({
        status: 200,
        body: { user: { id: rows[0].id, email_confirmed_at: expect.any(String) } },
      });
      expect((await signIn(trusting, email)).user['user_metadata']).toMatchObject({ name: 'Ana' });
      expect((await call(trusting, 'POST /signup', { body })).body).toMatchObject({
        code: 'user_already_exists',
      });
    } finally {
      await trusting.stop();
    }
  });

  it.each([
    ['was banned', `banned_until = now() + interval '1 day'`],
    ['was invited', 'invited_at = now()'],
    ['has a password', `encrypted_password = 'x'`],
    ['was entered', 'last_sign_in_at = now()'],
    ['was given rights', `raw_app_meta_data = raw_app_meta_data || '{"role":"admin"}'`],
    ['was given a role', `role = 'service_role'`],
  ])('gives nobody an unconfirmed account so that %s', async (_what, change) => {
    const trusting = await startAuthService({ settings: { confirmEmail: false } });
    try {
      const email = newEmail();
      await call(trusting, 'POST /admin/generate_link', {
        token: trusting.keyring.serviceRoleKey,
        body: { type: 'magiclink', email },
      });
      await trusting.admin.query(`update auth.users set ${change} where email = $1`, [email]);
      const reply = await call(trusting, 'POST /signup', { body: { email, password: PASSWORD } });
      expect(reply).toMatchObject({ status: 422, body: { code: 'user_already_exists' } });
    } finally {
      await trusting.stop();
    }
  });

  it('refuses sign-ups when they are closed', async () => {
    const closed = await startAuthService({ settings: { signUpEnabled: false } });
    try {
      const reply = await call(closed, 'POST /signup', { body: { email: newEmail(), password: PASSWORD } });
      expect(reply).toMatchObject({ status: 422, body: { code: 'signup_disabled' } });
    } finally {
      await closed.stop();
    }
  });
});
