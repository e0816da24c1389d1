import { createHash, randomUUID } from 'node:crypto';
import { generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../test-support/call-service.ts';
import { type IdTokenIssuer, startIdTokenIssuer } from '../test-support/id-token-issuer.ts';
import {
  createPerson,
  endSessionsDuring,
  expectJustSignedIn,
  newEmail,
  signIn,
  type Tokens,
} from '../test-support/sign-people-in.ts';
import { startAuthService, type TestService } from '../test-support/start-auth-service.ts';

/** Its tokens are forged by hand, since a real provider signs nothing wrong. */
let provider: IdTokenIssuer;
const strange = await generateKeyPair('RS256');
let service: TestService;
let issuer = '';

beforeAll(async () => {
  provider = await startIdTokenIssuer();
  issuer = provider.issuer;
  const google = {
    issuer,
    clientId: 'linkoteca',
    clientSecret: 'x',
    otherClientIds: ['linkoteca-on-a-phone'],
  };
  // The same keys, for tokens whose nonce nobody tells us.
  const apple = { issuer, clientId: 'linkoteca', clientSecret: 'x', skipNonceCheck: true };
  service = await startAuthService({ settings: { signInProviders: { google, apple } } });
});
afterAll(async () => {
  await service.stop();
  provider.stop();
});

function claims(more: JWTPayload = {}): JWTPayload {
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: issuer,
    aud: 'linkoteca',
    sub: randomUUID(),
    iat: now,
    exp: now + 600,
    email: newEmail(),
    email_verified: true,
    name: 'Ana',
    ...more,
  };
}

const sign: IdTokenIssuer['sign'] = (payload, key) => provider.sign(payload, key);

const grant = (body: object, token?: string) =>
  call(service, 'POST /token?grant_type=id_token', {
    body: { provider: 'google', ...body },
    ...(token === undefined ? {} : { token }),
  });

const NONCE = 'um nonce';
const HASHED = createHash('sha256').update(NONCE).digest('hex');

it('signs in with a token of Google, and finds the same account again', async () => {
  const payload = claims({ nonce: HASHED });
  const first = await grant({ id_token: await sign(payload), nonce: NONCE });
  expect(first).toMatchObject({
    status: 200,
    body: { token_type: 'bearer', user: { email: payload['email'], app_metadata: { provider: 'google' } } },
  });
  expectJustSignedIn(service, first);
  const { id } = (first.body as { user: { id: string } }).user;
  const again = await grant({ id_token: await sign({ ...payload, email_verified: false }), nonce: NONCE });
  expect(again.body).toMatchObject({ user: { id } });
});

it('signs in a person whose own data leave no room for what Google says today', async () => {
  const payload = claims();
  const first = await grant({ id_token: await sign(payload) });
  const { access_token: token, user } = first.body as Tokens;
  const before = Buffer.byteLength(JSON.stringify(user['user_metadata']));
  const own = { own: 'x'.repeat(4096 - before - ',"own":""'.length) };
  expect((await call(service, 'PUT /user', { token, body: { data: own } })).status).toBe(200);
  const again = await grant({ id_token: await sign({ ...payload, name: 'Ana Souza' }) });
  expect(again).toMatchObject({
    status: 200,
    body: { user: { id: user.id, user_metadata: { name: 'Ana', ...own } } },
  });
});

