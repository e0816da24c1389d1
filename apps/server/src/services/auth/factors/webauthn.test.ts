import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addApp, answerApp, codeOf, enrollApp, wrongCodeOf } from '../test-support/authenticator-app.ts';
import { call } from '../test-support/call-service.ts';
import {
  addKey,
  answerKey,
  challengeKey,
  enrollKey,
  OUR_SITE,
  sendAnswer,
} from '../test-support/security-keys.ts';
import { createPerson, signIn, type Tokens } from '../test-support/sign-people-in.ts';
import { SoftwareAuthenticator } from '../test-support/software-authenticator.ts';
import { startAuthService, type TestService } from '../test-support/start-auth-service.ts';

let service: TestService;
let email: string;
let id: string;
let tokens: Tokens;
beforeAll(async () => {
  service = await startAuthService({
    settings: {
      webAuthnEnrollEnabled: true,
      webAuthnVerifyEnabled: true,
      notices: ['mfa_factor_enrolled', 'mfa_factor_unenrolled'],
    },
  });
});
afterAll(() => service.stop());
beforeEach(async () => {
  service.clock.hold();
  service.clock.advance(90);
  ({ email, id } = await createPerson(service));
  tokens = await signIn(service, email);
});

const REFUSED = { status: 422, body: { code: 'mfa_verification_failed' } };
const NO_CHALLENGE = { status: 422, body: { code: 'mfa_factor_not_found' } };
const readFactor = async (factorId: string) => {
  const { rows } = await service.admin.query(
    'select status, web_authn_credential as credential, web_authn_aaguid as aaguid from auth.mfa_factors where id = $1',
    [factorId],
  );
  return rows[0] as { status: string; credential: Record<string, unknown> | null; aaguid: string | null };
};
const levelOf = async () => {
  const { rows } = await service.admin.query('select aal, factor_id from auth.sessions where user_id = $1', [
    id,
  ]);
  return rows;
};

describe('adding a key', () => {
  it('asks for one of this site that verifies who holds it, whatever the client says of the site', async () => {
    const factorId = await enrollKey(service, tokens, 'Notebook');
    const asked = await challengeKey(service, tokens, factorId, {
      rpId: 'evil.test',
      rpOrigins: ['https://evil.test'],
    });
    expect(asked).toEqual({
      id: expect.any(String),
      type: 'webauthn',
      expires_at: Math.floor(service.clock.now().getTime() / 1000) + 300,
      webauthn: {
        type: 'create',
        credential_options: {
          publicKey: expect.objectContaining({
            challenge: expect.stringMatching(/^[\w-]{43}$/),
            rp: { id: OUR_SITE.rpId, name: OUR_SITE.rpId },
            user: { id: Buffer.from(id).toString('base64url'), name: email, displayName: email },
            attestation: 'none',
            excludeCredentials: [],
            authenticatorSelection: expect.objectContaining({ userVerification: 'required' }),
          }),
        },
      },
    });
  });

  it('makes the session one of the second level, and keeps the credential as the platform does', async () => {
    service.clock.advance(5);
    const { key, tokens: raised } = await addKey(service, tokens, 'Notebook');
    expect(decodeJwt(raised.access_token)).toMatchObject({
      aal: 'aal2',
      session_id: decodeJwt(tokens.access_token)['session_id'],
      amr: [{ method: 'mfa/webauthn' }, { method: 'password' }],
    });
    expect(await readFactor(key.factorId)).toEqual({
      status: 'verified',
      aaguid: '00000000-0000-0000-0000-000000000000',
      credential: {
        id: key.authenticator.id.toString('base64'),
        publicKey: expect.stringMatching(/^[\w+/]+=*$/),
        attestationType: 'none',
        transport: ['internal'],
        flags: { userPresent: true, userVerified: true, backupEligible: false, backupState: false },
        authenticator: { AAGUID: 'AAAAAAAAAAAAAAAAAAAAAA==', signCount: 1, cloneWarning: false },
      },
    });
    expect((await call(service, 'GET /user', { token: raised.access_token })).body).toMatchObject({
      factors: [{ id: key.factorId, factor_type: 'webauthn', friendly_name: 'Notebook', status: 'verified' }],
    });
  });

  it('takes no authenticator twice, and no second factor from a session of the first level', async () => {
    const { key, tokens: raised } = await addKey(service, tokens, 'A');
    const second = await enrollKey(service, raised, 'B');
    const { webauthn } = await challengeKey(service, raised, second);
    expect(webauthn.credential_options.publicKey).toMatchObject({
      excludeCredentials: [{ id: key.authenticator.id.toString('base64url'), type: 'public-key' }],
    });
    const again = { factorId: second, authenticator: new SoftwareAuthenticator(key.authenticator.id) };
    expect(await answerKey(service, raised, again)).toMatchObject(REFUSED);
    const low = await signIn(service, email);
    const body = { factor_type: 'webauthn', friendly_name: 'C' };
    expect(await call(service, 'POST /factors', { token: low.access_token, body })).toMatchObject({
      body: { code: 'insufficient_aal' },
    });
  });

  it('may sign for itself, which leads nowhere', async () => {
    const factorId = await enrollKey(service, tokens);
    const key = { factorId, authenticator: new SoftwareAuthenticator() };
    expect(await answerKey(service, tokens, key, { attestation: 'self' })).toMatchObject({ status: 200 });
    expect(await readFactor(factorId)).toMatchObject({ status: 'verified' });
  });

  it.each([
    ['of another site', { origin: 'https://evil.test' }],
    ['of a site below ours', { origin: 'https://x.linkoteca.test' }],
    ['of our site without encryption', { origin: 'http://linkoteca.test' }],
    ['for another relying party', { rpId: 'evil.test' }],
    ['for the domain above ours', { rpId: 'test' }],
    ['to another challenge', { challenge: 'A'.repeat(43) }],
    ['by somebody whom it has not verified', { userVerified: false }],
    ['without anybody there', { userPresent: false }],
    ['of the other ceremony', { type: 'webauthn.get' }],
    [
      'with certificates to follow',
      { attestation: { fmt: 'packed', attStmt: new Map([['x5c', [new Uint8Array([1])]]]) } },
    ],
    [
      'with a signature of its own that is none',
      {
        attestation: {
          fmt: 'packed',
          attStmt: new Map<string, unknown>([
            ['alg', -7],
            ['sig', new Uint8Array(70)],
          ]),
        },
      },
    ],
    ['of a make that nobody asked for', { attestation: { fmt: 'apple', attStmt: new Map() } }],
  ])('refuses an answer %s', async (_what, said) => {
    const factorId = await enrollKey(service, tokens);
    const key = { factorId, authenticator: new SoftwareAuthenticator() };
    expect(await answerKey(service, tokens, key, said)).toMatchObject(REFUSED);
    expect(await readFactor(factorId)).toEqual({ status: 'unverified', credential: null, aaguid: null });
    expect(await levelOf()).toEqual([{ aal: 'aal1', factor_id: null }]);
  });
});

