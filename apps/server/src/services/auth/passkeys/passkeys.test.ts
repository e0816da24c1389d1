import { createClient } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { addApp, answerApp, codeOf } from '../test-support/authenticator-app.ts';
import { call } from '../test-support/call-service.ts';
import {
  addPasskey,
  askRegistration,
  askSignIn,
  register,
  sendRegistration,
  sendSignIn,
  signInByPasskey,
} from '../test-support/passkeys.ts';
import { addKey, challengeKey, enrollKey, OUR_SITE } from '../test-support/security-keys.ts';
import {
  createPerson,
  endSessionsDuring,
  signIn,
  type Tokens,
  waitForLocks,
} from '../test-support/sign-people-in.ts';
import { SoftwareAuthenticator } from '../test-support/software-authenticator.ts';
import {
  PASSWORD,
  SITE_URL,
  startAuthService,
  type TestService,
} from '../test-support/start-auth-service.ts';

const REFUSED = { status: 400, body: { code: 'webauthn_verification_failed' } };
const NO_CHALLENGE = { status: 400, body: { code: 'webauthn_challenge_not_found' } };
const NOT_FOUND = { status: 404, body: { code: 'validation_failed', message: 'Passkey not found' } };

let service: TestService;
let email: string;
let id: string;
let tokens: Tokens;
beforeAll(async () => {
  service = await startAuthService({
    settings: { webAuthnEnrollEnabled: true, webAuthnVerifyEnabled: true },
  });
});
afterAll(() => service.stop());
beforeEach(async () => {
  service.clock.release();
  ({ email, id } = await createPerson(service));
  tokens = await signIn(service, email);
});
const list = async (token = tokens.access_token) => (await call(service, 'GET /passkeys', { token })).body;
const asOperator = () => service.keyring.serviceRoleKey;

describe('the published client', () => {
  it('adds a passkey, names it, signs in with it, lists it and removes it', async () => {
    const url = await service.server.listen({ port: 0, host: '127.0.0.1' });
    const open = (key = service.keyring.anonKey) =>
      createClient(url, key, {
        auth: { autoRefreshToken: false, persistSession: false, detectSessionInUrl: false },
      }).auth;
    const first = open();
    await first.signInWithPassword({ email, password: PASSWORD });
    const authenticator = new SoftwareAuthenticator();
    const asked = await first.passkey.startRegistration();
    if (asked.error) throw asked.error;
    const created = authenticator.create({ ...OUR_SITE, challenge: asked.data.options.challenge });
    const made = await first.passkey.verifyRegistration({
      challengeId: asked.data.challenge_id,
      credential: created as never,
    });
    expect(made).toEqual({ error: null, data: { id: expect.any(String), created_at: expect.any(String) } });
    const passkeyId = made.data?.id ?? '';
    const named = await first.passkey.update({ passkeyId, friendlyName: 'Notebook' });
    expect(named.data).toMatchObject({ id: passkeyId, friendly_name: 'Notebook' });

    const second = open();
    const wanted = await second.passkey.startAuthentication();
    if (wanted.error) throw wanted.error;
    expect(wanted.data.expires_at).toBeGreaterThan(Date.now() / 1000);
    const { challenge } = wanted.data.options;
    const proof = authenticator.request({ ...OUR_SITE, challenge, userHandle: id });
    const entered = await second.passkey.verifyAuthentication({
      challengeId: wanted.data.challenge_id,
      credential: proof as never,
    });
    expect(entered).toMatchObject({ error: null, data: { user: { id, email } } });
    expect((await second.getUser()).data.user?.id).toBe(id);
    expect((await second.passkey.list()).data).toEqual([
      {
        id: passkeyId,
        friendly_name: 'Notebook',
        created_at: expect.any(String),
        last_used_at: expect.any(String),
      },
    ]);
    const { admin } = open(asOperator());
    expect((await admin.passkey.listPasskeys({ userId: id })).data).toHaveLength(1);
    expect((await second.passkey.delete({ passkeyId })).error).toBeNull();
    expect((await second.passkey.list()).data).toEqual([]);
  });
});

