import { decodeJwt } from 'jose';
import { URI } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addApp, answerApp, challengeApp, codeOf, enrollApp } from '../test-support/authenticator-app.ts';
import { call } from '../test-support/call-service.ts';
import { createPerson, endSessionsDuring, signIn, type Tokens } from '../test-support/sign-people-in.ts';
import { SITE_URL, startAuthService, type TestService } from '../test-support/start-auth-service.ts';

let service: TestService;
let email: string;
let id: string;
beforeAll(async () => {
  // Ways in are given up only where there are several; this one is never asked.
  const google = { issuer: 'https://google.test', clientId: 'c', clientSecret: 's' };
  service = await startAuthService({ settings: { signInProviders: { google } } });
});
afterAll(() => service.stop());
beforeEach(async () => {
  service.clock.hold();
  // Each test in a time of its own: a code is good once.
  service.clock.advance(90);
  ({ email, id } = await createPerson(service));
});

const claimsOf = ({ access_token: token }: Pick<Tokens, 'access_token'>) => decodeJwt(token);
const getUser = ({ access_token: token }: Pick<Tokens, 'access_token'>) =>
  call(service, 'GET /user', { token });
const refresh = (token: string) =>
  call(service, 'POST /token?grant_type=refresh_token', { body: { refresh_token: token } });
const enroll = (tokens: Tokens, body: object) =>
  call(service, 'POST /factors', { token: tokens.access_token, body: { factor_type: 'totp', ...body } });