describe('a key at the second step', () => {
  it('is asked for by the credentials of the account, and raises the session', async () => {
    const { key } = await addKey(service, tokens);
    const low = await signIn(service, email);
    const { webauthn } = await challengeKey(service, low, key.factorId);
    expect(webauthn).toMatchObject({
      type: 'request',
      credential_options: {
        publicKey: {
          rpId: OUR_SITE.rpId,
          userVerification: 'required',
          allowCredentials: [{ id: key.authenticator.id.toString('base64url'), type: 'public-key' }],
        },
      },
    });
    const reply = await answerKey(service, low, key, { userHandle: id });
    expect(reply).toMatchObject({ status: 200 });
    expect(decodeJwt((reply.body as Tokens).access_token)).toMatchObject({ aal: 'aal2' });
    expect((await readFactor(key.factorId)).credential).toMatchObject({ authenticator: { signCount: 2 } });
  });

  it.each([
    ['of another site', { origin: 'https://evil.test' }],
    ['for another relying party', { rpId: 'evil.test' }],
    ['to another challenge', { challenge: 'A'.repeat(43) }],
    ['by somebody whom it has not verified', { userVerified: false }],
    ['without anybody there', { userPresent: false }],
    ['of the other ceremony', { type: 'webauthn.create' }],
    ['of another account', { userHandle: '00000000-0000-4000-8000-000000000000' }],
    ['that was counted before', { signCount: 1 }],
    ['that counts no more', { signCount: 0 }],
  ])('refuses an answer %s', async (_what, said) => {
    const { key } = await addKey(service, tokens);
    const low = await signIn(service, email);
    expect(await answerKey(service, low, key, said)).toMatchObject(REFUSED);
    expect((await readFactor(key.factorId)).credential).toMatchObject({ authenticator: { signCount: 1 } });
    expect(await levelOf()).toContainEqual({ aal: 'aal1', factor_id: null });
  });

  it('takes one whose authenticator counts nothing', async () => {
    const factorId = await enrollKey(service, tokens);
    const key = { factorId, authenticator: new SoftwareAuthenticator() };
    expect(await answerKey(service, tokens, key, { signCount: 0 })).toMatchObject({ status: 200 });
    const low = await signIn(service, email);
    expect(await answerKey(service, low, key, { signCount: 0 })).toMatchObject({ status: 200 });
  });

  it('refuses another key with the same name, and the key of somebody else', async () => {
    const { key } = await addKey(service, tokens);
    const forged = new SoftwareAuthenticator(key.authenticator.id);
    const low = await signIn(service, email);
    expect(await answerKey(service, low, { ...key, authenticator: forged }, { signCount: 9 })).toMatchObject(
      REFUSED,
    );
    const stranger = await createPerson(service);
    const { key: theirs, tokens: raised } = await addKey(service, await signIn(service, stranger.email));
    expect(
      await answerKey(service, low, { ...key, authenticator: theirs.authenticator }, { signCount: 9 }),
    ).toMatchObject(REFUSED);
    // Nor is a factor of somebody else there to be asked for, or answered.
    for (const line of [`POST /factors/${key.factorId}/challenge`, `POST /factors/${key.factorId}/verify`])
      expect(await call(service, line, { token: raised.access_token, body: {} })).toMatchObject({
        status: 404,
        body: { code: 'mfa_factor_not_found' },
      });
  });

  it('refuses to add a credential in place of proving the one there is', async () => {
    const { key } = await addKey(service, tokens);
    const low = await signIn(service, email);
    const { id: challengeId, webauthn } = await challengeKey(service, low, key.factorId);
    const { challenge } = webauthn.credential_options.publicKey;
    const response = new SoftwareAuthenticator().create({ ...OUR_SITE, challenge });
    const answer = { id: challengeId, type: 'create', response };
    expect(await sendAnswer(service, low, key.factorId, answer)).toMatchObject(REFUSED);
  });

  it('takes any key of the account, and the session is that one’s', async () => {
    const { key: first, tokens: raised } = await addKey(service, tokens, 'A');
    const { key: second } = await addKey(service, raised, 'B');
    const low = await signIn(service, email);
    const { authenticator } = second;
    expect(await answerKey(service, low, { factorId: first.factorId, authenticator })).toMatchObject({
      status: 200,
    });
    expect(await levelOf()).toContainEqual({ aal: 'aal2', factor_id: second.factorId });
    expect((await readFactor(first.factorId)).credential).toMatchObject({ authenticator: { signCount: 1 } });
  });
});