it('is for the host that the operator names, on its pages and on ours, and on no others', async () => {
  const host = new URL(SITE_URL).hostname.split('.').slice(-1).join('.');
  const page = 'https://app.exemplo.test';
  const own = await startAuthService({
    settings: { webAuthnRpId: host, webAuthnRpName: 'Os links', webAuthnOrigins: [page] },
  });
  try {
    const person = await signIn(own, (await createPerson(own)).email);
    const { options } = await askRegistration(own, person);
    expect(options).toMatchObject({ rp: { id: host, name: 'Os links' } });
    for (const origin of [page, SITE_URL])
      expect(await register(own, person, undefined, { rpId: host, origin })).toMatchObject({ status: 200 });
    for (const strange of [
      { rpId: host, origin: 'https://evil.test' },
      { rpId: host, origin: 'https://exemplo.test' },
      { rpId: OUR_SITE.rpId, origin: page },
    ])
      expect(await register(own, person, undefined, strange)).toMatchObject(REFUSED);
  } finally {
    await own.stop();
  }
});

describe('adding a passkey', () => {
  it('asks for one that verifies its owner and knows whose it is, and for none that the account has', async () => {
    service.clock.hold();
    const { authenticator } = await addPasskey(service, tokens);
    const { options, expires_at } = await askRegistration(service, tokens);
    expect(options).toMatchObject({
      rp: { id: OUR_SITE.rpId },
      user: { id: Buffer.from(id).toString('base64url'), name: email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: authenticator.id.toString('base64url') }],
    });
    expect(expires_at).toBe(Math.floor(service.clock.now().getTime() / 1000) + 300);
  });

  it('writes over no key that is a second factor, nor that over a passkey', async () => {
    const { authenticator } = await addPasskey(service, tokens);
    const factor = await enrollKey(service, tokens);
    const { webauthn } = await challengeKey(service, tokens, factor);
    expect(webauthn.credential_options.publicKey).toMatchObject({
      excludeCredentials: [{ id: authenticator.id.toString('base64url') }],
    });
    const { key, tokens: raised } = await addKey(service, tokens, 'Chave');
    const { options } = await askRegistration(service, raised);
    const excluded = options['excludeCredentials'] as { id: string }[];
    expect(excluded.map((one) => one.id)).toContain(key.authenticator.id.toString('base64url'));
  });

  it('takes ten of them, and one of an account of its own', async () => {
    const { authenticator } = await addPasskey(service, tokens);
    const other = await signIn(service, (await createPerson(service)).email);
    expect(await register(service, other, authenticator)).toMatchObject({
      status: 422,
      body: { code: 'webauthn_credential_exists' },
    });
    const last = await askRegistration(service, tokens);
    for (let n = 2; n <= 10; n++) await addPasskey(service, tokens);
    const full = { status: 422, body: { code: 'too_many_passkeys' } };
    const { access_token: token } = tokens;
    expect(await call(service, 'POST /passkeys/registration/options', { token, body: {} })).toMatchObject(
      full,
    );
    // One that was asked for before there were ten.
    const { challenge } = last.options;
    const credential = new SoftwareAuthenticator().create({ ...OUR_SITE, challenge });
    const { challenge_id } = last;
    expect(await sendRegistration(service, tokens, { challenge_id, credential })).toMatchObject(full);
  });

  it.each([
    ['of another site', { origin: 'https://evil.test' }],
    ['of a site below ours', { origin: 'https://x.linkoteca.test' }],
    ['for another relying party', { rpId: 'evil.test' }],
    ['to another challenge', { challenge: 'A'.repeat(43) }],
    ['by somebody whom it has not verified', { userVerified: false }],
    ['of the other ceremony', { type: 'webauthn.get' }],
    [
      'with certificates to follow',
      { attestation: { fmt: 'packed', attStmt: new Map([['x5c', [new Uint8Array([1])]]]) } },
    ],
  ])('refuses an answer %s', async (_what, said) => {
    expect(await register(service, tokens, new SoftwareAuthenticator(), said)).toMatchObject(REFUSED);
    expect(await list()).toEqual([]);
  });

  it('uses a challenge up, right or wrong, and lets it end', async () => {
    const asked = await askRegistration(service, tokens);
    const { challenge_id } = asked;
    const credential = new SoftwareAuthenticator().create({
      ...OUR_SITE,
      challenge: asked.options.challenge,
    });
    expect(await sendRegistration(service, tokens, { challenge_id, credential: {} })).toMatchObject(REFUSED);
    expect(await sendRegistration(service, tokens, { challenge_id, credential })).toMatchObject(NO_CHALLENGE);
    const late = await askRegistration(service, tokens);
    service.clock.advance(301);
    expect(await sendRegistration(service, tokens, { ...late, credential })).toMatchObject({
      status: 400,
      body: { code: 'webauthn_challenge_expired' },
    });
  });

  it.each([
    [{ challenge_id: '' }, 'challenge_id is required'],
    [{ challenge_id: 'x' }, 'challenge_id must be a valid UUID'],
    [{ challenge_id: '00000000-0000-4000-8000-000000000000' }, 'credential is required'],
  ])('refuses %j', async (body, message) => {
    for (const reply of [await sendRegistration(service, tokens, body), await sendSignIn(service, body)])
      expect(reply).toMatchObject({ status: 400, body: { code: 'validation_failed', message } });
  });

  it('asks for a sign-in of a moment ago: a passkey outlives the session', async () => {
    const asked = await askRegistration(service, tokens);
    service.clock.advance(601);
    const old = { status: 400, body: { code: 'reauthentication_needed' } };
    const { access_token: token } = tokens;
    expect(await call(service, 'POST /passkeys/registration/options', { token, body: {} })).toMatchObject(
      old,
    );
    expect(await sendRegistration(service, tokens, { ...asked, credential: {} })).toMatchObject(old);
  });

  it('adds none for a session that ends while it is under way', async () => {
    const { challenge_id, options } = await askRegistration(service, tokens);
    const credential = new SoftwareAuthenticator().create({ ...OUR_SITE, challenge: options.challenge });
    const late = await endSessionsDuring(service, id, () =>
      sendRegistration(service, tokens, { challenge_id, credential }),
    );
    expect(late).toMatchObject({ status: 403, body: { code: 'session_not_found' } });
    expect(await list((await signIn(service, email)).access_token)).toEqual([]);
  });

  it('is for people with an account of their own, in a session', async () => {
    const anonymous = await startAuthService({ settings: { anonymousSignInsEnabled: true } });
    onTestFinished(() => anonymous.stop());
    const visitor = (await call(anonymous, 'POST /signup', { body: {} })).body as Tokens;
    const begin = { token: visitor.access_token, body: {} };
    expect(await call(anonymous, 'POST /passkeys/registration/options', begin)).toMatchObject({
      status: 403,
      body: { code: 'no_authorization' },
    });
    expect(await call(service, 'GET /passkeys')).toMatchObject({ status: 401 });
    expect(await call(service, 'GET /passkeys', { token: asOperator() })).toMatchObject({ status: 403 });
  });
});

