import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type App,
  addApp,
  answerApp,
  challengeApp,
  codeOf,
  enrollApp,
  wrongCodeOf,
} from '../test-support/authenticator-app.ts';
import { call } from '../test-support/call-service.ts';
import { ask, letIn, registerProgram, renew } from '../test-support/let-programs-in.ts';
import {
  createPerson,
  END_FAMILIES,
  endSessionsDuring,
  signIn,
  type Tokens,
} from '../test-support/sign-people-in.ts';
import { startAuthService, type TestService } from '../test-support/start-auth-service.ts';

const NOT_FOUND = { status: 404, body: { code: 'mfa_factor_not_found' } };
const WRONG = {
  status: 422,
  body: { code: 'mfa_verification_failed', message: 'Invalid TOTP code entered' },
};

let service: TestService;
let email: string;
let id: string;
let app: App;
/** Who knows the password, and nothing else. */
let thief: Tokens;
beforeAll(async () => {
  service = await startAuthService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  service.clock.hold();
  service.clock.advance(90);
  ({ email, id } = await createPerson(service));
  ({ app } = await addApp(service, await signIn(service, email)));
  service.clock.advance(30);
  thief = await signIn(service, email);
});

const verify = (tokens: Tokens, { factorId }: App, challengeId: string, code: string) =>
  call(service, `POST /factors/${factorId}/verify`, {
    token: tokens.access_token,
    body: { challenge_id: challengeId, code },
  });

describe('a stranger', () => {
  it('does not find somebody else’s factor, nor answers for it with one of their own', async () => {
    const stranger = await signIn(service, (await createPerson(service)).email);
    const own = await enrollApp(service, stranger);
    const token = stranger.access_token;
    for (const line of [
      `POST /factors/${app.factorId}/challenge`,
      `POST /factors/${app.factorId}/verify`,
      `DELETE /factors/${app.factorId}`,
    ])
      expect(await call(service, line, { token, body: { code: codeOf(service, app) } })).toMatchObject(
        NOT_FOUND,
      );
    const theirs = await challengeApp(service, thief, app);
    expect(await verify(stranger, own, theirs, codeOf(service, own))).toMatchObject({
      status: 422,
      body: { code: 'mfa_factor_not_found' },
    });
  });

  it('and a visitor do not begin, challenge, verify or remove one', async () => {
    for (const line of [
      'POST /factors',
      `POST /factors/${app.factorId}/challenge`,
      `POST /factors/${app.factorId}/verify`,
      `DELETE /factors/${app.factorId}`,
    ]) {
      expect(await call(service, line, { body: {} })).toMatchObject({ status: 401 });
      const token = service.keyring.anonKey;
      expect(await call(service, line, { token, body: {} })).toMatchObject({
        status: 403,
        body: { code: 'bad_jwt' },
      });
    }
  });

  it.each(['GET', 'DELETE', 'PUT'])('is no operator: %s', async (method) => {
    const path = `/admin/users/${id}/factors${method === 'GET' ? '' : `/${app.factorId}`}`;
    for (const token of [thief.access_token, service.keyring.anonKey])
      expect(await call(service, `${method} ${path}`, { token, body: {} })).toMatchObject({
        status: 403,
        body: { code: 'not_admin' },
      });
  });

  it('with a token that names no session raises none', async () => {
    const token = await service.keyring.signAccessToken({
      sub: id,
      role: 'authenticated',
      exp: Math.floor(service.clock.now().getTime() / 1000) + 60,
    });
    expect(await call(service, `POST /factors/${app.factorId}/challenge`, { token })).toMatchObject({
      status: 403,
      body: { code: 'session_not_found' },
    });
  });
});