describe('a token is refused', () => {
  const past = Math.floor(Date.now() / 1000) - 3600;
  it.each([
    ['of another audience', { aud: 'another-app' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['that has run out', { iat: past - 60, exp: past }],
    ['without a subject', { sub: '' }],
    ['whose access token is missing', { at_hash: 'x' }],
    ['whose nonce was not sent along', { nonce: HASHED }],
  ])('%s', async (_what, more) => {
    expect(await grant({ id_token: await sign(claims(more)) })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  });

  it('that somebody else signed, that nobody signed, and that is none', async () => {
    const unsigned = [{ alg: 'none' }, claims()].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    const secret = new TextEncoder().encode('linkoteca');
    const symmetric = await new SignJWT(claims())
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(secret);
    for (const idToken of [
      await sign(claims(), strange.privateKey),
      `${unsigned.join('.')}.`,
      symmetric,
      'x',
    ])
      expect((await grant({ id_token: idToken })).body).toEqual({
        error: 'invalid_request',
        error_description: 'Bad ID token',
      });
  });

  it('with a nonce that is another one, or only in the request', async () => {
    const bound = await sign(claims({ nonce: HASHED }));
    expect((await grant({ id_token: bound, nonce: 'outro' })).body).toMatchObject({ error: 'invalid_nonce' });
    expect((await grant({ id_token: await sign(claims()), nonce: NONCE })).body).toMatchObject({
      error: 'invalid_request',
    });
  });

  it('for an address that is not vouched for and belongs to somebody', async () => {
    const { email } = await createPerson(service);
    const reply = await grant({ id_token: await sign(claims({ email, email_verified: false })) });
    expect(reply).toMatchObject({ status: 422, body: { code: 'provider_email_needs_verification' } });
  });

  it('for another provider, and without a token', async () => {
    expect(await grant({ provider: 'azure', id_token: 'x' })).toMatchObject({
      status: 400,
      body: {
        code: 'provider_disabled',
        message: 'Provider (issuer "https://login.microsoftonline.com/common") is not enabled',
      },
    });
    const byIssuer = { provider: '', issuer: 'https://discord.com', id_token: 'x' };
    expect((await grant(byIssuer)).body).toMatchObject({
      message: 'Provider (issuer "https://discord.com") is not enabled',
    });
    expect((await grant({ id_token: '' })).body).toMatchObject({
      error: 'invalid_request',
      error_description: 'id_token required',
    });
  });
});

it('a provider is found by its name or by its issuer, and one of them is needed', async () => {
  const idToken = await sign(claims());
  expect((await grant({ provider: '', issuer, id_token: idToken })).status).toBe(200);
  expect((await grant({ issuer: 'https://evil.example', id_token: idToken })).status).toBe(200);
  expect(
    (await grant({ provider: '', issuer: 'https://evil.example', id_token: idToken })).body,
  ).toMatchObject({ code: 'validation_failed', message: 'Custom OIDC provider "" not allowed' });
  expect((await grant({ provider: '', id_token: idToken })).body).toMatchObject({
    error: 'invalid_request',
    error_description: 'provider or client_id and issuer required',
  });
});

it('is good for any of our registrations there', async () => {
  const idToken = await sign(claims({ aud: 'linkoteca-on-a-phone' }));
  expect((await grant({ id_token: idToken })).status).toBe(200);
  expect((await grant({ provider: 'apple', id_token: idToken })).status).toBe(400);
});

it('needs no nonce of ours where the operator says so, and everything else all the same', async () => {
  const bound = await sign(claims({ nonce: HASHED }));
  expect((await grant({ provider: 'apple', id_token: bound })).status).toBe(200);
  expect((await grant({ provider: 'apple', id_token: bound, nonce: 'outro' })).status).toBe(200);
  expect(
    (await grant({ provider: 'apple', id_token: await sign(claims(), strange.privateKey) })).status,
  ).toBe(400);
});

it('an access token must be the one that came with the ID token', async () => {
  const hash = createHash('sha256').update('chave').digest().subarray(0, 16).toString('base64url');
  const idToken = await sign(claims({ at_hash: hash }));
  expect((await grant({ id_token: idToken, access_token: 'outra' })).status).toBe(400);
  expect((await grant({ id_token: idToken, access_token: 'chave' })).status).toBe(200);
});

it('links to the account of whoever is signed in, and to nobody’s without a session', async () => {
  const { id, email } = await createPerson(service);
  const { access_token: token } = await signIn(service, email);
  const body = { id_token: await sign(claims()), link_identity: true };
  expect((await grant(body)).status).toBe(401);
  expect((await grant(body, token)).body).toMatchObject({ user: { id, email } });
});

it('links nothing for a session that ends while it is under way, and opens none', async () => {
  const { id, email } = await createPerson(service);
  const { access_token: thief } = await signIn(service, email);
  const idToken = await sign(claims());
  const late = await endSessionsDuring(service, id, () =>
    grant({ id_token: idToken, link_identity: true }, thief),
  );
  expect(late).toMatchObject({ status: 403, body: { code: 'session_not_found' } });
  const { rows } = await service.admin.query(
    'select i.provider, (select count(*)::int from auth.sessions s where s.user_id = $1) as sessions from auth.identities i where i.user_id = $1',
    [id],
  );
  expect(rows).toEqual([{ provider: 'email', sessions: 0 }]);
});
