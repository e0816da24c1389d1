import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../test-support/call-service.ts';
import {
  createPerson,
  END_FAMILIES,
  endSessionsDuring,
  follow,
  linkMailedTo,
  readFragment,
  signIn,
  type Tokens,
  waitForLocks,
} from '../test-support/sign-people-in.ts';
import { PASSWORD, startAuthService, type TestService } from '../test-support/start-auth-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startAuthService();
});
afterAll(() => service.stop());

async function newSession(): Promise<Tokens> {
  const { email } = await createPerson(service);
  return signIn(service, email);
}

const update = (token: string, body: object) => call(service, 'PUT /user', { token, body });

describe('GET /user', () => {
  it('shows the account of the token', async () => {
    const { access_token: token, user } = await newSession();
    const reply = await call(service, 'GET /user', { token });
    expect(reply).toMatchObject({ status: 200, body: { id: user.id, email: user.email } });
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(JSON.stringify(reply.body)).not.toMatch(/argon2|encrypted_password|token/);
  });

  it('refuses a request without a token', async () => {
    expect(await call(service, 'GET /user')).toMatchObject({
      status: 401,
      body: { code: 'no_authorization' },
    });
    expect(await call(service, 'GET /user', { headers: { authorization: 'Basic YTpi' } })).toMatchObject({
      status: 401,
    });
  });

  it('refuses garbled, foreign and expired tokens', async () => {
    const { access_token: token } = await newSession();
    for (const bad of ['abc', `${token}x`, token.slice(0, -20), `${token.split('.').slice(0, 2).join('.')}.`])
      expect(await call(service, 'GET /user', { token: bad })).toMatchObject({
        status: 403,
        body: { code: 'bad_jwt' },
      });
    const expired = await service.keyring.signAccessToken({ ...decodeJwt(token), exp: 1 });
    const reply = await call(service, 'GET /user', { token: expired });
    expect(reply).toMatchObject({
      status: 403,
      body: { code: 'bad_jwt', message: expect.stringContaining('token is expired') },
    });
  });

  it('refuses API keys, which belong to nobody', async () => {
    for (const token of [service.keyring.anonKey, service.keyring.serviceRoleKey])
      expect(await call(service, 'GET /user', { token })).toMatchObject({
        status: 403,
        body: { code: 'bad_jwt', message: 'invalid claim: missing sub claim' },
      });
  });

  const NOBODYS_ID = '00000000-0000-4000-8000-000000000000';
  it.each<[what: string, claims: object, status: number, code: string]>([
    ['sub is no uuid', { sub: 'ana' }, 400, 'bad_jwt'],
    ['sub is nobody', { sub: NOBODYS_ID }, 403, 'user_not_found'],
    ['the session is nobody’s', { session_id: NOBODYS_ID }, 403, 'session_not_found'],
    ['the session is no uuid', { session_id: "' or 1=1" }, 403, 'bad_jwt'],
    ['the session is no text', { session_id: 7 }, 403, 'bad_jwt'],
  ])('refuses a token whose %s, as GoTrue does', async (_name, claims, status, code) => {
    const { access_token: token } = await newSession();
    const forged = await service.keyring.signAccessToken({ ...decodeJwt(token), ...claims });
    expect(await call(service, 'GET /user', { token: forged })).toMatchObject({ status, body: { code } });
  });

  it.each([undefined, ''])(
    'takes a token that an operator signed without a session: %j',
    async (session_id) => {
      const { access_token: token, user } = await newSession();
      const signed = await service.keyring.signAccessToken({ ...decodeJwt(token), session_id });
      expect(await call(service, 'GET /user', { token: signed })).toMatchObject({
        status: 200,
        body: { id: user.id },
      });
    },
  );

  it('refuses a token with somebody else’s session', async () => {
    const [mine, theirs] = [await newSession(), await newSession()];
    const session_id = decodeJwt(theirs.access_token)['session_id'];
    const mixed = await service.keyring.signAccessToken({ ...decodeJwt(mine.access_token), session_id });
    expect(await call(service, 'GET /user', { token: mixed })).toMatchObject({
      body: { code: 'session_not_found' },
    });
  });

  it('refuses the token of an account that was banned or deleted meanwhile', async () => {
    const { access_token: token, user } = await newSession();
    await service.admin.query(`update auth.users set banned_until = now() + interval '1 day' where id = $1`, [
      user.id,
    ]);
    expect(await call(service, 'GET /user', { token })).toMatchObject({
      status: 403,
      body: { code: 'user_banned' },
    });
    await service.admin.query('delete from auth.users where id = $1', [user.id]);
    expect(await call(service, 'GET /user', { token })).toMatchObject({
      status: 403,
      body: { code: 'user_not_found' },
    });
  });
});