describe('a code', () => {
  it('is good once, in another session and for another challenge as little', async () => {
    const code = codeOf(service, app);
    const challenge = await challengeApp(service, thief, app);
    const raised = await verify(thief, app, challenge, code);
    expect(raised.status).toBe(200);
    expect(await verify(raised.body as Tokens, app, challenge, code)).toMatchObject({
      status: 422,
      body: { code: 'mfa_ip_address_mismatch' },
    });
    const other = await signIn(service, email);
    expect(await answerApp(service, other, app, code)).toMatchObject(WRONG);
    // Nor is one from before it, which somebody has seen and nobody has used.
    expect(await answerApp(service, other, app, codeOf(service, app, -1))).toMatchObject(WRONG);
    service.clock.advance(30);
    expect((await answerApp(service, other, app, codeOf(service, app))).status).toBe(200);
  });

  it('that comes twice at the same moment raises one session', async () => {
    const other = await signIn(service, email);
    const challenges = await Promise.all([thief, other].map((tokens) => challengeApp(service, tokens, app)));
    const code = codeOf(service, app);
    const replies = await Promise.all(
      [thief, other].map((tokens, at) => verify(tokens, app, challenges[at] ?? '', code)),
    );
    expect(replies.map(({ status }) => status).sort()).not.toEqual([200, 200]);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('of one app is none of another of the same account', async () => {
    const raised = (await answerApp(service, thief, app, codeOf(service, app))).body as Tokens;
    const second = await enrollApp(service, raised, 'B');
    expect(await answerApp(service, raised, second, codeOf(service, app, 1))).toMatchObject(WRONG);
    const challenge = await challengeApp(service, raised, app);
    expect(await verify(raised, second, challenge, codeOf(service, second))).toMatchObject({
      status: 422,
      body: { code: 'mfa_factor_not_found' },
    });
  });
});

describe('guessing', () => {
  it('ends after five wrong codes in five minutes and twenty a day, for every factor and from everywhere, also at once', async () => {
    const wrong = wrongCodeOf(service, app);
    const challenge = await challengeApp(service, thief, app);
    const replies = await Promise.all(Array.from({ length: 20 }, () => verify(thief, app, challenge, wrong)));
    expect(replies.filter(({ status }) => status === 422)).toHaveLength(5);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(15);
    // The right one comes too late.
    const right = await verify(thief, app, challenge, codeOf(service, app));
    expect(right).toMatchObject({ status: 429, body: { code: 'over_request_rate_limit' } });
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(200);
    for (let window = 2; window <= 4; window++) {
      service.clock.advance(301);
      const next = await challengeApp(service, thief, app);
      for (let n = 0; n < 5; n++) expect((await verify(thief, app, next, wrong)).status).toBe(422);
    }
    service.clock.advance(301);
    expect((await answerApp(service, thief, app, codeOf(service, app))).status).toBe(429);
    service.clock.advance(86_400);
    const later = await signIn(service, email);
    expect((await answerApp(service, later, app, codeOf(service, app))).status).toBe(200);
  });

  it('is not counted against who was right, nor against anybody else', async () => {
    let tokens = thief;
    for (let n = 0; n < 25; n++) {
      service.clock.advance(30);
      tokens = (await answerApp(service, tokens, app, codeOf(service, app))).body as Tokens;
    }
    expect(decodeJwt(tokens.access_token)).toMatchObject({ aal: 'aal2' });
  });
});

describe('a session of the first level', () => {
  it('is not raised for whoever has copied its refresh token before the code was typed', async () => {
    const raised = (await answerApp(service, thief, app, codeOf(service, app))).body as Tokens;
    const copied = await call(service, 'POST /token?grant_type=refresh_token', {
      body: { refresh_token: thief.refresh_token },
    });
    expect(copied).toMatchObject({ status: 400, body: { code: 'refresh_token_not_found' } });
    const honest = await call(service, 'POST /token?grant_type=refresh_token', {
      body: { refresh_token: raised.refresh_token },
    });
    expect(honest.status).toBe(200);
  });

  it('does not come to the second level by a token that says so', async () => {
    const token = await service.keyring.signAccessToken({
      ...decodeJwt(thief.access_token),
      aal: 'aal2',
    });
    expect(await call(service, `DELETE /factors/${app.factorId}`, { token })).toMatchObject({
      body: { code: 'insufficient_aal' },
    });
  });

  it('is not raised where a stolen token ends it while the code is looked at', async () => {
    const challenge = await challengeApp(service, thief, app);
    const answer = () => verify(thief, app, challenge, codeOf(service, app));
    expect(await endSessionsDuring(service, id, answer, END_FAMILIES)).toMatchObject({
      status: 403,
      body: { code: 'session_not_found' },
    });
  });

  it('is not raised once it has ended', async () => {
    const challenge = await challengeApp(service, thief, app);
    await call(service, 'POST /logout', { token: thief.access_token });
    expect(await verify(thief, app, challenge, codeOf(service, app))).toMatchObject({
      status: 403,
      body: { code: 'session_not_found' },
    });
  });
});

describe('an operator', () => {
  const asOperator = (line: string, body?: object) =>
    call(service, line, { token: service.keyring.serviceRoleKey, body });

  it('lists, renames and removes the factors of an account, and sees no secret', async () => {
    const path = `/admin/users/${id}/factors`;
    const listed = await asOperator(`GET ${path}`);
    expect(listed.body).toMatchObject([{ id: app.factorId, factor_type: 'totp', status: 'verified' }]);
    expect(JSON.stringify(listed.body)).not.toContain('aes-256-gcm');
    const renamed = await asOperator(`PUT ${path}/${app.factorId}`, { friendly_name: 'Velho' });
    expect(renamed).toMatchObject({ status: 200, body: { id: app.factorId, friendly_name: 'Velho' } });
    const raised = (await answerApp(service, thief, app, codeOf(service, app))).body as Tokens;
    expect(await asOperator(`DELETE ${path}/${app.factorId}`)).toMatchObject({
      status: 200,
      body: { id: app.factorId, friendly_name: 'Velho' },
    });
    expect((await asOperator(`GET ${path}`)).body).toEqual([]);
    const renewed = await call(service, 'POST /token?grant_type=refresh_token', {
      body: { refresh_token: raised.refresh_token },
    });
    expect(decodeJwt((renewed.body as Tokens).access_token)).toMatchObject({ aal: 'aal1' });
  });

  it.each(['DELETE', 'PUT'])('does not %s a factor by the path of another account', async (method) => {
    const other = await createPerson(service);
    for (const [factor, code] of [
      [app.factorId, 'mfa_factor_not_found'],
      [randomUUID(), 'mfa_factor_not_found'],
      ['x', 'validation_failed'],
    ])
      expect(await asOperator(`${method} /admin/users/${other.id}/factors/${factor}`, {})).toMatchObject({
        status: 404,
        body: { code },
      });
  });

  it('who deletes an account softly takes its factors along', async () => {
    await asOperator(`DELETE /admin/users/${id}`, { should_soft_delete: true });
    const { rows } = await service.admin.query('select from auth.mfa_factors where user_id = $1', [id]);
    expect(rows).toEqual([]);
  });
});

describe('what outlives a session', () => {
  it('is not had by the password alone: no program is let in, no token made, none ended', async () => {
    const client = await registerProgram(service);
    const refused = { status: 401, body: { code: 'insufficient_aal' } };
    const asked = await ask(service, { client_id: client.client_id });
    for (const [line, body] of [
      [`GET /oauth/authorizations/${asked}`, undefined],
      [`POST /oauth/authorizations/${asked}/consent`, { action: 'approve' }],
      ['GET /user/oauth/grants', undefined],
      [`DELETE /user/oauth/grants?client_id=${client.client_id}`, undefined],
      ['POST /user/tokens', { name: 'Meu', scope: 'links:read', days: 30 }],
      ['GET /user/tokens', undefined],
      [`DELETE /user/tokens/${randomUUID()}`, undefined],
    ] as const)
      expect([line, await call(service, line, { token: thief.access_token, body })]).toMatchObject([
        line,
        refused,
      ]);
  });

  it('stays when its owner proves the factor again', async () => {
    const client = await registerProgram(service);
    const raised = (await answerApp(service, thief, app, codeOf(service, app))).body as Tokens;
    const as = { person: { id, email }, token: raised.access_token };
    const program = await letIn(service, client, 'links:read', as);
    service.clock.advance(30);
    await answerApp(service, await signIn(service, email), app, codeOf(service, app));
    expect((await renew(service, client, program.refresh_token)).status).toBe(200);
  });
});

describe('the secret of an app', () => {
  it('of another factor does not open, and one in the clear is sealed as soon as it is used', async () => {
    const raised = (await answerApp(service, thief, app, codeOf(service, app))).body as Tokens;
    const other = await enrollApp(service, raised, 'B');
    await service.admin.query(
      'update auth.mfa_factors f set secret = o.secret from auth.mfa_factors o where f.id = $1 and o.id = $2',
      [other.factorId, app.factorId],
    );
    expect((await answerApp(service, raised, other, codeOf(service, app, 1))).status).toBe(500);
    await service.admin.query('update auth.mfa_factors set secret = $2 where id = $1', [
      other.factorId,
      other.secret,
    ]);
    expect((await answerApp(service, raised, other, codeOf(service, other))).status).toBe(200);
    const { rows } = await service.admin.query('select secret from auth.mfa_factors where id = $1', [
      other.factorId,
    ]);
    expect(rows[0]?.secret).toMatch(/^aes-256-gcm:v1:/);
    service.failures.length = 0;
  });
});