describe('adding an authenticator app', () => {
  it('answers the secret as text, as an address and as a picture, and keeps it sealed', async () => {
    const tokens = await signIn(service, email);
    const { status, body } = await enroll(tokens, { friendly_name: 'Celular', issuer: 'Linkoteca' });
    expect([status, body]).toEqual([
      200,
      {
        id: expect.any(String),
        type: 'totp',
        friendly_name: 'Celular',
        totp: {
          qr_code: expect.any(String),
          secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
          uri: expect.any(String),
        },
      },
    ]);
    const { totp } = body as { totp: Record<'qr_code' | 'secret' | 'uri', string> };
    expect(URI.parse(totp.uri)).toMatchObject({
      ...{ issuer: 'Linkoteca', label: email, algorithm: 'SHA1', digits: 6, period: 30 },
      secret: expect.objectContaining({ base32: totp.secret }),
    });
    expect(totp.qr_code).toMatch(/^<svg [^#]*<\/svg>$/);
    const { rows } = await service.admin.query(
      'select secret, status from auth.mfa_factors where user_id = $1',
      [id],
    );
    expect(rows).toEqual([{ secret: expect.stringMatching(/^aes-256-gcm:v1:/), status: 'unverified' }]);
    expect(JSON.stringify(rows)).not.toContain(totp.secret);
  });

  it('says that the code is for the site where nothing else is said', async () => {
    const { body } = await enroll(await signIn(service, email), {});
    expect(URI.parse((body as { totp: { uri: string } }).totp.uri)).toMatchObject({
      issuer: new URL(SITE_URL).host,
    });
  });

  it('counts for nothing until a code was verified', async () => {
    const tokens = await signIn(service, email);
    const { factorId } = await enrollApp(service, tokens, 'Celular');
    const factor = { id: factorId, factor_type: 'totp', friendly_name: 'Celular', status: 'unverified' };
    expect((await getUser(tokens)).body).toMatchObject({ factors: [factor] });
    const change = await call(service, 'PUT /user', {
      token: tokens.access_token,
      body: { password: 'outra senha boa' },
    });
    expect(change.status).toBe(200);
  });

  it('takes a name once, an empty one as well, and ten factors at most', async () => {
    const tokens = await signIn(service, email);
    await enrollApp(service, tokens);
    const conflict = { status: 422, body: { code: 'mfa_factor_name_conflict' } };
    expect(await enroll(tokens, {})).toMatchObject(conflict);
    await enrollApp(service, tokens, 'A');
    expect(await enroll(tokens, { friendly_name: 'A' })).toMatchObject(conflict);
    for (let n = 3; n <= 10; n++) await enrollApp(service, tokens, String(n));
    expect(await enroll(tokens, { friendly_name: '11' })).toMatchObject({
      status: 422,
      body: { code: 'too_many_enrolled_mfa_factors' },
    });
    // What was begun and left makes room.
    service.clock.advance(301);
    await enrollApp(service, tokens, 'A');
  });

  it.each([
    [{ factor_type: 'phone', phone: '5511' }, 422, 'mfa_phone_enroll_not_enabled'],
    [{ factor_type: 'sinal' }, 400, 'validation_failed'],
    [{ friendly_name: 'n'.repeat(101) }, 400, 'validation_failed'],
    [{ issuer: 'i'.repeat(51) }, 400, 'validation_failed'],
  ])('refuses %j', async (body, status, code) => {
    expect(await enroll(await signIn(service, email), body)).toMatchObject({ status, body: { code } });
  });

  it('draws the longest name that it takes', async () => {
    const { body } = await enroll(await signIn(service, email), { issuer: '🔖'.repeat(25) });
    expect(body).toMatchObject({ totp: { qr_code: expect.stringMatching(/^<svg/) } });
  });
});

describe('a verified code', () => {
  it('makes the session one of the second level: the same one, with both proofs, the newest first', async () => {
    const first = await signIn(service, email);
    service.clock.advance(5);
    const { app, tokens } = await addApp(service, first, 'Celular');
    expect(claimsOf(first)).toMatchObject({ aal: 'aal1' });
    const { session_id: sessionId } = claimsOf(first);
    const now = Math.floor(service.clock.now().getTime() / 1000);
    expect(claimsOf(tokens)).toMatchObject({
      aal: 'aal2',
      session_id: sessionId,
      amr: [
        { method: 'totp', timestamp: now },
        { method: 'password', timestamp: now - 5 },
      ],
    });
    expect(tokens).toMatchObject({
      ...{ token_type: 'bearer', expires_in: 3600 },
      user: {
        id,
        factors: [{ id: app.factorId, status: 'verified', last_challenged_at: expect.any(String) }],
      },
    });
  });

  it('is asked for again at the next sign-in, and then the session is of the second level until it ends', async () => {
    const { app } = await addApp(service, await signIn(service, email));
    service.clock.advance(30);
    const second = await signIn(service, email);
    expect(claimsOf(second)).toMatchObject({ aal: 'aal1', amr: [{ method: 'password' }] });
    service.clock.advance(1);
    const raised = (await answerApp(service, second, app, codeOf(service, app))).body as Tokens;
    expect(claimsOf(raised)).toMatchObject({ aal: 'aal2' });
    service.clock.advance(3000);
    const renewed = await refresh(raised.refresh_token);
    expect(claimsOf(renewed.body as Tokens)).toMatchObject({
      aal: 'aal2',
      amr: [{ method: 'totp' }, { method: 'password' }],
    });
  });

  it('notes a second code of one session as the newest proof, once', async () => {
    const { app, tokens } = await addApp(service, await signIn(service, email));
    service.clock.advance(60);
    const again = (await answerApp(service, tokens, app, codeOf(service, app))).body as Tokens;
    const at = Math.floor(service.clock.now().getTime() / 1000);
    expect(claimsOf(again)['amr']).toEqual([
      { method: 'totp', timestamp: at },
      { method: 'password', timestamp: at - 60 },
    ]);
  });

  it('ends every other session of the first level and none of the second, nor anybody else’s', async () => {
    const { app, tokens } = await addApp(service, await signIn(service, email));
    service.clock.advance(30);
    const [pending, raising] = [await signIn(service, email), await signIn(service, email)];
    const stranger = await signIn(service, (await createPerson(service)).email);
    const raised = (await answerApp(service, raising, app, codeOf(service, app))).body as Tokens;
    const states = await Promise.all([pending, tokens, raised, stranger].map(getUser));
    expect(states.map(({ status }) => status)).toEqual([403, 200, 200, 200]);
    expect(states[0]?.body).toMatchObject({ code: 'session_not_found' });
  });

  it('ends other apps of the account that were begun and not finished', async () => {
    const tokens = await signIn(service, email);
    await enrollApp(service, tokens, 'A');
    const { tokens: raised } = await addApp(service, tokens, 'B');
    expect(raised.user['factors']).toMatchObject([{ friendly_name: 'B', status: 'verified' }]);
  });

  it('is taken half a minute early or late, and no further', async () => {
    for (const [steps, status] of [
      [-2, 422],
      [-1, 200],
      [2, 422],
      [1, 200],
    ] as const) {
      const tokens = await signIn(service, (await createPerson(service)).email);
      const app = await enrollApp(service, tokens);
      expect((await answerApp(service, tokens, app, codeOf(service, app, steps))).status).toBe(status);
    }
  });
});

describe('a challenge', () => {
  it('is good for five minutes', async () => {
    const tokens = await signIn(service, email);
    const app = await enrollApp(service, tokens);
    const { body } = await call(service, `POST /factors/${app.factorId}/challenge`, {
      token: tokens.access_token,
    });
    const at = Math.floor(service.clock.now().getTime() / 1000);
    expect(body).toEqual({ id: expect.any(String), type: 'totp', expires_at: at + 300 });
    service.clock.advance(300);
    const late = await call(service, `POST /factors/${app.factorId}/verify`, {
      token: tokens.access_token,
      body: { challenge_id: (body as { id: string }).id, code: codeOf(service, app) },
    });
    expect(late).toMatchObject({ status: 422, body: { code: 'mfa_challenge_expired' } });
  });

  it('is answered from where it was asked for', async () => {
    const tokens = await signIn(service, email);
    const app = await enrollApp(service, tokens);
    const elsewhere = await call(service, `POST /factors/${app.factorId}/verify`, {
      token: tokens.access_token,
      body: { challenge_id: await challengeApp(service, tokens, app), code: codeOf(service, app) },
      ip: '198.51.100.7',
    });
    expect(elsewhere).toMatchObject({ status: 422, body: { code: 'mfa_ip_address_mismatch' } });
  });

  it('needs a code', async () => {
    const tokens = await signIn(service, email);
    expect(await answerApp(service, tokens, await enrollApp(service, tokens), '')).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', message: 'Code needs to be non-empty' },
    });
  });
});