describe('PUT /user with data', () => {
  it('merges, and forgets what is null', async () => {
    const { access_token: token } = await newSession();
    await update(token, { data: { name: 'Ana', color: 'verde', deep: { a: 1 } } });
    const reply = await update(token, { data: { color: null, name: 'Ana 🦜', deep: { b: null } } });
    expect(reply.body).toMatchObject({ user_metadata: { name: 'Ana 🦜', deep: { b: null } } });
    expect((reply.body as Tokens['user'])['user_metadata']).not.toHaveProperty('color');
  });

  it('keeps any key as plain data', async () => {
    const { access_token: token } = await newSession();
    const raw = '{"data":{"__proto__":{"admin":true},"constructor":"x","o\'hara; drop table auth.users":1}}';
    const reply = await call(service, 'PUT /user', { token, raw });
    expect(reply.status).toBe(200);
    const { user_metadata: data } = reply.body as { user_metadata: object };
    expect(Object.keys(data).toSorted()).toEqual([
      '__proto__',
      'constructor',
      "o'hara; drop table auth.users",
    ]);
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });

  it('refuses what would not fit an access token, however slowly it grew', async () => {
    const { access_token: token } = await newSession();
    expect((await update(token, { data: { a: 'x'.repeat(3000) } })).status).toBe(200);
    expect(await update(token, { data: { b: 'x'.repeat(3000) } })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    });
    expect((await call(service, 'GET /user', { token })).body).toMatchObject({
      user_metadata: { a: 'x'.repeat(3000) },
    });
  });

  it('cannot touch what only operators may', async () => {
    const { access_token: token } = await newSession();
    const reply = await update(token, { app_metadata: { plan: 'pro' }, data: { a: 1 } });
    expect(reply).toMatchObject({ status: 403, body: { code: 'not_admin' } });
    await update(token, { role: 'service_role', is_super_admin: true, banned_until: null, id: 'x' });
    expect((await call(service, 'GET /user', { token })).body).toMatchObject({
      role: 'authenticated',
      app_metadata: { provider: 'email' },
    });
  });
});

describe('PUT /user with a password', () => {
  it('changes nothing for a session that ends while it is under way', async () => {
    const { access_token: token, user } = await newSession();
    const late = await endSessionsDuring(service, user.id, () =>
      update(token, { password: 'senha do ladrão', data: { name: 'Ladrão' } }),
    );
    expect(late).toMatchObject({ status: 403, body: { code: 'session_not_found' } });
    expect((await signIn(service, user.email)).user['user_metadata']).not.toMatchObject({ name: 'Ladrão' });
  });

  it('changes nothing for a session that a stolen token ends while it is under way', async () => {
    const { access_token: token, user } = await newSession();
    const change = () => update(token, { password: 'senha do ladrão' });
    expect(await endSessionsDuring(service, user.id, change, END_FAMILIES)).toMatchObject({
      status: 403,
      body: { code: 'session_not_found' },
    });
    await signIn(service, user.email);
  });

  it('replaces the old one, signs all other browsers out and voids mailed links', async () => {
    const here = await newSession();
    const { email } = here.user;
    const elsewhere = await signIn(service, email);
    await call(service, 'POST /recover', { body: { email } });
    const link = linkMailedTo(service, email);

    expect((await update(here.access_token, { password: 'nova senha' })).status).toBe(200);
    expect((await call(service, 'GET /user', { token: here.access_token })).status).toBe(200);
    expect(await call(service, 'GET /user', { token: elsewhere.access_token })).toMatchObject({
      status: 403,
      body: { code: 'session_not_found' },
    });
    const refresh = { refresh_token: elsewhere.refresh_token };
    expect((await call(service, 'POST /token?grant_type=refresh_token', { body: refresh })).status).toBe(400);
    expect(readFragment(await follow(service, link))['error_code']).toBe('otp_expired');
    const old = await call(service, 'POST /token?grant_type=password', {
      body: { email, password: PASSWORD },
    });
    expect(old.status).toBe(400);
    await signIn(service, email, 'nova senha');
  });

  it('makes a code useless for which a link was followed before', async () => {
    const { access_token: token, user } = await newSession();
    const { email } = user;
    const verifier = 'v'.repeat(43);
    await call(service, 'POST /recover', {
      body: { email, code_challenge: verifier, code_challenge_method: 'plain' },
    });
    const code = (await follow(service, linkMailedTo(service, email))).searchParams.get('code');
    expect(code).toBeTruthy();
    expect((await update(token, { password: 'nova senha' })).status).toBe(200);
    const late = await call(service, 'POST /token?grant_type=pkce', {
      body: { auth_code: code, code_verifier: verifier },
    });
    expect(late).toMatchObject({ status: 404, body: { code: 'flow_state_not_found' } });
  });

  it('makes a code useless that is exchanged in the moment, and waits for nobody who waits for it', async () => {
    const { user } = await newSession();
    const verifier = 'v'.repeat(43);
    await call(service, 'POST /recover', {
      body: { email: user.email, code_challenge: verifier, code_challenge_method: 'plain' },
    });
    const code = (await follow(service, linkMailedTo(service, user.email))).searchParams.get('code');
    // As a change of password does: the account, then its flows.
    const other = await service.admin.connect();
    await other.query('begin');
    await other.query('select from auth.users where id = $1 for update', [user.id]);
    const late = call(service, 'POST /token?grant_type=pkce', {
      body: { auth_code: code, code_verifier: verifier },
    });
    await waitForLocks(service, 1);
    await other.query('delete from auth.flow_state where user_id = $1', [user.id]);
    await other.query('commit');
    other.release();
    expect(await late).toMatchObject({ status: 404, body: { code: 'flow_state_not_found' } });
  });

  it.each([
    [{ password: PASSWORD }, 422, 'same_password'],
    [{ password: 'curta' }, 422, 'weak_password'],
    [{ password: '' }, 422, 'weak_password'],
    [{ password: 'x'.repeat(73) }, 400, 'validation_failed'],
    [{ password: 'nova senha', current_password: 'errada' }, 400, 'current_password_invalid'],
    [{ password: 12345678 }, 400, 'bad_json'],
  ])('refuses %j', async (body, status, code) => {
    const { access_token: token, user } = await newSession();
    expect(await update(token, body)).toMatchObject({ status, body: { code } });
    await signIn(service, user.email);
  });

  it('takes the old password along when the client asked for it', async () => {
    const { access_token: token, user } = await newSession();
    const reply = await update(token, { password: 'nova senha', current_password: PASSWORD });
    expect(reply.status).toBe(200);
    await signIn(service, user.email, 'nova senha');
  });

  it('asks ten minutes after signing in for the old password or a mailed code: a token alone is not enough', async () => {
    const careful = await startAuthService();
    try {
      const { email } = await createPerson(careful);
      const fresh = await signIn(careful, email);
      const change = (token: string, body: object) => call(careful, 'PUT /user', { token, body });
      expect((await change(fresh.access_token, { password: 'segunda senha' })).status).toBe(200);

      careful.clock.advance(601);
      const body = { refresh_token: fresh.refresh_token };
      const renewed = await call(careful, 'POST /token?grant_type=refresh_token', { body });
      const { access_token: token } = renewed.body as Tokens;
      expect(await change(token, { password: 'terceira senha' })).toMatchObject({
        status: 400,
        body: { code: 'reauthentication_needed' },
      });
      expect(await call(careful, 'GET /reauthenticate', { token })).toMatchObject({ status: 200, body: {} });
      const mail = careful.mails.at(-1);
      expect(mail?.text).not.toContain('http');
      const [, nonce] = /Código: (\d{6})/.exec(mail?.text ?? '') ?? [];
      const wrong = nonce === '000000' ? '000001' : '000000';
      expect(await change(token, { password: 'terceira senha', nonce: wrong })).toMatchObject({
        status: 422,
        body: { code: 'reauthentication_not_valid' },
      });
      expect((await change(token, { password: 'terceira senha', nonce })).status).toBe(200);
      expect(await change(token, { password: 'quarta senha', nonce })).toMatchObject({ status: 422 });
      const [current_password, password] = ['terceira senha', 'quarta senha'];
      expect(await change(token, { password, current_password: 'outra' })).toMatchObject({
        status: 400,
        body: { code: 'current_password_invalid' },
      });
      expect((await change(token, { password, current_password })).status).toBe(200);

      // A link that was mailed for it is a sign-in of its own.
      await call(careful, 'POST /recover', { body: { email } });
      const arrival = readFragment(await follow(careful, linkMailedTo(careful, email)));
      expect((await change(arrival['access_token'] ?? '', { password: 'quinta senha' })).status).toBe(200);
      await signIn(careful, email, 'quinta senha');
    } finally {
      await careful.stop();
    }
  });
});

