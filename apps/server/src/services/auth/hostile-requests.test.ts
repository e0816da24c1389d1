import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_AUTH_SETTINGS } from './auth-settings.ts';
import { listOAuthRoutes } from './oauth-server/routes.ts';
import { listRoutes } from './routes.ts';
import { call } from './test-support/call-service.ts';
import { createPerson, newEmail, signIn } from './test-support/sign-people-in.ts';
import { PASSWORD, startAuthService, type TestService } from './test-support/start-auth-service.ts';

/** In the names of tests: one of its own each time would be another test each time. */
const NOBODYS_ID = '00000000-0000-4000-8000-000000000000';

let service: TestService;
let token = '';
beforeAll(async () => {
  service = await startAuthService();
  const { email } = await createPerson(service);
  token = (await signIn(service, email)).access_token;
});
afterAll(() => service.stop());

const ROUTES_WITH_BODY = [
  'POST /signup',
  'POST /token?grant_type=password',
  'POST /token?grant_type=refresh_token',
  'POST /token?grant_type=pkce',
  'POST /otp',
  'POST /recover',
  'POST /resend',
  'POST /verify',
  'PUT /user',
  'POST /admin/users',
  'POST /admin/generate_link',
  'POST /invite',
];

/** Whom a route wants to see before it looks at the body. */
function tokenFor(line: string): string {
  return line.includes('/admin') || line.includes('/invite') ? service.keyring.serviceRoleKey : token;
}

