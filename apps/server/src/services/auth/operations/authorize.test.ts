import { createHash, randomUUID } from 'node:crypto';
import {
  type OpenIdProvider,
  REFUSING,
  startOpenIdProvider,
  visitOpenIdProvider,
} from '@linkoteca/server-process/start-openid-provider';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { call, type Reply } from '../test-support/call-service.ts';
import { createPerson, newEmail, readFragment, signIn, type Tokens } from '../test-support/sign-people-in.ts';
import {
  PASSWORD,
  SITE_URL,
  startAuthService,
  type TestService,
} from '../test-support/start-auth-service.ts';

let service: TestService;
let google: OpenIdProvider;

beforeAll(async () => {
  google = await startOpenIdProvider(`${SITE_URL}/auth/v1/callback`);
  const { issuer, clientId, clientSecret } = google;
  service = await startAuthService({
    settings: { signInProviders: { google: { issuer, clientId, clientSecret } } },
  });
});
afterAll(async () => {
  await service.stop();
  await google.stop();
});

const VERIFIER = 'v'.repeat(64);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const PKCE = { code_challenge: CHALLENGE, code_challenge_method: 's256' };

function newPerson(more: { email?: string; emailVerified?: boolean; name?: string } = {}) {
  const person = {
    subject: randomUUID(),
    email: newEmail(),
    name: 'Ana Conceição',
    picture: 'https://fotos.exemplo/ana.png',
    ...more,
  };
  google.setPerson(person);
  return person;
}

function leave(query: Record<string, string>, headers: Record<string, string> = {}): Promise<Reply> {
  return call(service, `GET /authorize?${new URLSearchParams({ provider: 'google', ...query })}`, {
    headers,
  });
}

/** From the button to the way back, opened by whoever comes with these headers. */
async function comeBack(
  subject: string,
  query: Record<string, string> = PKCE,
  headers: Record<string, string> = {},
): Promise<{ readonly to: URL; readonly back: URL; readonly reply: Reply }> {
  const away = await leave({ login_hint: subject, ...query });
  expect(away.status).toBe(302);
  const back = await visitOpenIdProvider(String(away.headers['location']));
  return { back, ...(await open(back, headers)) };
}

async function open(back: URL, headers: Record<string, string> = {}) {
  const reply = await call(service, `GET /callback${back.search}`, { headers });
  expect(reply.status).toBe(302);
  return { reply, to: new URL(String(reply.headers['location'])) };
}

function exchange(to: URL, verifier = VERIFIER): Promise<Reply> {
  const body = { auth_code: to.searchParams.get('code'), code_verifier: verifier };
  return call(service, 'POST /token?grant_type=pkce', { body });
}

async function signInAs(subject: string, query: Record<string, string> = PKCE): Promise<Tokens> {
  const reply = await exchange((await comeBack(subject, query)).to);
  expect(reply.status).toBe(200);
  return reply.body as Tokens;
}

async function countUsers(email: string): Promise<number> {
  const { rows } = await service.admin.query('select from auth.users where email = $1', [email]);
  return rows.length;
}

const claimsOf = ({ access_token: token }: Tokens) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

