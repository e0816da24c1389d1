import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../test-support/call-service.ts';
import {
  createPerson,
  follow,
  linkMailedTo,
  newEmail,
  readFragment,
  signIn,
  type Tokens,
} from '../test-support/sign-people-in.ts';
import {
  PASSWORD,
  startAuthService,
  type TestService,
  type TestServiceOptions,
} from '../test-support/start-auth-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startAuthService({
    settings: { anonymousSignInsEnabled: true, anonymousSignInsPerAddress: { points: 0, seconds: 0 } },
  });
});
afterAll(() => service.stop());

async function withService(
  settings: TestServiceOptions['settings'],
  run: (own: TestService) => Promise<void>,
) {
  const own = await startAuthService({ ...(settings ? { settings } : {}) });
  try {
    await run(own);
  } finally {
    await own.stop();
  }
}

async function signInAnonymously(at = service): Promise<Tokens> {
  const reply = await call(at, 'POST /signup', { body: { data: {} } });
  expect(reply.status).toBe(200);
  return reply.body as Tokens;
}
const update = (token: string, body: object, at = service) => call(at, 'PUT /user', { token, body });

describe('POST /signup without an address', () => {
  it('opens a session of an account that has none, in the user as in the token', async () => {
    const reply = await call(service, 'POST /signup', { body: { data: { name: 'Visita' } } });
    expect(reply).toMatchObject({
      status: 200,
      body: {
        token_type: 'bearer',
        user: {
          email: '',
          phone: '',
          role: 'authenticated',
          is_anonymous: true,
          identities: [],
          app_metadata: {},
          user_metadata: { name: 'Visita' },
        },
      },
    });
    const { access_token: token, user } = reply.body as Tokens;
    expect(user).not.toHaveProperty('email_confirmed_at');
    expect(decodeJwt(token)).toMatchObject({
      sub: user.id,
      email: '',
      is_anonymous: true,
      role: 'authenticated',
      amr: [{ method: 'anonymous' }],
    });
    expect((await call(service, 'GET /user', { token })).body).toMatchObject({ id: user.id });
    const { rows } = await service.admin.query('select name, plan from public.profiles where id = $1', [
      user.id,
    ]);
    expect(rows).toEqual([{ name: 'Visita', plan: 'free' }]);
  });

  it('is refreshed like any other session, and each visitor has an account of his own', async () => {
    const [ana, bia] = [await signInAnonymously(), await signInAnonymously()];
    expect(ana.user.id).not.toBe(bia.user.id);
    const { refresh_token } = ana;
    const reply = await call(service, 'POST /token?grant_type=refresh_token', { body: { refresh_token } });
    expect(reply).toMatchObject({ status: 200, body: { user: { id: ana.user.id, is_anonymous: true } } });
  });

  it('is refused where the installation does not offer it, and where nobody new is let in', async () => {
    await withService({}, async (own) => {
      expect(await call(own, 'POST /signup', { body: {} })).toMatchObject({
        status: 422,
        body: { code: 'anonymous_provider_disabled', message: 'Anonymous sign-ins are disabled' },
      });
      expect((await call(own, 'GET /settings')).body).toMatchObject({ external: { anonymous_users: false } });
      expect((await own.admin.query('select from auth.users')).rowCount).toBe(0);
    });
    await withService({ anonymousSignInsEnabled: true, signUpEnabled: false }, async (own) => {
      expect(await call(own, 'POST /signup', { body: {} })).toMatchObject({
        status: 422,
        body: { code: 'signup_disabled' },
      });
      expect((await call(own, 'GET /settings')).body).toMatchObject({ external: { anonymous_users: true } });
    });
  });

  it('is not what a sign-up with a phone asks for', async () => {
    expect(
      (await call(service, 'POST /signup', { body: { phone: '+5511999990000', password: PASSWORD } })).body,
    ).toMatchObject({ code: 'phone_provider_disabled' });
  });

  it('is counted by network address and for itself: a flood opens no more accounts than allowed', async () => {
    const limits = { points: 3, seconds: 3600 };
    const settings = { anonymousSignInsEnabled: true, anonymousSignInsPerAddress: limits };
    await withService({ ...settings, requestsPerAddress: { points: 1, seconds: 300 } }, async (own) => {
      const flood = await Promise.all(
        Array.from({ length: 12 }, () => call(own, 'POST /signup', { body: {}, ip: '203.0.113.7' })),
      );
      expect(flood.filter(({ status }) => status === 200)).toHaveLength(3);
      for (const { status, body, headers } of flood.filter((reply) => reply.status !== 200)) {
        expect([status, body]).toMatchObject([429, { code: 'over_request_rate_limit' }]);
        expect(Number(headers['retry-after'])).toBeGreaterThan(3000);
      }
      expect((await own.admin.query('select from auth.users')).rowCount).toBe(3);
      // Neither others, nor those who say who they are, nor the operator pay for it.
      expect((await call(own, 'POST /signup', { body: {}, ip: '203.0.114.7' })).status).toBe(200);
      const body = { email: newEmail(), password: PASSWORD };
      expect((await call(own, 'POST /signup', { body, ip: '203.0.113.7' })).status).toBe(200);
      const token = own.keyring.serviceRoleKey;
      expect((await call(own, 'POST /signup', { body: {}, ip: '203.0.113.7', token })).status).toBe(200);
      own.clock.advance(3601);
      expect((await call(own, 'POST /signup', { body: {}, ip: '203.0.113.7' })).status).toBe(200);
    });
  });
});

