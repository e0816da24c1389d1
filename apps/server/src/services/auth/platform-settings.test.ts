import { afterEach, describe, expect, it } from 'vitest';
import { readAuthConfig } from '../../kernel/auth-config/read-auth-config.ts';
import { DEFAULT_AUTH_SETTINGS } from './auth-settings.ts';
import { call } from './test-support/call-service.ts';
import { authorize, CALLBACK } from './test-support/let-programs-in.ts';
import { createPerson, newEmail, signIn } from './test-support/sign-people-in.ts';
import { PASSWORD, startAuthService, type TestService } from './test-support/start-auth-service.ts';
import { validatePassword } from './validate-password.ts';

/** A service whose operator has written these variables. */
function start(environment: Record<string, string>): Promise<TestService> {
  const { config, faults } = readAuthConfig({}, environment, ['google']);
  expect(faults).toEqual([]);
  return startAuthService({ settings: config });
}

let service: TestService;

const signUp = (password: string = PASSWORD) =>
  call(service, 'POST /signup', { body: { email: newEmail(), password } });

describe('an operator', () => {
  afterEach(() => service.stop());

  it('takes addresses on trust: signing up signs in, and the settings say so', async () => {
    service = await start({ SUPABASE_AUTH_EMAIL_ENABLE_CONFIRMATIONS: 'false' });
    const { status, body } = await signUp();
    expect([status, body]).toMatchObject([
      200,
      { access_token: expect.any(String), user: { email_confirmed_at: expect.any(String) } },
    ]);
    expect(service.mails).toEqual([]);
    expect((await call(service, 'GET /settings')).body).toMatchObject({ mailer_autoconfirm: true });
  });

  it('sends people who are asked by a program to a page of another name, and lets programs register themselves', async () => {
    service = await start({
      GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH: '/autorizar',
      GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION: 'true',
    });
    const body = { redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' };
    const registered = await call(service, 'POST /oauth/clients/register', { body });
    expect(registered.status).toBe(201);
    const { client_id } = registered.body as { client_id: string };
    const reply = await authorize(service, { client_id });
    expect(reply.headers['location']).toMatch(/^https:\/\/linkoteca\.test\/autorizar\?authorization_id=/);
  });

  it('lets no program ask', async () => {
    service = await start({ GOTRUE_OAUTH_SERVER_ENABLED: 'false' });
    expect((await authorize(service, { client_id: 'x' })).status).toBe(404);
  });

  it('lets nobody new in, while whoever has an account still signs in', async () => {
    service = await start({ GOTRUE_DISABLE_SIGNUP: 'true' });
    expect(await signUp()).toMatchObject({ status: 422, body: { code: 'signup_disabled' } });
    expect((await call(service, 'GET /settings')).body).toMatchObject({ disable_signup: true });
    const { email } = await createPerson(service);
    expect(await signIn(service, email)).toMatchObject({ access_token: expect.any(String) });
  });

  it('wants longer passwords of more kinds of characters, and every reason is told at once', async () => {
    service = await start({
      SUPABASE_AUTH_MINIMUM_PASSWORD_LENGTH: '10',
      SUPABASE_AUTH_PASSWORD_REQUIREMENTS: 'lower_upper_letters_digits',
      SUPABASE_AUTH_EMAIL_ENABLE_CONFIRMATIONS: 'false',
    });
    expect(await signUp('abc')).toMatchObject({
      status: 422,
      body: { code: 'weak_password', weak_password: { reasons: ['length', 'characters'] } },
    });
    expect((await signUp('Abcdefghij')).body).toMatchObject({
      weak_password: { reasons: ['characters'] },
    });
    expect((await signUp('Abcdefghi1')).status).toBe(200);
  });

  it('lets tokens live for as long as wished', async () => {
    service = await start({ GOTRUE_JWT_EXP: '120', SUPABASE_AUTH_EMAIL_ENABLE_CONFIRMATIONS: 'false' });
    expect((await signUp()).body).toMatchObject({ expires_in: 120 });
  });

  it.each(['6', '8', '10'])('mails codes of %s digits, and takes them as long as wished', async (length) => {
    service = await start({
      SUPABASE_AUTH_EMAIL_OTP_LENGTH: length,
      SUPABASE_AUTH_EMAIL_OTP_EXPIRY: '120',
      SUPABASE_AUTH_EMAIL_DOUBLE_CONFIRM_CHANGES: 'false',
    });
    const digits = new RegExp(`^\\d{${length}}$`);
    const readCode = (to: string) => {
      const { text = '' } = service.mails.findLast((mail) => mail.to === to) ?? {};
      expect(text).toContain('2 minutos');
      return /Código: (\d+)/.exec(text)?.[1] ?? '';
    };
    const verify = (email: string, token: string) =>
      call(service, 'POST /verify', { body: { type: 'email', email, token } });
    const { email } = await createPerson(service);
    await call(service, 'POST /otp', { body: { email } });
    const code = readCode(email);
    expect(code).toMatch(digits);
    // Neither cut short nor with something before it is it the code.
    for (const other of [code.slice(0, -1), `0${code}`, code.slice(1)])
      expect(await verify(email, other)).toMatchObject({ status: 403, body: { code: 'otp_expired' } });
    const entered = await verify(email, code);
    expect(entered.status).toBe(200);

    const { access_token: token } = entered.body as { access_token: string };
    await call(service, 'GET /reauthenticate', { token });
    expect(readCode(email)).toMatch(digits);
    const admin = { token: service.keyring.serviceRoleKey };
    for (const type of ['magiclink', 'recovery', 'invite', 'email_change_new']) {
      const to = type === 'invite' ? newEmail() : email;
      const body = { type, email: to, new_email: newEmail() };
      expect((await call(service, 'POST /admin/generate_link', { ...admin, body })).body).toMatchObject({
        email_otp: expect.stringMatching(digits),
      });
    }
    await call(service, 'POST /otp', { body: { email } });
    const late = readCode(email);
    service.clock.advance(121);
    expect(await verify(email, late)).toMatchObject({ status: 403, body: { code: 'otp_expired' } });
  });

  it('lets a password be changed long after signing in', async () => {
    service = await start({ SUPABASE_AUTH_EMAIL_SECURE_PASSWORD_CHANGE: 'false' });
    const { email } = await createPerson(service);
    const { access_token: token } = await signIn(service, email);
    service.clock.advance(3000);
    const change = { token, body: { password: 'outra senha, mais longa' } };
    expect((await call(service, 'PUT /user', change)).status).toBe(200);
  });
});

describe('a password', () => {
  it.each([
    ['letters_digits', ['abc123', 'ABC123'], ['abcdef', '123456']],
    ['lower_upper_letters_digits_symbols', ['aB1!xx', 'aB1\\xx'], ['aB1xxx', 'ab1!xx', 'AB1!XX', 'aBc!xx']],
  ])('%s: accepts %j and not %j', (name, strong, weak) => {
    const { config } = readAuthConfig({ auth: { password_requirements: name } }, {}, []);
    const rules = { ...DEFAULT_AUTH_SETTINGS, ...config };
    for (const password of strong) expect(() => validatePassword(password, rules)).not.toThrow();
    for (const password of weak)
      expect(() => validatePassword(password, rules)).toThrow(/at least one character of each/);
  });
});