describe('leaving for Google', () => {
  it('sends state, nonce and a challenge of ours, passes the rest on, and lets nobody replace what is ours', async () => {
    const away = await leave({
      ...PKCE,
      scopes: 'https://www.googleapis.com/auth/calendar profile',
      prompt: 'consent',
      access_type: 'offline',
      redirect_uri: 'https://evil.example',
      state: 'mine',
      nonce: 'mine',
      client_id: 'mine',
    });
    const { searchParams, origin } = new URL(String(away.headers['location']));
    expect(origin).toBe(google.issuer);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      client_id: google.clientId,
      redirect_uri: `${SITE_URL}/auth/v1/callback`,
      response_type: 'code',
      scope: 'openid email profile https://www.googleapis.com/auth/calendar',
      code_challenge_method: 'S256',
      prompt: 'consent',
      access_type: 'offline',
    });
    expect(searchParams.get('code_challenge')).not.toBe(CHALLENGE);
    expect(searchParams.get('state')).toMatch(/^[0-9a-f-]{36}$/);
    expect(searchParams.get('nonce')).toHaveLength(43);
    expect(searchParams.has('provider')).toBe(false);
    expect(away.headers['set-cookie']).toContain('HttpOnly; SameSite=Lax; Secure');
  });

  it('is as good by a form, in whose query or body the words stand', async () => {
    const words = { provider: 'google', ...PKCE, login_hint: 'ana@gmail.test' };
    for (const away of [
      await call(service, `POST /authorize?${new URLSearchParams(words)}`),
      await call(service, 'POST /authorize', { body: words }),
      await call(service, 'POST /authorize', {
        raw: new URLSearchParams(words).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    ]) {
      expect(away.status).toBe(302);
      const there = new URL(String(away.headers['location']));
      expect([there.origin, there.searchParams.get('login_hint')]).toEqual([google.issuer, 'ana@gmail.test']);
      expect(away.headers['cache-control']).toBe('no-store');
    }
  });

  it.each([
    [{ provider: 'github' }],
    [{ provider: '' }],
    [{ code_challenge: CHALLENGE }],
    [{ code_challenge: 'short', code_challenge_method: 's256' }],
  ])('is refused for %j', async (query) => {
    expect(await leave(query)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  it('is offered in the settings, where it is configured', async () => {
    const { body } = await call(service, 'GET /settings');
    expect(body).toMatchObject({ external: { google: true, email: true, github: false } });
  });
});

describe('coming back', () => {
  it('opens a confirmed account with name and picture, whose session has the provider’s token', async () => {
    const person = newPerson();
    const session = await signInAs(person.subject);
    expect(session).toMatchObject({
      token_type: 'bearer',
      provider_token: expect.any(String),
      user: {
        email: person.email,
        email_confirmed_at: expect.any(String),
        app_metadata: { provider: 'google', providers: ['google'] },
        user_metadata: { name: person.name, full_name: person.name, avatar_url: person.picture },
        identities: [{ provider: 'google', id: person.subject, email: person.email }],
      },
    });
    expect(claimsOf(session)['amr']).toMatchObject([{ method: 'oauth' }]);
    const { rows } = await service.admin.query('select name from public.profiles where id = $1', [
      session.user.id,
    ]);
    expect(rows).toEqual([{ name: person.name }]);
    const again = await signInAs(person.subject);
    expect(again.user.id).toBe(session.user.id);
    expect(await countUsers(person.email)).toBe(1);
  });

  it('leads where the person came from, and never to a foreign place', async () => {
    const { subject } = newPerson();
    const wanted = `${SITE_URL}/login?from=%2Fcategory%2F1`;
    const { to } = await comeBack(subject, { ...PKCE, redirect_to: wanted });
    expect(to.href).toMatch(/^https:\/\/linkoteca\.test\/login\?from=%2Fcategory%2F1&code=[0-9a-f-]{36}$/);
    const evil = await comeBack(subject, { ...PKCE, redirect_to: 'https://evil.example/' });
    expect(evil.to.origin).toBe(SITE_URL);
  });

  it('without a challenge gives the session in the fragment, and nothing in the query', async () => {
    const { subject, email } = newPerson();
    const { to } = await comeBack(subject, {});
    const fragment = readFragment(to);
    expect(fragment).toMatchObject({ token_type: 'bearer', expires_in: '3600', sb: '' });
    expect(fragment['provider_token']).toBeTruthy();
    expect(to.search).toBe('');
    const me = await call(service, 'GET /user', { token: fragment['access_token'] ?? '' });
    expect(me.body).toMatchObject({ email });
  });

  it('tells a refusal at Google in query and fragment, and keeps where the person was', async () => {
    const { to } = await comeBack(REFUSING, { ...PKCE, redirect_to: `${SITE_URL}/login?from=%2Fplans` });
    expect(Object.fromEntries(to.searchParams)).toMatchObject({ from: '/plans', error: 'access_denied' });
    expect(readFragment(to)).toMatchObject({
      error: 'access_denied',
      error_description: 'The person refused',
    });
    expect(to.searchParams.has('code')).toBe(false);
  });

  it('also takes the answer as a form', async () => {
    const { subject } = newPerson();
    const away = await leave({ login_hint: subject, ...PKCE });
    const back = await visitOpenIdProvider(String(away.headers['location']));
    const reply = await call(service, 'POST /callback', {
      raw: back.search.slice(1),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect((await exchange(new URL(String(reply.headers['location'])))).status).toBe(200);
  });
});

describe('the same person by e-mail and by Google', () => {
  it('is one account: a vouched-for address joins, and the password goes on working', async () => {
    const known = await createPerson(service);
    const { subject } = newPerson({ email: known.email.toUpperCase() });
    const session = await signInAs(subject);
    expect(session.user).toMatchObject({
      id: known.id,
      app_metadata: { provider: 'email', providers: ['email', 'google'] },
    });
    expect((await signIn(service, known.email)).user.id).toBe(known.id);
  });

  it('keeps the name that was chosen here, and follows Google in what was not', async () => {
    const person = newPerson({ name: 'Nome Antigo' });
    const session = await signInAs(person.subject);
    const data = { firstName: 'Bia', lastName: 'Lima', name: 'Bia Lima' };
    await call(service, 'PUT /user', { token: session.access_token, body: { data } });
    google.setPerson({ ...person, name: 'Nome Novo' });
    const { user } = await signInAs(person.subject);
    expect(user['user_metadata']).toMatchObject({ name: 'Bia Lima', full_name: 'Nome Novo' });
  });

  it('never opens an account with an address that Google does not vouch for, nor leads into somebody’s', async () => {
    const victim = await createPerson(service);
    const thief = newPerson({ email: victim.email, emailVerified: false });
    const { to } = await comeBack(thief.subject);
    expect(to.searchParams.get('error_code')).toBe('provider_email_needs_verification');
    expect(to.searchParams.has('code')).toBe(false);
    const stranger = newPerson({ emailVerified: false });
    await comeBack(stranger.subject);
    expect(await countUsers(stranger.email)).toBe(0);
  });

  it('takes an account back that a stranger opened with the address and never confirmed', async () => {
    const person = newPerson();
    const body = { email: person.email, password: PASSWORD, data: { name: 'Golpista' } };
    await call(service, 'POST /signup', { body });
    const { user } = await signInAs(person.subject);
    expect(user).toMatchObject({
      user_metadata: { name: person.name },
      identities: [{ provider: 'google' }],
      app_metadata: { provider: 'google', providers: ['google'] },
    });
    const attempt = await call(service, 'POST /token?grant_type=password', { body });
    expect(attempt.body).toMatchObject({ code: 'invalid_credentials' });
  });

  it('stays out while banned or deleted', async () => {
    const person = newPerson();
    const { user } = await signInAs(person.subject);
    const ban = { token: service.keyring.serviceRoleKey, body: { ban_duration: '1h' } };
    await call(service, `PUT /admin/users/${user.id}`, ban);
    const { to } = await comeBack(person.subject);
    expect(to.searchParams.get('error_code')).toBe('user_banned');
    const erase = { token: service.keyring.serviceRoleKey, body: { should_soft_delete: true } };
    await call(service, `DELETE /admin/users/${user.id}`, erase);
    expect((await signInAs(person.subject)).user.id).not.toBe(user.id);
  });

  it('coming back in two browsers at once makes one account', async () => {
    const { subject, email } = newPerson();
    const backs = await Promise.all(
      [1, 2, 3].map(async () =>
        visitOpenIdProvider(String((await leave({ login_hint: subject, ...PKCE })).headers['location'])),
      ),
    );
    const sessions = await Promise.all(backs.map(async (back) => exchange((await open(back)).to)));
    expect(sessions.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await countUsers(email)).toBe(1);
  });
});

describe('attacks', () => {
  it('a state serves once: a second return gets no code', async () => {
    const { back, to } = await comeBack(newPerson().subject);
    const again = await open(back);
    expect(again.to.searchParams.get('error_code')).toBe('bad_oauth_state');
    expect(again.to.searchParams.has('code')).toBe(false);
    expect((await exchange(to)).status).toBe(200);
  });

  it.each([
    ['unknown', randomUUID()],
    ['none at all', ''],
    ['no state', 'x'],
    ['an injection', "' or 1=1"],
  ])('a state that is %s leads home with an error', async (_what, state) => {
    const { to } = await open(new URL(`${SITE_URL}/?${new URLSearchParams({ code: 'x', state })}`));
    expect(to.origin + to.pathname).toBe(`${SITE_URL}/`);
    expect(to.searchParams.get('error')).toBe('invalid_request');
  });

  it.each([
    { seconds: 299.999, answer: { code: expect.any(String) } },
    { seconds: 300, answer: { error_code: 'bad_oauth_state' } },
  ])(
    'a state ends after five minutes, to the moment: after $seconds seconds',
    async ({ seconds, answer }) => {
      service.clock.hold();
      onTestFinished(() => {
        service.clock.advance(-seconds);
        service.clock.release();
      });
      const away = await leave({ login_hint: newPerson().subject, ...PKCE });
      const back = await visitOpenIdProvider(String(away.headers['location']));
      service.clock.advance(seconds);
      expect(Object.fromEntries((await open(back)).to.searchParams)).toMatchObject(answer);
    },
  );

  it('a stolen code is worth nothing without the verifier, nor twice, nor late', async () => {
    const { to } = await comeBack(newPerson().subject);
    expect((await exchange(to, 'w'.repeat(64))).body).toMatchObject({ code: 'bad_code_verifier' });
    expect((await exchange(to)).status).toBe(200);
    expect((await exchange(to)).body).toMatchObject({ code: 'flow_state_not_found' });
    const late = await comeBack(newPerson().subject);
    service.clock.advance(301);
    expect((await exchange(late.to)).body).toMatchObject({ code: 'flow_state_expired' });
    service.clock.advance(-301);
  });

  it.each([
    ['from another issuer', (back: URL) => back.searchParams.set('iss', 'https://evil.example')],
    ['with another code', (back: URL) => back.searchParams.set('code', 'stolen')],
    ['without a code', (back: URL) => back.searchParams.delete('code')],
  ])('an answer %s opens nothing', async (_what, forge) => {
    const person = newPerson();
    const away = await leave({ login_hint: person.subject, ...PKCE });
    const back = await visitOpenIdProvider(String(away.headers['location']));
    forge(back);
    const { to } = await open(back);
    expect(to.searchParams.has('code')).toBe(false);
    expect(to.searchParams.get('error')).toBeTruthy();
  });

  it('the answer of one flow does not fit the state of another', async () => {
    const [mine, yours] = await Promise.all([
      leave({ login_hint: newPerson().subject, ...PKCE }),
      leave({ ...PKCE }),
    ]);
    const back = await visitOpenIdProvider(String(mine.headers['location']));
    back.searchParams.set(
      'state',
      new URL(String(yours.headers['location'])).searchParams.get('state') ?? '',
    );
    expect((await open(back)).to.searchParams.has('code')).toBe(false);
  });

  it('a browser is not led into a stranger’s account by the way back of a flow it did not start', async () => {
    const { subject } = newPerson();
    const browser = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    const led = await comeBack(subject, {}, browser);
    expect(led.to.searchParams.get('error_code')).toBe('bad_oauth_state');
    expect(readFragment(led.to)['access_token']).toBeUndefined();

    const away = await leave({ login_hint: subject });
    const cookie = String(away.headers['set-cookie']).split(';')[0] ?? '';
    const own = await open(await visitOpenIdProvider(String(away.headers['location'])), {
      ...browser,
      cookie,
    });
    expect(readFragment(own.to)['access_token']).toBeTruthy();
    expect(String(own.reply.headers['set-cookie'])).toContain('Max-Age=0');
  });

  it('what somebody writes into an error never becomes more than words', async () => {
    const away = await leave({ ...PKCE });
    const state = new URL(String(away.headers['location'])).searchParams.get('state') ?? '';
    const query = { state, error: '<script>', error_description: `x${'y'.repeat(2000)}` };
    const { to } = await open(new URL(`${SITE_URL}/?${new URLSearchParams(query)}`));
    expect(to.searchParams.get('error')).toBe('server_error');
    expect(to.searchParams.get('error_description')).toHaveLength(300);
  });
});

it('while Google is away, a person is told by the application and a script by an answer', async () => {
  const away = { issuer: 'http://127.0.0.1:9', clientId: 'x', clientSecret: 'y' };
  const settings = { signInProviders: { google: away } };
  const cut = await startAuthService({ settings });
  const there = `GET /authorize?provider=google&redirect_to=${encodeURIComponent(`${SITE_URL}/login?via=google`)}`;
  const person = await call(cut, there);
  expect(person.headers['location']).toMatch(
    /^https:\/\/linkoteca\.test\/login\?via=google#error=temporarily_unavailable/,
  );
  expect((await call(cut, `${there}&skip_http_redirect=true`)).status).toBe(503);
  await cut.stop();
});
