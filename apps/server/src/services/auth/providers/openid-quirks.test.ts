import { createHash, randomUUID } from 'node:crypto';
import {
  type OpenIdProvider,
  startOpenIdProvider,
  visitOpenIdProvider,
} from '@linkoteca/server-process/start-openid-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../test-support/call-service.ts';
import { createPerson, newEmail, type Tokens } from '../test-support/sign-people-in.ts';
import { SITE_URL, startAuthService, type TestService } from '../test-support/start-auth-service.ts';
import { isAzureEmailVerified } from './azure.ts';

const CALLBACK = `${SITE_URL}/auth/v1/callback`;
const VERIFIER = 'v'.repeat(64);
const PKCE = {
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 's256',
};

let apple: OpenIdProvider;
let azure: OpenIdProvider;
let govbr: OpenIdProvider;
let service: TestService;

beforeAll(async () => {
  [apple, azure, govbr] = await Promise.all([
    startOpenIdProvider(CALLBACK, { hasPkce: false }),
    startOpenIdProvider(CALLBACK, { claims: ['xms_edov', 'tid', 'oid'] }),
    startOpenIdProvider(CALLBACK, { clientAuth: 'client_secret_basic' }),
  ]);
  const register = ({ issuer, clientId, clientSecret }: OpenIdProvider) => ({
    issuer,
    clientId,
    clientSecret,
  });
  service = await startAuthService({
    settings: {
      signInProviders: { apple: register(apple), azure: register(azure), keycloak: register(govbr) },
    },
  });
});
afterAll(async () => {
  await service.stop();
  await Promise.all([apple.stop(), azure.stop(), govbr.stop()]);
});

async function leave(query: Record<string, string>) {
  const away = await call(service, `GET /authorize?${new URLSearchParams(query)}`);
  expect(away.status).toBe(302);
  return { away, to: new URL(String(away.headers['location'])) };
}

async function exchange(to: URL): Promise<Tokens> {
  const body = { auth_code: to.searchParams.get('code'), code_verifier: VERIFIER };
  const reply = await call(service, 'POST /token?grant_type=pkce', { body });
  expect(reply, to.href).toMatchObject({ status: 200 });
  return reply.body as Tokens;
}

describe('Apple', () => {
  /** What the provider's page would post to us by itself. */
  async function agree(
    subject: string,
    query: Record<string, string> = PKCE,
  ): Promise<Record<string, string>> {
    const { to } = await leave({ provider: 'apple', login_hint: subject, ...query });
    expect(to.searchParams.get('response_mode')).toBe('form_post');
    expect(to.searchParams.get('scope')).toBe('openid email name');
    expect(to.searchParams.has('code_challenge')).toBe(false);
    expect(to.searchParams.get('nonce')).toHaveLength(43);
    // The stand-in answers in the address; the form has the same fields.
    to.searchParams.set('response_mode', 'query');
    return Object.fromEntries((await visitOpenIdProvider(to.href)).searchParams);
  }

  async function post(form: Record<string, string>, headers: Record<string, string> = {}): Promise<URL> {
    const reply = await call(service, 'POST /callback', { body: form, headers });
    expect(reply.status).toBe(302);
    return new URL(String(reply.headers['location']));
  }

  const user = JSON.stringify({
    name: { firstName: 'Rita', lastName: 'Paes' },
    email: 'mallory@evil.example',
  });

  it('tells the name beside the token and only the first time; the account keeps it, and the address is the token’s', async () => {
    const [subject, email] = [randomUUID(), newEmail()];
    apple.setPerson({ subject, email });
    const first = await exchange(await post({ ...(await agree(subject)), user }));
    expect(first.user).toMatchObject({
      email,
      user_metadata: { full_name: 'Rita Paes', email },
      app_metadata: { providers: ['apple'] },
    });
    const again = await exchange(await post(await agree(subject)));
    expect(again.user).toMatchObject({ id: first.user.id, email, user_metadata: { full_name: 'Rita Paes' } });
  });

  it.each([
    '',
    'null',
    '[]',
    '{"name":7}',
    '{"name":{"firstName":{}}}',
    '{',
    '{"sub":"x","email_verified":true}',
  ])('may post anything for a name: %s', async (posted) => {
    const [subject, email] = [randomUUID(), newEmail()];
    apple.setPerson({ subject, email });
    const { user: signedIn } = await exchange(await post({ ...(await agree(subject)), user: posted }));
    expect(signedIn).toMatchObject({ email, identities: [{ id: subject }] });
    expect(signedIn['user_metadata']).not.toHaveProperty('name');
  });

  it('posts from its own page: the cookie of a flow without a challenge is for that, and no other browser’s post is taken', async () => {
    const { away } = await leave({ provider: 'apple' });
    expect(away.headers['set-cookie']).toContain('HttpOnly; SameSite=None; Secure');
    const subject = randomUUID();
    apple.setPerson({ subject, email: newEmail() });
    const navigation = { 'sec-fetch-mode': 'navigate' };
    const stolen = await post(await agree(subject, {}), navigation);
    expect(stolen.searchParams.get('error_code')).toBe('bad_oauth_state');
    const form = await agree(subject, {});
    const own = await post(form, { ...navigation, cookie: `oauth-flow-${form['state']}=1` });
    expect(new URLSearchParams(own.hash.slice(1)).get('access_token')).toBeTruthy();
  });
});

