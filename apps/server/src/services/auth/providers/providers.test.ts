import { createHash, randomUUID } from 'node:crypto';
import {
  type OpenIdProvider,
  startOpenIdProvider,
  visitOpenIdProvider,
} from '@linkoteca/server-process/start-openid-provider';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../test-support/call-service.ts';
import { newEmail, type Tokens } from '../test-support/sign-people-in.ts';
import { SITE_URL, startAuthService, type TestService } from '../test-support/start-auth-service.ts';
import { openIdProvider } from './openid.ts';
import { PROVIDERS } from './providers.ts';

/** A second provider, known by its entry in the table alone. */
const ACME = openIdProvider({ name: 'acme', issuer: 'https://acme.example' });
const CALLBACK = `${SITE_URL}/auth/v1/callback`;
const VERIFIER = 'v'.repeat(64);
const PKCE = {
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 's256',
};

let acme: OpenIdProvider;
let google: OpenIdProvider;
let service: TestService;

beforeAll(async () => {
  [acme, google] = await Promise.all([startOpenIdProvider(CALLBACK), startOpenIdProvider(CALLBACK)]);
  service = await startAuthService({
    providerTable: [...PROVIDERS, ACME],
    settings: { signInProviders: { acme: registrationAt(acme), google: registrationAt(google) } },
  });
});
afterAll(async () => {
  await service.stop();
  await Promise.all([acme.stop(), google.stop()]);
});

const registrationAt = ({ issuer, clientId, clientSecret }: OpenIdProvider) => ({
  issuer,
  clientId,
  clientSecret,
});

function newPerson() {
  const person = { subject: randomUUID(), email: newEmail(), name: 'Rita Paes' };
  acme.setPerson(person);
  google.setPerson(person);
  return person;
}

/** The address a browser comes back to from a provider, before it is opened. */
async function leaveFor(provider: string, subject: string): Promise<URL> {
  const query = new URLSearchParams({ provider, login_hint: subject, ...PKCE });
  const away = await call(service, `GET /authorize?${query}`);
  expect(away.status).toBe(302);
  return visitOpenIdProvider(String(away.headers['location']));
}

async function open(back: URL): Promise<URL> {
  const reply = await call(service, `GET /callback${back.search}`);
  expect(reply.status).toBe(302);
  return new URL(String(reply.headers['location']));
}

async function signInBy(provider: string, subject: string): Promise<Tokens> {
  const to = await open(await leaveFor(provider, subject));
  const body = { auth_code: to.searchParams.get('code'), code_verifier: VERIFIER };
  const reply = await call(service, 'POST /token?grant_type=pkce', { body });
  expect(reply.status).toBe(200);
  return reply.body as Tokens;
}

it('a provider of the table is offered in the settings', async () => {
  expect((await call(service, 'GET /settings')).body).toMatchObject({
    external: { acme: true, google: true, email: true, github: false },
  });
});

it('signs in by its pages, and finds the same account again', async () => {
  const { subject, email } = newPerson();
  const { user } = await signInBy('acme', subject);
  expect(user).toMatchObject({
    email,
    app_metadata: { provider: 'acme', providers: ['acme'] },
    user_metadata: { name: 'Rita Paes' },
    identities: [{ provider: 'acme', id: subject, email }],
  });
  expect((await signInBy('acme', subject)).user.id).toBe(user.id);
});

it('signs in by an ID token that the client has got from it, named or told by its issuer', async () => {
  const person = newPerson();
  const nonce = 'um nonce';
  const idToken = await fetchIdToken(acme, person.subject, createHash('sha256').update(nonce).digest('hex'));
  const grant = (body: object) =>
    call(service, 'POST /token?grant_type=id_token', { body: { id_token: idToken, nonce, ...body } });
  const named = await grant({ provider: 'acme' });
  expect(named).toMatchObject({
    status: 200,
    body: { user: { email: person.email, app_metadata: { provider: 'acme' } } },
  });
  const { user } = named.body as Tokens;
  expect((await grant({ issuer: acme.issuer })).body).toMatchObject({ user: { id: user.id } });
  expect(await grant({ provider: 'google' })).toMatchObject({
    status: 400,
    body: { error: 'invalid_request' },
  });
});

it('two providers that vouch for one address lead to one account, each person of theirs once', async () => {
  const { subject } = newPerson();
  const { user } = await signInBy('acme', subject);
  const joined = await signInBy('google', subject);
  expect(joined.user).toMatchObject({ id: user.id, app_metadata: { providers: ['acme', 'google'] } });
});

it('the answer of one provider does not end a flow at another', async () => {
  const { subject } = newPerson();
  const [mine, other] = await Promise.all([leaveFor('acme', subject), leaveFor('google', subject)]);
  other.searchParams.set('state', mine.searchParams.get('state') ?? '');
  const to = await open(other);
  expect(to.searchParams.has('code')).toBe(false);
  expect(to.searchParams.get('error')).toBe('server_error');
});

it('a provider that the table lacks is refused', async () => {
  const away = await call(service, 'GET /authorize?provider=other');
  expect(away).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  const body = { id_token: 'x', provider: 'other' };
  const granted = await call(service, 'POST /token?grant_type=id_token', { body });
  expect(granted).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', message: 'Custom OIDC provider "other" not allowed' },
  });
});

it('a provider of the table that has no settings is refused, and said not to be offered', async () => {
  const signInProviders = { google: registrationAt(google) };
  const other = await startAuthService({
    providerTable: [...PROVIDERS, ACME],
    settings: { signInProviders },
  });
  expect((await call(other, 'GET /settings')).body).toMatchObject({
    external: { acme: false, google: true },
  });
  const away = await call(other, 'GET /authorize?provider=acme');
  expect(away).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  await other.stop();
});

/** As an application gets it that talks to the provider by itself. */
async function fetchIdToken(provider: OpenIdProvider, subject: string, nonce: string): Promise<string> {
  const { issuer, clientId, clientSecret } = provider;
  const asked = new URLSearchParams({
    client_id: clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid email profile',
    code_challenge: PKCE.code_challenge,
    code_challenge_method: 'S256',
    login_hint: subject,
    nonce,
  });
  const back = await visitOpenIdProvider(`${issuer}/auth?${asked}`);
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uri: CALLBACK,
      code: back.searchParams.get('code') ?? '',
      code_verifier: VERIFIER,
    }),
  });
  const { id_token: idToken } = (await response.json()) as { id_token: string };
  return idToken;
}