describe('an account without an address', () => {
  it('becomes one like any other by an address that is proven, and keeps its id', async () => {
    const { access_token: token, user } = await signInAnonymously();
    const email = newEmail();
    expect(await update(token, { email })).toMatchObject({
      status: 200,
      body: { id: user.id, email: '', new_email: email, is_anonymous: true },
    });
    const opened = readFragment(await follow(service, linkMailedTo(service, email)));
    expect(opened['type']).toBe('email_change');
    expect(decodeJwt(opened['access_token'] ?? '')).toMatchObject({
      sub: user.id,
      email,
      is_anonymous: false,
      app_metadata: { provider: 'email', providers: ['email'] },
    });
    expect((await call(service, 'GET /user', { token })).body).toMatchObject({
      id: user.id,
      email,
      email_confirmed_at: expect.any(String),
      is_anonymous: false,
      identities: [{ provider: 'email', id: user.id, email, identity_data: { email_verified: true } }],
    });
    expect((await update(token, { password: PASSWORD })).status).toBe(200);
    expect((await signIn(service, email)).user).toMatchObject({ id: user.id, is_anonymous: false });
  });

  it('may get its password together with the address, and opens by it once the address is proven', async () => {
    const { access_token: token, user } = await signInAnonymously();
    const email = newEmail();
    expect((await update(token, { email, password: PASSWORD })).status).toBe(200);
    const attempt = { body: { email, password: PASSWORD } };
    expect((await call(service, 'POST /token?grant_type=password', attempt)).body).toMatchObject({
      code: 'invalid_credentials',
    });
    await follow(service, linkMailedTo(service, email));
    expect((await signIn(service, email)).user.id).toBe(user.id);
  });

  it('becomes one at once where addresses are taken on trust, unless somebody has it', async () => {
    await withService({ anonymousSignInsEnabled: true, confirmEmail: false }, async (own) => {
      const { email: taken } = await createPerson(own);
      const { access_token: token, user } = await signInAnonymously(own);
      expect(await update(token, { email: taken }, own)).toMatchObject({
        status: 422,
        body: { code: 'email_exists' },
      });
      const email = newEmail();
      expect(await update(token, { email, password: PASSWORD }, own)).toMatchObject({
        status: 200,
        body: { id: user.id, email, is_anonymous: false, identities: [{ provider: 'email' }] },
      });
      expect(own.mails).toEqual([]);
      expect((await signIn(own, email)).user.id).toBe(user.id);
      // From here on, another address is asked for its agreement as everybody's is.
      expect((await update(token, { email: newEmail() }, own)).body).toMatchObject({ email });
    });
  });

  it('cannot take the address of somebody else, and is told nothing of it', async () => {
    const { email } = await createPerson(service);
    const { access_token: token, user } = await signInAnonymously();
    const reply = await update(token, { email });
    expect(reply).toMatchObject({ status: 200, body: { new_email: email, is_anonymous: true } });
    expect(service.mails.findLast(({ to }) => to === email)?.text).toContain('já é o e-mail da sua conta');
    expect((await signIn(service, email)).user.id).not.toBe(user.id);
  });

  it('gets no password without an address, nor a code by mail', async () => {
    const { access_token: token } = await signInAnonymously();
    expect(await update(token, { password: PASSWORD })).toMatchObject({
      status: 422,
      body: {
        code: 'validation_failed',
        message: 'Updating password of an anonymous user without an email or phone is not allowed',
      },
    });
    expect(await call(service, 'GET /reauthenticate', { token })).toMatchObject({ status: 400 });
    expect((await update(token, { data: { name: 'Outra' } })).status).toBe(200);
  });

  it('of two that claim one address, the one whose link is followed first gets it', async () => {
    const [ana, bia] = [await signInAnonymously(), await signInAnonymously()];
    const email = newEmail();
    await update(ana.access_token, { email });
    const first = linkMailedTo(service, email);
    await update(bia.access_token, { email });
    const second = linkMailedTo(service, email);
    const ends = await Promise.all([follow(service, first), follow(service, second)]);
    const codes = ends.map((url) => readFragment(url)['error_code'] ?? 'in');
    expect(codes.toSorted()).toEqual(['email_exists', 'in']);
    const { rows } = await service.admin.query('select id from auth.users where email = $1', [email]);
    expect(rows).toEqual([{ id: (codes[0] === 'in' ? ana : bia).user.id }]);
  });

  it('is made permanent by an operator, who vouches for the address, and by nothing less', async () => {
    const { user } = await signInAnonymously();
    const token = service.keyring.serviceRoleKey;
    const email = newEmail();
    const path = `PUT /admin/users/${user.id}`;
    expect((await call(service, path, { token, body: { email } })).body).toMatchObject({
      email,
      is_anonymous: true,
      identities: [{ provider: 'email', identity_data: { email_verified: false } }],
    });
    const body = { email_confirm: true, password: PASSWORD };
    expect((await call(service, path, { token, body })).body).toMatchObject({ is_anonymous: false });
    expect((await signIn(service, email)).user.id).toBe(user.id);
  });

  it('is seen, banned and deleted by an operator like any other, softly as well', async () => {
    const [ana, bia] = [await signInAnonymously(), await signInAnonymously()];
    const token = service.keyring.serviceRoleKey;
    expect((await call(service, 'GET /admin/users?per_page=200', { token })).body).toMatchObject({
      users: expect.arrayContaining([expect.objectContaining({ id: ana.user.id, is_anonymous: true })]),
    });
    const [path, other] = [`/admin/users/${ana.user.id}`, `/admin/users/${bia.user.id}`];
    await call(service, `PUT ${path}`, { token, body: { ban_duration: '1h' } });
    expect(await call(service, 'GET /user', { token: ana.access_token })).toMatchObject({
      body: { code: 'user_banned' },
    });
    expect((await update(ana.access_token, { email: newEmail() })).body).toMatchObject({
      code: 'user_banned',
    });
    expect((await call(service, `DELETE ${path}`, { token })).status).toBe(200);
    const softly = { token, body: { should_soft_delete: true } };
    expect((await call(service, `DELETE ${other}`, softly)).status).toBe(200);
    expect((await call(service, `GET ${other}`, { token })).body).toMatchObject({
      deleted_at: expect.any(String),
    });
  });
});