describe('POST /logout', () => {
  const alive = async (...sessions: Tokens[]) =>
    Promise.all(
      sessions.map(
        async ({ access_token: token }) => (await call(service, 'GET /user', { token })).status === 200,
      ),
    );

  it.each([
    ['', [false, false, true]],
    ['?scope=global', [false, false, true]],
    ['?scope=local', [false, true, true]],
    ['?scope=others', [true, false, true]],
  ])('%s ends the sessions it names, never a stranger’s', async (search, expected) => {
    const here = await newSession();
    const elsewhere = await signIn(service, here.user.email);
    const stranger = await newSession();
    const reply = await call(service, `POST /logout${search}`, { token: here.access_token });
    expect(reply).toMatchObject({ status: 204, body: undefined });
    expect(await alive(here, elsewhere, stranger)).toEqual(expected);
  });

  it.each(['?scope=others', '?scope=global'])(
    '%s with a token that has no session ends all of them',
    async (search) => {
      const here = await newSession();
      const elsewhere = await signIn(service, here.user.email);
      const stranger = await newSession();
      const { session_id: _, ...claims } = decodeJwt(here.access_token);
      const token = await service.keyring.signAccessToken(claims);
      expect((await call(service, `POST /logout${search}`, { token })).status).toBe(204);
      expect(await alive(here, elsewhere, stranger)).toEqual([false, false, true]);
    },
  );

  it('refuses another scope, and a second time', async () => {
    const { access_token: token } = await newSession();
    expect(await call(service, 'POST /logout?scope=todos', { token })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', message: 'Unsupported logout scope "todos"' },
    });
    await call(service, 'POST /logout', { token });
    expect(await call(service, 'POST /logout', { token })).toMatchObject({
      status: 403,
      body: { code: 'session_not_found' },
    });
  });
});