describe('signing in with a passkey', () => {
  it('names nobody, and opens a session of the first level', async () => {
    const passkey = await addPasskey(service, tokens);
    const { options } = await askSignIn(service);
    expect(options).toMatchObject({ rpId: OUR_SITE.rpId, userVerification: 'required' });
    expect(JSON.stringify(options)).not.toContain(passkey.authenticator.id.toString('base64url'));
    const entered = (await signInByPasskey(service, passkey)).body as Tokens;
    expect(decodeJwt(entered.access_token)).toMatchObject({
      sub: id,
      aal: 'aal1',
      amr: [{ method: 'passkey' }],
    });
    expect(entered.user['last_sign_in_at']).not.toBeNull();
  });

  it('leaves a second factor to be proven', async () => {
    const passkey = await addPasskey(service, tokens);
    const { app } = await addApp(service, tokens);
    const entered = (await signInByPasskey(service, passkey)).body as Tokens;
    expect(decodeJwt(entered.access_token)).toMatchObject({ aal: 'aal1' });
    const refused = { status: 403, body: { code: 'insufficient_aal' } };
    const { access_token: token } = entered;
    for (const line of [
      'GET /passkeys',
      `PATCH /passkeys/${passkey.id}`,
      `DELETE /passkeys/${passkey.id}`,
      'POST /passkeys/registration/options',
    ])
      expect(await call(service, line, { token, body: { friendly_name: 'x' } })).toMatchObject(refused);
    expect((await answerApp(service, entered, app, codeOf(service, app, 1))).status).toBe(200);
  });

  it('opens none where the account gives it up in the moment, and waits for nobody who waits for it', async () => {
    const passkey = await addPasskey(service, tokens);
    // As who clears an account does: the account, then its passkeys.
    const other = await service.admin.connect();
    await other.query('begin');
    await other.query('select from auth.users where id = $1 for update', [id]);
    const late = signInByPasskey(service, passkey);
    await waitForLocks(service, 1);
    await other.query('delete from auth.webauthn_credentials where user_id = $1', [id]);
    await other.query('commit');
    other.release();
    expect(await late).toMatchObject(REFUSED);
  });

  it('is off where the operator says so', async () => {
    const off = await startAuthService({ settings: { passkeysEnabled: false } });
    onTestFinished(() => off.stop());
    for (const line of ['POST /passkeys/authentication/options', 'GET /passkeys'])
      expect(await call(off, line, { body: {} })).toMatchObject({
        status: 404,
        body: { code: 'passkey_disabled' },
      });
    expect((await call(off, 'GET /settings')).body).toMatchObject({ passkeys_enabled: false });
  });
});