describe('a challenge', () => {
  const answerTo = async (factorId: string, low: Tokens, authenticator: SoftwareAuthenticator) => {
    const { id: challengeId, webauthn } = await challengeKey(service, low, factorId);
    const { challenge } = webauthn.credential_options.publicKey;
    const response = authenticator.request({ ...OUR_SITE, challenge });
    return { id: challengeId, type: 'request', response, challenge };
  };

  it('is answered once: right, wrong, or twice at the same time', async () => {
    const { key } = await addKey(service, tokens);
    const low = await signIn(service, email);
    const wrong = await answerTo(key.factorId, low, new SoftwareAuthenticator());
    expect(await sendAnswer(service, low, key.factorId, wrong)).toMatchObject(REFUSED);
    const response = key.authenticator.request({ ...OUR_SITE, challenge: wrong.challenge });
    expect(await sendAnswer(service, low, key.factorId, { ...wrong, response })).toMatchObject(NO_CHALLENGE);
    const right = await answerTo(key.factorId, low, key.authenticator);
    const replies = await Promise.all([1, 2].map(() => sendAnswer(service, low, key.factorId, right)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  it('is answered in time, from where it was asked for, for its factor', async () => {
    const { key, tokens: raised } = await addKey(service, tokens, 'A');
    const { key: other } = await addKey(service, raised, 'B');
    const low = await signIn(service, email);
    const answer = await answerTo(key.factorId, low, key.authenticator);
    expect(await sendAnswer(service, low, key.factorId, answer, '203.0.113.9')).toMatchObject({
      body: { code: 'mfa_ip_address_mismatch' },
    });
    expect(await sendAnswer(service, low, other.factorId, answer)).toMatchObject(NO_CHALLENGE);
    service.clock.advance(301);
    expect(await sendAnswer(service, low, key.factorId, answer)).toMatchObject({
      body: { code: 'mfa_challenge_expired' },
    });
  });
});

it.each([
  [undefined, 'WebAuthn config required'],
  [{ type: 'steal', credential_response: {} }, 'WebAuthn type must be create or request'],
  [{ type: 'request' }, 'credential_response required'],
  [{ type: 'request', credential_response: { id: 'a' } }, 'Invalid credential_response'],
  [{ type: 'create', credential_response: [] }, 'Invalid credential_response'],
])('says what is wrong with %j', async (webauthn, msg) => {
  const factorId = await enrollKey(service, tokens);
  const body = { challenge_id: factorId, webauthn };
  const reply = await call(service, `POST /factors/${factorId}/verify`, { token: tokens.access_token, body });
  expect(reply).toMatchObject({ status: 400, body: { code: 'validation_failed', message: msg } });
});

it('answers garbage as a wrong answer', async () => {
  const factorId = await enrollKey(service, tokens);
  const said = 'gYGBgYGB'.repeat(8000);
  for (const response of [
    { clientDataJSON: said, attestationObject: said },
    { clientDataJSON: '', attestationObject: '' },
    { clientDataJSON: 'bnVsbA', attestationObject: '9g' },
  ]) {
    const { id: challengeId } = await challengeKey(service, tokens, factorId);
    const answer = {
      id: challengeId,
      type: 'create',
      response: { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response },
    };
    expect(await sendAnswer(service, tokens, factorId, answer)).toMatchObject(REFUSED);
  }
});

it('counts wrong answers by account, and leaves the app alone', async () => {
  const { app, tokens: withApp } = await addApp(service, tokens, 'Celular');
  const { key } = await addKey(service, withApp, 'Chave');
  const low = await signIn(service, email);
  const foreign = { ...key, authenticator: new SoftwareAuthenticator() };
  for (let n = 0; n < 5; n++) expect(await answerKey(service, low, foreign)).toMatchObject(REFUSED);
  expect(await answerKey(service, low, key)).toMatchObject({
    status: 429,
    body: { code: 'over_request_rate_limit' },
  });
  expect(await answerApp(service, low, app, wrongCodeOf(service, app))).toMatchObject({ status: 422 });
});

it.each(['key', 'app'] as const)(
  'what somebody with the password alone began before there was a factor does not become one: %s',
  async (kind) => {
    // Two kinds: proving one of them gives up only what was begun of the same.
    const thief = await signIn(service, email);
    const authenticator = new SoftwareAuthenticator();
    const begun =
      kind === 'key'
        ? { factorId: await enrollKey(service, thief, 'A'), secret: '' }
        : await enrollApp(service, thief, 'A');
    await (kind === 'key' ? addApp(service, tokens, 'B') : addKey(service, tokens, 'B'));
    const again = await signIn(service, email);
    const reply =
      kind === 'key'
        ? await answerKey(service, again, { factorId: begun.factorId, authenticator })
        : await answerApp(service, again, begun, codeOf(service, begun));
    expect(reply).toMatchObject({ body: { code: 'insufficient_aal' } });
    expect(await readFactor(begun.factorId)).toMatchObject({ status: 'unverified' });
    expect(decodeJwt(again.access_token)).toMatchObject({ aal: 'aal1' });
  },
);

it('a key that is given up proves nothing, and lowers the session that it has raised', async () => {
  const { key, tokens: raised } = await addKey(service, tokens);
  const line = `DELETE /factors/${key.factorId}`;
  const low = await signIn(service, email);
  expect(await call(service, line, { token: low.access_token })).toMatchObject({
    body: { code: 'insufficient_aal' },
  });
  expect(await call(service, line, { token: raised.access_token })).toMatchObject({ status: 200 });
  expect(await levelOf()).not.toContainEqual(expect.objectContaining({ aal: 'aal2' }));
});

it('its owner is told of a key that counts, and of one that no longer does', async () => {
  const mailsTo = () => service.mails.filter(({ to }) => to === email).map(({ text }) => text);
  const { key, tokens: raised } = await addKey(service, tokens);
  const added = expect.stringContaining('agora também se pede uma chave de segurança');
  await expect.poll(mailsTo).toEqual([added]);
  await call(service, `DELETE /factors/${key.factorId}`, { token: raised.access_token });
  await expect
    .poll(mailsTo)
    .toEqual([added, expect.stringContaining('foi retirada: uma chave de segurança')]);
});

it('recovery codes are made beside a key', async () => {
  const { tokens: raised } = await addKey(service, tokens);
  expect(
    await call(service, 'POST /factors/recovery-codes', { token: raised.access_token, body: {} }),
  ).toMatchObject({ status: 200 });
});

describe('where keys are switched off', () => {
  it('none is added, and none that was is asked for', async () => {
    const off = await startAuthService();
    try {
      const person = await createPerson(off);
      const { access_token: token } = await signIn(off, person.email);
      const body = { factor_type: 'webauthn' };
      expect(await call(off, 'POST /factors', { token, body })).toMatchObject({
        status: 422,
        body: { code: 'mfa_webauthn_enroll_not_enabled' },
      });
      const factorId = '55555555-5555-4555-8555-555555555555';
      await off.admin.query(
        `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
         values ($1, $2, 'webauthn', 'verified', now(), now())`,
        [factorId, person.id],
      );
      for (const what of ['challenge', 'verify'])
        expect(await call(off, `POST /factors/${factorId}/${what}`, { token, body: {} })).toMatchObject({
          status: 422,
          body: { code: 'mfa_webauthn_verify_not_enabled' },
        });
    } finally {
      await off.stop();
    }
  });
});