describe('whoever has a second factor', () => {
  it.each([
    ['PUT /user', { password: 'outra senha boa' }],
    ['PUT /user', { email: 'outro@exemplo.test' }],
  ])('changes what they sign in with only after proving it: %s %j', async (line, body) => {
    const { app } = await addApp(service, await signIn(service, email));
    service.clock.advance(30);
    const tokens = await signIn(service, email);
    expect(await call(service, line, { token: tokens.access_token, body })).toMatchObject({
      status: 401,
      body: {
        code: 'insufficient_aal',
        message: 'AAL2 session is required to update email or password when MFA is enabled.',
      },
    });
    expect(service.mails.filter(({ to }) => to === 'outro@exemplo.test')).toEqual([]);
    const raised = (await answerApp(service, tokens, app, codeOf(service, app))).body as Tokens;
    expect((await call(service, line, { token: raised.access_token, body })).status).toBe(200);
    service.mails.length = 0;
  });

  it('adds another, gives one up and gives up a way in only after proving it', async () => {
    const { app } = await addApp(service, await signIn(service, email));
    service.clock.advance(30);
    const tokens = await signIn(service, email);
    expect(await enroll(tokens, { friendly_name: 'Outro' })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_aal' },
    });
    const token = tokens.access_token;
    expect(await call(service, `DELETE /factors/${app.factorId}`, { token })).toMatchObject({
      status: 422,
      body: { code: 'insufficient_aal', message: 'AAL2 required to unenroll verified factor' },
    });
    const [identity] = tokens.user['identities'] as { identity_id: string }[];
    const unlink = `DELETE /user/identities/${identity?.identity_id}`;
    expect(await call(service, unlink, { token })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_aal' },
    });
    const raised = (await answerApp(service, tokens, app, codeOf(service, app))).body as Tokens;
    expect((await enroll(raised, { friendly_name: 'Outro' })).status).toBe(200);
    expect(await call(service, unlink, { token: raised.access_token })).toMatchObject({
      body: { code: 'single_identity_not_deletable' },
    });
  });

  it('changes their own data without proving it', async () => {
    await addApp(service, await signIn(service, email));
    const { access_token: token } = await signIn(service, email);
    const { status } = await call(service, 'PUT /user', { token, body: { data: { name: 'Ana' } } });
    expect(status).toBe(200);
  });
});