describe('an account that is being cleared away', () => {
  const days = (count: number) =>
    service.admin.query(
      `select public.close_abandoned_accounts(500, 30, now() + make_interval(days => $1))`,
      [count],
    );
  const purge = () =>
    service.admin.query(`select * from public.begin_account_purges(100, now() + interval '60 days')`);

  it('is saved by a proof of its address that comes before its data goes, and by none that comes later', async () => {
    const [ana, bia] = [await signInAnonymously(), await signInAnonymously()];
    const [emailOfAna, emailOfBia] = [newEmail(), newEmail()];
    await update(ana.access_token, { email: emailOfAna });
    await update(bia.access_token, { email: emailOfBia });
    await days(31);
    // Their sessions ended.
    expect((await call(service, 'GET /user', { token: ana.access_token })).status).toBe(403);
    const saved = readFragment(await follow(service, linkMailedTo(service, emailOfAna)));
    expect(decodeJwt(saved['access_token'] ?? '')).toMatchObject({ sub: ana.user.id, is_anonymous: false });
    await purge();
    const late = readFragment(await follow(service, linkMailedTo(service, emailOfBia)));
    expect(late['error_code']).toBe('user_banned');
    expect((await call(service, 'GET /user', { token: saved['access_token'] ?? '' })).body).toMatchObject({
      id: ana.user.id,
      email: emailOfAna,
    });
  });
});