describe.each(ROUTES_WITH_BODY)('%s', (line) => {
  it.each([
    ['malformed JSON', '{"email": "a@b.test", ', 'bad_json'],
    ['text', 'email=a@b.test&password=x', 'bad_json'],
    ['an array', '[{"email":"a@b.test"}]', 'bad_json'],
    ['a string', '"a@b.test"', 'bad_json'],
    ['a number', '42', 'bad_json'],
    ['null', 'null', 'bad_json'],
    ['nothing', '', 'bad_json'],
    ['fields of the wrong type', wrongTypes(), 'bad_json'],
    [
      'objects where text belongs',
      JSON.stringify({ email: { $ne: null }, refresh_token: {}, auth_code: {}, type: {} }),
      'bad_json',
    ],
    ['a NUL in a value', '{"email":"a\\u0000@b.test"}', 'validation_failed'],
    [
      'a NUL deep in data',
      '{"email":"a@b.test","password":"123456","data":{"a":[{"b":"x\\u0000"}]}}',
      'validation_failed',
    ],
    ['a NUL in a key', '{"data":{"a\\u0000":1}}', 'validation_failed'],
    [
      'half a surrogate pair',
      '{"email":"a@b.test","password":"123456","data":{"a":"\\ud83d"}}',
      'validation_failed',
    ],
    [
      'a hundred thousand brackets',
      `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      'validation_failed',
    ],
    ['a byte that is no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]).toString('latin1'), 'bad_json'],
  ])('answers 400 to %s', async (_name, raw, code) => {
    const reply = await call(service, line, {
      raw,
      token: tokenFor(line),
      headers: { 'content-type': 'application/json' },
    });
    expect(reply).toMatchObject({ status: 400, body: { code } });
    expect(reply.headers['x-supabase-api-version']).toBe('2024-01-01');
  });

  it('reads a body of 1 MiB to its last byte, and none that is longer', async () => {
    const ask = (bytes: number) => call(service, line, { raw: 'null'.padEnd(bytes), token: tokenFor(line) });
    expect(await ask(1_048_576)).toMatchObject({ status: 400, body: { code: 'bad_json' } });
    expect(await ask(1_048_577)).toMatchObject({ status: 413, body: { code: 'request_entity_too_large' } });
  });

  it('answers 413 to a body of 10 MB', async () => {
    const raw = JSON.stringify({ email: 'a@b.test', password: 'x'.repeat(10_000_000) });
    const reply = await call(service, line, { raw, token: tokenFor(line) });
    expect(reply).toMatchObject({ status: 413, body: { code: 'request_entity_too_large' } });
  });

  it('takes SQL for the text it is', async () => {
    const sql = `'); drop table auth.users; --`;
    const raw = JSON.stringify({
      email: sql,
      password: sql,
      type: sql,
      token: sql,
      refresh_token: sql,
      auth_code: sql,
      code_verifier: sql,
      token_hash: sql,
    });
    const reply = await call(service, line, { raw, token: tokenFor(line) });
    expect(reply.status).toBeGreaterThanOrEqual(line === 'PUT /user' ? 200 : 400);
    expect(reply.status).toBeLessThan(500);
    expect((await service.admin.query('select from auth.users limit 1')).rowCount).toBe(1);
  });
});

function wrongTypes(): string {
  return JSON.stringify({
    email: 1,
    password: ['x'],
    data: 'x',
    type: 7,
    token: false,
    refresh_token: 1,
    auth_code: 1,
    code_verifier: [],
  });
}

describe('every endpoint', () => {
  it('is either built or refuses in the platform’s own words: none fails by itself', async () => {
    for (const { method, path } of [...listRoutes({ passkeysEnabled: true }), ...listOAuthRoutes()]) {
      const filled = path.replace(/:\w+/g, randomUUID());
      for (const bearer of [undefined, token, service.keyring.serviceRoleKey]) {
        const reply = await call(service, `${method} ${filled}`, {
          ...(bearer === undefined ? {} : { token: bearer }),
          ...(method === 'GET' ? {} : { body: {} }),
        });
        expect(reply.status, `${method} ${path}`).toBeLessThan(500);
        const isPublic = /jwks|oauth-authorization-server|openid-configuration/.test(path);
        expect(reply.headers['cache-control'], `${method} ${path}`).toBe(
          isPublic ? 'public, max-age=600' : 'no-store',
        );
        if (path === '/logout' && bearer === token) {
          const { email } = await createPerson(service);
          token = (await signIn(service, email)).access_token;
        }
      }
    }
    expect(service.failures).toEqual([]);
  });

  it.each([
    ['GET /authorize?provider=google', 400, 'validation_failed'],
    ['POST /authorize?provider=google', 400, 'validation_failed'],
    ['GET /callback?code=x&state=y', 400, 'bad_oauth_callback'],
    ['POST /sso', 404, 'saml_provider_disabled'],
    ['GET /sso/saml/metadata', 404, 'saml_provider_disabled'],
    ['GET /user/identities/authorize?provider=google', 404, 'manual_linking_disabled'],
    [`DELETE /user/identities/${NOBODYS_ID}`, 404, 'manual_linking_disabled'],
    [`POST /factors/${NOBODYS_ID}/challenge`, 404, 'mfa_factor_not_found'],
    ['GET /', 404, 'not_found'],
    ['GET /oauth/authorizations/x', 404, 'oauth_authorization_not_found'],
    ['GET /oauth/nada', 404, 'not_found'],
    ['PATCH /user', 405, 'method_not_allowed'],
    ['GET /signup', 405, 'method_not_allowed'],
    ['DELETE /token', 405, 'method_not_allowed'],
  ])('that is not offered says so: %s', async (line, status, code) => {
    expect(await call(service, line, { token })).toMatchObject({ status, body: { code } });
  });

  it.each([
    ['phone', 422, 'mfa_phone_enroll_not_enabled'],
    ['webauthn', 422, 'mfa_webauthn_enroll_not_enabled'],
    ['outro', 400, 'validation_failed'],
  ])('of a second factor says that it is off: %s', async (factor_type, status, code) => {
    const reply = await call(service, 'POST /factors', { token, body: { factor_type } });
    expect(reply).toMatchObject({ status, body: { code } });
  });

  it('names the methods it has when asked with another', async () => {
    expect((await call(service, 'PATCH /user')).headers['allow']).toBe('GET, PUT');
  });

  it('keeps the older error shape for clients that do not ask for the dated one', async () => {
    const reply = await call(service, 'GET /user', { headers: { 'x-supabase-api-version': '' } });
    expect(reply.body).toEqual({
      code: 401,
      error_code: 'no_authorization',
      msg: 'This endpoint requires a valid Bearer token',
    });
    expect(reply.headers['x-sb-error-code']).toBe('no_authorization');
    expect(reply.headers['x-supabase-api-version']).toBeUndefined();
    const nonsense = await call(service, 'GET /user', {
      headers: { 'x-supabase-api-version': 'amanha' },
    });
    expect(nonsense.body).toHaveProperty('error_code');
  });

  it('shows what is open to everybody', async () => {
    expect((await call(service, 'GET /settings')).body).toMatchObject({
      external: { email: true, phone: false, google: false },
      disable_signup: false,
      mailer_autoconfirm: false,
      phone_autoconfirm: false,
      saml_enabled: false,
    });
    expect((await call(service, 'GET /health')).body).toMatchObject({
      name: 'GoTrue',
      version: expect.any(String),
    });
    for (const line of ['GET /.well-known/jwks.json', 'GET /jwks']) {
      const jwks = await call(service, line);
      expect(jwks.headers['cache-control']).toBe('public, max-age=600');
      expect(jwks.body).toEqual({ keys: [expect.objectContaining({ kty: 'EC', alg: 'ES256' })] });
      expect(jwks.body).not.toHaveProperty('keys.0.d');
    }
  });
});

describe('a database that fails', () => {
  it('is answered with 500 in the service’s shape, logged, and not described', async () => {
    const broken = await startAuthService();
    try {
      await broken.admin.query('alter table auth.users rename to users_gone');
      const reply = await call(broken, 'POST /token?grant_type=password', {
        body: { email: newEmail(), password: PASSWORD },
      });
      expect(reply).toMatchObject({
        status: 500,
        body: { code: 'unexpected_failure', message: expect.stringContaining('check server logs') },
      });
      expect(JSON.stringify(reply.body)).not.toMatch(/users|relation/);
      expect(broken.failures).toMatchObject([{ err: { message: expect.stringContaining('auth.users') } }]);
    } finally {
      await broken.stop();
    }
  });
});

describe('a flood of requests', () => {
  it('from one address is refused, each endpoint counting for itself and every other address unharmed', async () => {
    const small = await startAuthService({
      settings: {
        requestsPerAddress: { points: 5, seconds: 60 },
        refreshesPerAddress: { points: 2, seconds: 60 },
      },
    });
    try {
      const ask = (line: string, ip: string) =>
        call(small, line, { body: { email: newEmail(), password: 'x' }, ip });
      const line = 'POST /token?grant_type=password';
      for (let at = 0; at < 5; at += 1) expect((await ask(line, '10.0.0.1')).status).toBe(400);
      const refused = await ask(line, '10.0.0.1');
      expect(refused).toMatchObject({ status: 429, body: { code: 'over_request_rate_limit' } });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50);
      expect((await ask('POST /recover', '10.0.0.1')).status).toBe(200);
      // Nor does it end the sessions of those who sit behind the same address.
      expect((await ask('POST /token?grant_type=refresh_token', '10.0.0.1')).status).toBe(400);
      const renewal = 'POST /token?grant_type=refresh_token';
      expect((await ask(renewal, '10.0.0.1')).status).toBe(400);
      expect((await ask(renewal, '10.0.0.1')).status).toBe(429);
      expect((await ask(renewal, '10.0.0.2')).status).toBe(400);
      expect((await ask(line, '10.0.0.2')).status).toBe(400);
      const forwarded = await call(small, line, {
        body: { email: newEmail(), password: 'x' },
        ip: '10.0.0.1',
        headers: { 'x-forwarded-for': '10.9.9.9' },
      });
      expect(forwarded.status).toBe(429);
      const operator = await call(small, line, {
        body: { email: newEmail(), password: 'x' },
        ip: '10.0.0.1',
        token: small.keyring.serviceRoleKey,
      });
      expect(operator.status).toBe(400);
    } finally {
      await small.stop();
    }
  });

  it('of 150 sign-ups at once from one address passes with the settings of a fresh installation', async () => {
    const fresh = await startAuthService({ settings: DEFAULT_AUTH_SETTINGS });
    try {
      const replies = await Promise.all(
        Array.from({ length: 150 }, () =>
          call(fresh, 'POST /signup', { body: { email: newEmail(), password: PASSWORD }, ip: '10.7.7.7' }),
        ),
      );
      expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
    } finally {
      await fresh.stop();
    }
  }, 30_000);
});