describe('Microsoft', () => {
  async function signIn(more: Record<string, unknown>, email = newEmail(), emailVerified?: boolean) {
    const subject = randomUUID();
    azure.setPerson({ subject, email, more, ...(emailVerified === undefined ? {} : { emailVerified }) });
    const { to } = await leave({ provider: 'azure', login_hint: subject, ...PKCE });
    const back = await visitOpenIdProvider(to.href);
    const reply = await call(service, `GET /callback${back.search}`);
    return { email, to: new URL(String(reply.headers['location'])) };
  }

  it('signs in where it owns the address’s domain, and remembers tenant and object', async () => {
    const { email, to } = await signIn({ xms_edov: '1', tid: 'um-tenant', oid: 'um-objeto' });
    expect((await exchange(to)).user).toMatchObject({
      email,
      user_metadata: { custom_claims: { tid: 'um-tenant', oid: 'um-objeto' } },
    });
  });

  it('leads into nobody’s account with an address that some administrator wrote there', async () => {
    const known = await createPerson(service);
    const { to } = await signIn({ xms_edov: false }, known.email);
    expect(to.searchParams.get('error_code')).toBe('provider_email_needs_verification');
  });

  const MANY = 'https://login.microsoftonline.com/common';
  const ONE = 'https://login.microsoftonline.com/9f2c1f0e-0000-4000-8000-000000000000';
  it.each([
    [{ email: 'a@b.c' }, MANY, false],
    [{ email: 'a@b.c' }, 'https://login.microsoftonline.com/organizations/', false],
    [{ email: 'a@b.c' }, 'https://login.microsoftonline.com/consumers', false],
    [{ email: 'a@b.c' }, ONE, true],
    [{ email: 'a@b.c', xms_edov: true }, MANY, true],
    [{ email: 'a@b.c', xms_edov: 1 }, MANY, true],
    [{ email: 'a@b.c', xms_edov: 'true' }, MANY, true],
    [{ email: 'a@b.c', xms_edov: '0' }, ONE, false],
    [{ email: 'a@b.c', xms_edov: false }, ONE, false],
    [{ email: 'a@b.c', xms_edov: {} }, ONE, false],
    [{ xms_edov: true }, ONE, false],
  ])('vouches for an address: %o of %s: %s', (claims, address, isVerified) => {
    expect(isAzureEmailVerified(claims, address)).toBe(isVerified);
  });
});

it('any OpenID Connect provider at an address signs in, also one that takes the secret in a header alone, as gov.br', async () => {
  const [subject, email] = [randomUUID(), newEmail()];
  govbr.setPerson({ subject, email, name: 'Rita Paes' });
  const scopes = 'openid email profile govbr_confiabilidades';
  const { to } = await leave({ provider: 'keycloak', login_hint: subject, scopes, ...PKCE });
  expect(to.searchParams.get('scope')).toBe(scopes);
  expect(to.searchParams.get('code_challenge_method')).toBe('S256');
  const back = await visitOpenIdProvider(to.href);
  const reply = await call(service, `GET /callback${back.search}`);
  expect((await exchange(new URL(String(reply.headers['location'])))).user).toMatchObject({
    email,
    app_metadata: { provider: 'keycloak' },
    identities: [{ id: subject }],
  });
});
