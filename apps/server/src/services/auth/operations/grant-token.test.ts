import { createHash, randomBytes } from 'node:crypto';
import { hash as hashBcrypt } from '@node-rs/bcrypt';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { DEFAULT_AUTH_SETTINGS } from '../auth-settings.ts';
import { call, type Reply } from '../test-support/call-service.ts';
import {
  createPerson,
  expectJustSignedIn,
  follow,
  linkMailedTo,
  newEmail,
  signIn,
  type Tokens,
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
  service = await startAuthService();
});
afterAll(() => service.stop());

function tryPassword(email: string, password: string): Promise<Reply> {
  return call(service, 'POST /token?grant_type=password', { body: { email, password } });
}

describe('a password', () => {
  it('opens a session whose access token says who it is', async () => {
    service.clock.hold();
    onTestFinished(() => service.clock.release());
    const { id, email } = await createPerson(service);
    const session = await signIn(service, ` ${email.toUpperCase()}`);
    expect(session).toMatchObject({
      expires_in: 3600,
      user: { id, email, last_sign_in_at: expect.any(String) },
    });
    const now = Math.floor(service.clock.now().getTime() / 1000);
    expect(session.expires_at).toBe(now + 3600);
    const claims = decodeJwt(session.access_token);
    expect(claims).toMatchObject({ iat: session.expires_at - 3600, exp: session.expires_at });
    const [proof] = claims['amr'] as { timestamp: number }[];
    expect(proof?.timestamp).toBe(now);
    expect(decodeProtectedHeader(session.access_token)).toMatchObject({
      alg: 'ES256',
      kid: expect.any(String),
    });
    expect(decodeJwt(session.access_token)).toMatchObject({
      iss: `${SITE_URL}/auth/v1`,
      sub: id,
      aud: 'authenticated',
      role: 'authenticated',
      email,
      phone: '',
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: expect.any(Number) }],
      session_id: expect.any(String),
      is_anonymous: false,
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: {},
    });
  });

  it('opens a session that remembers from where: the address if it is one, and as much of the browser’s name as fits', async () => {
    const { id, email } = await createPerson(service);
    const enter = (ip: string, browser: string) =>
      call(service, 'POST /token?grant_type=password', {
        body: { email, password: PASSWORD },
        headers: { 'user-agent': browser },
        ip,
      });
    expect((await enter('203.0.113.7', `Navegador ${'x'.repeat(600)}`)).status).toBe(200);
    expect((await enter('unix:', 'outro')).status).toBe(200);
    const { rows } = await service.admin.query(
      'select host(ip) as ip, user_agent from auth.sessions where user_id = $1 order by created_at',
      [id],
    );
    expect(rows).toEqual([
      { ip: '203.0.113.7', user_agent: `Navegador ${'x'.repeat(502)}` },
      { ip: null, user_agent: 'outro' },
    ]);
  });

  it('is refused with the same words for a wrong one, an unknown address and an account without password', async () => {
    const { email } = await createPerson(service);
    const { email: bare } = await createPerson(service);
    await service.admin.query(`update auth.users set encrypted_password = '' where email = $1`, [bare]);
    const wrong = await tryPassword(email, 'errada!');
    const unknown = await tryPassword(newEmail(), 'errada!');
    const without = await tryPassword(bare, '');
    expect(wrong).toMatchObject({
      status: 400,
      body: { code: 'invalid_credentials', message: 'Invalid login credentials' },
    });
    expect(unknown.body).toEqual(wrong.body);
    expect(without.body).toEqual(wrong.body);
  });

  it('takes about as long to refuse for an unknown address as for a known one', async () => {
    const { passwordHashing } = DEFAULT_AUTH_SETTINGS;
    const real = await startAuthService({ settings: { passwordHashing } });
    onTestFinished(() => real.stop());
    const { email } = await createPerson(real);
    const measure = async (address: string) => {
      const start = performance.now();
      const body = { email: address, password: 'errada!' };
      await call(real, 'POST /token?grant_type=password', { body });
      return performance.now() - start;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      known.push(await measure(email));
      unknown.push(await measure(newEmail()));
    }
    const median = (times: number[]) => times.toSorted((a, b) => a - b)[4] ?? 0;
    // The hash dominates both: without the work for nobody the unknown one would take a tenth.
    expect(median(unknown)).toBeGreaterThan(median(known) / 3);
  });

  it.each(['2a', '2b', '2y'] as const)(
    'of an imported account with a $%s$ hash works, and is hashed anew',
    async (version) => {
      const imported = await hashBcrypt('senha antiga', { cost: 4, version });
      const email = newEmail();
      const created = await call(service, 'POST /admin/users', {
        token: service.keyring.serviceRoleKey,
        body: { email, password_hash: imported, email_confirm: true },
      });
      expect(created.status).toBe(200);
      expect((await tryPassword(email, 'senha errada')).status).toBe(400);
      await signIn(service, email, 'senha antiga');
      const { rows } = await service.admin.query(
        'select encrypted_password from auth.users where email = $1',
        [email],
      );
      expect(rows[0].encrypted_password).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/);
      await signIn(service, email, 'senha antiga');
    },
  );

  it('may be guessed ten times in five minutes, even all at once, whoever guesses', async () => {
    const { email } = await createPerson(service);
    const guesses = await Promise.all(
      Array.from({ length: 15 }, (_, at) =>
        call(service, 'POST /token?grant_type=password', {
          body: { email, password: `palpite ${at}` },
          ip: `10.0.0.${at}`,
        }),
      ),
    );
    const refused = guesses.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(5);
    expect(refused[0]?.body).toMatchObject({ code: 'over_request_rate_limit' });
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(200);
    expect(Number(refused[0]?.headers['retry-after'])).toBeLessThanOrEqual(300);
    expect((await tryPassword(email, PASSWORD)).status).toBe(429);
    const { email: other } = await createPerson(service);
    await signIn(service, other);
  });

  describe('when strangers have used up the guesses', () => {
    async function lockOut(email: string) {
      for (let at = 0; at < 12; at += 1)
        await call(service, 'POST /token?grant_type=password', {
          body: { email, password: `palpite ${at}` },
          ip: `10.20.0.${at}`,
        });
    }
    const enter = (email: string, headers: Record<string, string>, ip = '10.21.0.1') =>
      call(service, 'POST /token?grant_type=password', { body: { email, password: PASSWORD }, headers, ip });
    const cookieOf = ({ headers }: Awaited<ReturnType<typeof call>>) => String(headers['set-cookie']);

    it('lets its owner in with a browser that has signed in before, and keeps a count for that one', async () => {
      const { email } = await createPerson(service);
      const first = await enter(email, {}, '10.22.0.1');
      expect(cookieOf(first)).toMatch(
        /^known-device-[\w-]{16}=[\w.-]+; Path=\/auth\/v1; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure$/,
      );
      const cookie = `a=b; ${cookieOf(first).split(';')[0]}`;
      await lockOut(email);
      expect((await enter(email, {})).status).toBe(429);
      const again = await enter(email, { cookie });
      expect(again.status).toBe(200);

      const guess = () =>
        call(service, 'POST /token?grant_type=password', {
          body: { email, password: 'não' },
          headers: { cookie },
        });
      const renewed = { cookie: cookieOf(again).split(';')[0] ?? '' };
      for (let at = 0; at < 10; at += 1) expect((await guess()).status).toBe(400);
      expect((await enter(email, { cookie })).status).toBe(429);
      expect((await enter(email, renewed)).status).toBe(429);
    });

    it('takes no cookie of another account, nor one that was made up', async () => {
      const { email } = await createPerson(service);
      const { email: other } = await createPerson(service);
      const own = cookieOf(await enter(email, {}, '10.22.0.1')).split(';')[0] ?? '';
      const [name = ''] = own.split('=');
      const [, foreign = ''] = cookieOf(await enter(other, {}, '10.22.0.1')).split(/[=;]/);
      await lockOut(email);
      for (const cookie of [`${name}=${foreign}`, `${name}=x.y.z`, `${own.slice(0, -3)}abc`, `${name}=`])
        expect((await enter(email, { cookie })).status, cookie).toBe(429);
      expect((await enter(email, { cookie: own })).status).toBe(200);
    });
  });

  it('that is wrong is refused at a step of time, for a known and an unknown address', async () => {
    const steady = await startAuthService({ settings: { answerStepMs: 300 } });
    try {
      const { email } = await createPerson(steady);
      for (const address of [email, newEmail()]) {
        const start = performance.now();
        const body = { email: address, password: 'não é esta' };
        expect((await call(steady, 'POST /token?grant_type=password', { body })).status).toBe(400);
        expect(performance.now() - start).toBeGreaterThan(299);
      }
    } finally {
      await steady.stop();
    }
  });

  it('that is right starts the count afresh', async () => {
    const { email } = await createPerson(service);
    for (let round = 0; round < 2; round += 1) {
      for (let guess = 0; guess < 9; guess += 1) expect((await tryPassword(email, 'não')).status).toBe(400);
      await signIn(service, email);
    }
  });

  it('opens again at the very moment at which a ban ends', async () => {
    service.clock.hold();
    onTestFinished(() => service.clock.release());
    const { id, email } = await createPerson(service);
    await service.admin.query('update auth.users set banned_until = $2 where id = $1', [
      id,
      new Date(service.clock.now().getTime() + 60_000),
    ]);
    service.clock.advance(59.999);
    expect(await tryPassword(email, PASSWORD)).toMatchObject({ status: 400, body: { code: 'user_banned' } });
    service.clock.advance(0.001);
    expect((await tryPassword(email, PASSWORD)).status).toBe(200);
  });

  it('of a banned account is refused, but only to who knows it', async () => {
    const { id, email } = await createPerson(service);
    await call(service, `PUT /admin/users/${id}`, {
      token: service.keyring.serviceRoleKey,
      body: { ban_duration: '24h' },
    });
    expect(await tryPassword(email, PASSWORD)).toMatchObject({ status: 400, body: { code: 'user_banned' } });
    expect(await tryPassword(email, 'outra')).toMatchObject({ body: { code: 'invalid_credentials' } });
  });
});