describe('giving a factor up', () => {
  it('brings the sessions that it raised back to the first level, whatever their tokens say', async () => {
    const { app, tokens } = await addApp(service, await signIn(service, email), 'A');
    const { tokens: other } = await addApp(service, tokens, 'B');
    service.clock.advance(30);
    const raising = await signIn(service, email);
    const elsewhere = (await answerApp(service, raising, app, codeOf(service, app))).body as Tokens;
    const gone = await call(service, `DELETE /factors/${app.factorId}`, { token: other.access_token });
    expect(gone).toMatchObject({ status: 200, body: { id: app.factorId } });
    // The token says aal2 still; the session is not of the second level any more.
    expect(claimsOf(elsewhere)).toMatchObject({ aal: 'aal2' });
    expect(await enroll(elsewhere, { friendly_name: 'C' })).toMatchObject({
      body: { code: 'insufficient_aal' },
    });
    const renewed = (await refresh(elsewhere.refresh_token)).body as Tokens;
    expect(claimsOf(renewed)).toMatchObject({ aal: 'aal1', amr: [{ method: 'password' }] });
    // That of the other app stays where it was.
    const kept = (await refresh(other.refresh_token)).body as Tokens;
    expect(claimsOf(kept)).toMatchObject({ aal: 'aal2' });
  });

  it('is not done by a session that ends while it is under way', async () => {
    const { app, tokens } = await addApp(service, await signIn(service, email));
    const late = await endSessionsDuring(service, id, () =>
      call(service, `DELETE /factors/${app.factorId}`, { token: tokens.access_token }),
    );
    expect(late).toMatchObject({ status: 403, body: { code: 'session_not_found' } });
    expect((await getUser(await signIn(service, email))).body).toMatchObject({
      factors: [{ id: app.factorId }],
    });
  });

  it('that was never proven asks for nothing', async () => {
    const tokens = await signIn(service, email);
    const { factorId } = await enrollApp(service, tokens);
    expect((await call(service, `DELETE /factors/${factorId}`, { token: tokens.access_token })).status).toBe(
      200,
    );
    expect((await getUser(tokens)).body).not.toHaveProperty('factors');
  });
});

describe('where codes are switched off', () => {
  let off: TestService;
  beforeAll(async () => {
    off = await startAuthService({ settings: { totpEnrollEnabled: false, totpVerifyEnabled: false } });
  });
  afterAll(() => off.stop());

  it('nobody adds an app, and none is asked for', async () => {
    const person = await createPerson(off);
    const { access_token: token } = await signIn(off, person.email);
    const begun = await call(off, 'POST /factors', { token, body: { factor_type: 'totp' } });
    expect(begun).toMatchObject({ status: 422, body: { code: 'mfa_totp_enroll_not_enabled' } });
    const { rows } = await off.admin.query(
      `insert into auth.mfa_factors (id, user_id, factor_type, status, secret, created_at, updated_at)
       values (gen_random_uuid(), $1, 'totp', 'verified', 'JBSWY3DPEHPK3PXP', now(), now()) returning id`,
      [person.id],
    );
    for (const what of ['challenge', 'verify'])
      expect(
        await call(off, `POST /factors/${rows[0]?.id}/${what}`, { token, body: { code: '000000' } }),
      ).toMatchObject({ status: 422, body: { code: 'mfa_totp_verify_not_enabled' } });
  });
});

describe('an account without an address', () => {
  it('has no second factor', async () => {
    await service.admin.query('update auth.users set is_anonymous = true where id = $1', [id]);
    expect(await enroll(await signIn(service, email), {})).toMatchObject({
      status: 403,
      body: { code: 'no_authorization' },
    });
  });
});