describe('an attacker', () => {
  it.each([
    ['of another site', { origin: 'https://evil.test' }],
    ['of our site without encryption', { origin: 'http://linkoteca.test' }],
    ['for another relying party', { rpId: 'evil.test' }],
    ['to another challenge', { challenge: 'A'.repeat(43) }],
    ['by somebody whom it has not verified', { userVerified: false }],
    ['of the other ceremony', { type: 'webauthn.create' }],
    ['of a copy that has counted less', { signCount: 1 }],
    ['for another account', { userHandle: '00000000-0000-4000-8000-000000000000' }],
    ['that does not say whose it is', { userHandle: '' }],
  ])('does not come in by an answer %s', async (_what, said) => {
    const passkey = await addPasskey(service, tokens);
    expect(await signInByPasskey(service, passkey, said)).toMatchObject(REFUSED);
  });

  it('does not come in by an answer of before, nor by one that is sent twice at once', async () => {
    const { authenticator } = await addPasskey(service, tokens);
    const { challenge_id, options } = await askSignIn(service);
    const { challenge } = options;
    const credential = authenticator.request({ ...OUR_SITE, challenge, userHandle: id });
    const replies = await Promise.all([1, 2].map(() => sendSignIn(service, { challenge_id, credential })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(await sendSignIn(service, { challenge_id, credential })).toMatchObject(NO_CHALLENGE);
    const other = await askSignIn(service);
    expect(await sendSignIn(service, { ...other, credential })).toMatchObject(REFUSED);
  });

  it('does not sign in with what a registration asked, nor registers with what a sign-in asked', async () => {
    const { authenticator } = await addPasskey(service, tokens);
    const registration = await askRegistration(service, tokens);
    const said = { ...OUR_SITE, challenge: registration.options.challenge, userHandle: id };
    const proof = authenticator.request(said);
    expect(await sendSignIn(service, { ...registration, credential: proof })).toMatchObject(NO_CHALLENGE);
    const entering = await askSignIn(service);
    const created = new SoftwareAuthenticator().create({
      ...OUR_SITE,
      challenge: entering.options.challenge,
    });
    expect(await sendRegistration(service, tokens, { ...entering, credential: created })).toMatchObject(
      NO_CHALLENGE,
    );
  });

  it('does not add an own passkey to somebody else’s account, nor finishes what somebody else began', async () => {
    const stranger = await signIn(service, (await createPerson(service)).email);
    const asked = await askRegistration(service, tokens);
    const { challenge } = asked.options;
    const credential = new SoftwareAuthenticator().create({ ...OUR_SITE, challenge });
    expect(await sendRegistration(service, stranger, { ...asked, credential })).toMatchObject(NO_CHALLENGE);
    // The owner's challenge is not used up by it.
    expect((await sendRegistration(service, tokens, { ...asked, credential })).status).toBe(200);
  });

  it('neither sees, renames nor removes somebody else’s passkey', async () => {
    const passkey = await addPasskey(service, tokens);
    const stranger = await signIn(service, (await createPerson(service)).email);
    const { access_token: token } = stranger;
    expect(await list(token)).toEqual([]);
    const body = { friendly_name: 'meu' };
    expect(await call(service, `PATCH /passkeys/${passkey.id}`, { token, body })).toMatchObject(NOT_FOUND);
    expect(await call(service, `DELETE /passkeys/${passkey.id}`, { token })).toMatchObject(NOT_FOUND);
    expect(await call(service, 'DELETE /passkeys/x', { token })).toMatchObject(NOT_FOUND);
    for (const line of [
      `GET /admin/users/${id}/passkeys`,
      `DELETE /admin/users/${id}/passkeys/${passkey.id}`,
    ])
      expect(await call(service, line, { token })).toMatchObject({
        status: 403,
        body: { code: 'not_admin' },
      });
    const elsewhere = `DELETE /admin/users/${stranger.user.id}/passkeys/${passkey.id}`;
    expect(await call(service, elsewhere, { token: asOperator() })).toMatchObject(NOT_FOUND);
    expect(await list()).toHaveLength(1);
  });

  it('does not come in by a passkey that was removed, by its owner or an operator', async () => {
    const [mine, theirs] = [await addPasskey(service, tokens), await addPasskey(service, tokens)];
    const { access_token: token } = tokens;
    expect((await call(service, `DELETE /passkeys/${mine.id}`, { token })).status).toBe(204);
    const line = `DELETE /admin/users/${id}/passkeys/${theirs.id}`;
    expect((await call(service, line, { token: asOperator() })).status).toBe(204);
    for (const passkey of [mine, theirs])
      expect(await signInByPasskey(service, passkey)).toMatchObject(REFUSED);
  });

  it('is kept out with a banned account, and with one that is given up', async () => {
    const passkey = await addPasskey(service, tokens);
    const token = asOperator();
    await call(service, `PUT /admin/users/${id}`, { token, body: { ban_duration: '1h' } });
    expect(await signInByPasskey(service, passkey)).toMatchObject({
      status: 403,
      body: { code: 'user_banned' },
    });
    await call(service, `PUT /admin/users/${id}`, { token, body: { ban_duration: 'none' } });
    await call(service, `DELETE /admin/users/${id}`, { token, body: { should_soft_delete: true } });
    expect(await signInByPasskey(service, passkey)).toMatchObject(REFUSED);
    const { rowCount } = await service.admin.query(
      'select from auth.webauthn_credentials where user_id = $1',
      [id],
    );
    expect(rowCount).toBe(0);
  });

  it('gives a passkey no endless name', async () => {
    const { id: passkeyId } = await addPasskey(service, tokens);
    const rename = (friendly_name: string) =>
      call(service, `PATCH /passkeys/${passkeyId}`, { token: tokens.access_token, body: { friendly_name } });
    for (const name of ['', 'n'.repeat(121)])
      expect(await rename(name)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect((await rename('n'.repeat(120))).status).toBe(200);
  });
});