describe('an authorisation code', () => {
  async function askForCode() {
    const verifier = randomBytes(32).toString('base64url');
    const { email } = await createPerson(service);
    await call(service, 'POST /recover', {
      body: {
        email,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      },
    });
    const arrival = await follow(service, linkMailedTo(service, email));
    return { email, verifier, code: arrival.searchParams.get('code') ?? '', arrival };
  }
  const exchange = (code: string, verifier: string) =>
    call(service, 'POST /token?grant_type=pkce', { body: { auth_code: code, code_verifier: verifier } });

  it('is exchanged once, by the client that holds the verifier', async () => {
    const { email, verifier, code, arrival } = await askForCode();
    expect(arrival.hash).toBe('');
    expect(await exchange(code, 'outro'.repeat(10))).toMatchObject({
      status: 400,
      body: { code: 'bad_code_verifier' },
    });
    const session = await exchange(code, verifier);
    expect(session).toMatchObject({ status: 200, body: { user: { email } } });
    expectJustSignedIn(service, session);
    expect(decodeJwt((session.body as Tokens).access_token)['amr']).toMatchObject([{ method: 'recovery' }]);
    expect(await exchange(code, verifier)).toMatchObject({
      status: 404,
      body: { code: 'flow_state_not_found' },
    });
  });

  it('opens nothing for an account that is being banned at that moment', async () => {
    const { email, verifier, code } = await askForCode();
    const ban = await service.admin.connect();
    await ban.query('begin');
    await ban.query(`update auth.users set banned_until = 'infinity' where email = $1`, [email]);
    const asked = exchange(code, verifier);
    await waitForLocks(service, 1);
    await ban.query('commit');
    ban.release();
    expect(await asked).toMatchObject({ status: 403, body: { code: 'user_banned' } });
    const { rows } = await service.admin.query(
      'select from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1',
      [email],
    );
    expect(rows).toEqual([]);
  });

  it('opens one session when it is exchanged twice at the same moment', async () => {
    const { verifier, code } = await askForCode();
    const replies = await Promise.all([exchange(code, verifier), exchange(code, verifier)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  });

  it('is good for five minutes, to the moment', async () => {
    service.clock.hold();
    onTestFinished(() => service.clock.release());
    const [inTime, late] = [await askForCode(), await askForCode()];
    service.clock.advance(299.999);
    expect((await exchange(inTime.code, inTime.verifier)).status).toBe(200);
    service.clock.advance(0.001);
    expect(await exchange(late.code, late.verifier)).toMatchObject({
      status: 422,
      body: { code: 'flow_state_expired' },
    });
  });

  it('is worth nothing before its link was followed', async () => {
    const verifier = 'v'.repeat(43);
    const { email, id } = await createPerson(service);
    await call(service, 'POST /recover', {
      body: { email, code_challenge: verifier, code_challenge_method: 'plain' },
    });
    const { rows } = await service.admin.query('select auth_code from auth.flow_state where user_id = $1', [
      id,
    ]);
    expect(await exchange(rows[0].auth_code, verifier)).toMatchObject({ status: 404 });
  });

  it.each([[{ auth_code: '', code_verifier: 'x' }], [{ auth_code: 'x' }], [{}]])(
    'needs both of its halves: %j',
    async (body) => {
      const reply = await call(service, 'POST /token?grant_type=pkce', { body });
      expect(reply).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    },
  );
});

describe('other grants', () => {
  it.each([
    ['id_token', 400, { code: 'provider_disabled' }],
    ['web3', 422, { code: 'web3_provider_disabled' }],
    ['client_credentials', 400, { error: 'unsupported_grant_type' }],
    ['constructor', 400, { error: 'unsupported_grant_type' }],
    ['', 400, { error: 'unsupported_grant_type' }],
  ])('%s is refused', async (type, status, body) => {
    const reply = await call(service, `POST /token?grant_type=${type}`, {
      body: { id_token: 'x', provider: 'google' },
    });
    expect(reply).toMatchObject({ status, body });
  });
});
