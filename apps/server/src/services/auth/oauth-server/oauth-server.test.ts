import { decodeJwt } from 'jose/jwt/decode';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../test-support/call-service.ts';
import {
  answer,
  ask,
  authorize,
  CALLBACK,
  consent,
  exchange,
  letIn,
  look,
  redirectOf,
  registerProgram,
  renew,
  type TestClient,
} from '../test-support/let-programs-in.ts';
import { createPerson, signIn, waitForLocks } from '../test-support/sign-people-in.ts';
import { SITE_URL, startAuthService, type TestService } from '../test-support/start-auth-service.ts';

const ISSUER = `${SITE_URL}/auth/v1`;

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startAuthService({
    settings: { failedVerificationsPerAddress: { points: 0, seconds: 0 } },
  });
  client = await registerProgram(service);
});
afterAll(() => service.stop());

describe('a program that a person lets in', () => {
  it('is told of by the page of the consent, without a word of the code or the state', async () => {
    const person = await createPerson(service);
    const { access_token: token } = await signIn(service, person.email);
    const id = await ask(service, {
      client_id: client.client_id,
      scope: 'links:read openid',
      state: 'meu estado',
    });
    const looked = await look(service, id, token);
    expect(looked.body).toEqual({
      authorization_id: id,
      redirect_uri: CALLBACK,
      client: { id: client.client_id, name: 'Programa', uri: '', logo_uri: '' },
      user: { id: person.id, email: person.email },
      scope: 'openid links:read',
    });
    const url = redirectOf(await answer(service, id, token));
    expect(url.origin + url.pathname).toBe(CALLBACK);
    expect(url.searchParams.get('state')).toBe('meu estado');
    expect(url.searchParams.get('iss')).toBe(ISSUER);
    expect(url.searchParams.get('code')).toMatch(/^[\w-]{43}$/);
  });

  it('gets tokens of its own, which say whose, as which program and for what', async () => {
    const given = await letIn(service, client, 'openid email links:read');
    const claims = decodeJwt(given.access_token);
    expect(claims).toMatchObject({
      iss: ISSUER,
      sub: given.person.id,
      aud: 'authenticated',
      role: 'authenticated',
      client_id: client.client_id,
      scope: 'openid email links:read',
      amr: [{ method: 'oauth_provider/authorization_code' }],
    });
    expect(claims['session_id']).not.toBe(decodeJwt(given.token)['session_id']);
    expect(given.scope).toBe('openid email links:read');
    expect(given).not.toHaveProperty('user');
  });

  it('learns who the person is as far as it was allowed', async () => {
    const { access_token: token, id_token: idToken, person } = await letIn(service, client, 'openid email');
    const info = await call(service, 'GET /oauth/userinfo', { token });
    expect(info.body).toEqual({ sub: person.id, email: person.email, email_verified: true });
    expect(decodeJwt(idToken ?? '')).toMatchObject({ iss: ISSUER, aud: client.client_id, sub: person.id });
    const mute = await letIn(service, client, 'links:read');
    expect(mute.id_token).toBeUndefined();
    expect((await call(service, 'GET /oauth/userinfo', { token: mute.access_token })).status).toBe(403);
  });

  it('renews its tokens, each refresh token once', async () => {
    const given = await letIn(service, client, 'links:read');
    const renewed = await renew(service, client, given.refresh_token);
    expect(renewed.body).toMatchObject({ scope: 'links:read', token_type: 'bearer' });
    const { access_token: token, refresh_token: next } = renewed.body as typeof given;
    expect(next).not.toBe(given.refresh_token);
    expect(decodeJwt(token)).toMatchObject({ client_id: client.client_id, scope: 'links:read' });
    expect(await renew(service, client, '')).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  });

  it('gets tokens for one server alone, where it says which, also when it renews them', async () => {
    const resource = `${SITE_URL}/mcp`;
    const consented = await consent(service, client, { scope: 'links:read', resource });
    const given = await exchange(service, client, consented, { resource });
    const { access_token: token, refresh_token: next } = given.body as {
      access_token: string;
      refresh_token: string;
    };
    expect(decodeJwt(token).aud).toEqual(['authenticated', resource]);
    const renewed = (await renew(service, client, next)).body as { access_token: string };
    expect(decodeJwt(renewed.access_token).aud).toEqual(['authenticated', resource]);
  });

  it('is told of a no', async () => {
    const { access_token: token } = await signIn(service, (await createPerson(service)).email);
    const id = await ask(service, { client_id: client.client_id, state: 's' });
    await look(service, id, token);
    const url = redirectOf(await answer(service, id, token, 'deny'));
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 's',
      iss: ISSUER,
    });
    expect((await answer(service, id, token)).status).toBe(404);
  });

  it('is let in again without a question, for no more than before', async () => {
    const first = await letIn(service, client, 'email links:read');
    const { token } = first;
    const again = await ask(service, { client_id: client.client_id, scope: 'links:read' });
    expect(redirectOf(await look(service, again, token)).searchParams.get('code')).toMatch(/./);
    const more = await ask(service, { client_id: client.client_id, scope: 'links:read links:write' });
    expect((await look(service, more, token)).body).toMatchObject({ scope: 'links:read links:write' });
  });

  it('may listen on any port of the person’s own machine, and is asked about each time there', async () => {
    const local = await registerProgram(service, { redirect_uris: ['http://127.0.0.1/volta'] });
    const first = await consent(service, local, { redirect_uri: 'http://127.0.0.1:51004/volta' });
    const reply = await exchange(service, local, first, { redirect_uri: 'http://127.0.0.1:51004/volta' });
    expect(reply.status).toBe(200);
    const id = await ask(service, {
      client_id: local.client_id,
      redirect_uri: 'http://127.0.0.1:51005/volta',
    });
    expect((await look(service, id, first.token)).body).toHaveProperty('authorization_id', id);
  });

  it.each(['client_secret_basic', 'client_secret_post'])(
    'shows its secret, if it has one: %s',
    async (method) => {
      const secretive = await registerProgram(service, { token_endpoint_auth_method: method });
      expect(secretive.client_secret).toMatch(/^[\w-]{43}$/);
      const consented = await consent(service, secretive);
      const basic = Buffer.from(`${secretive.client_id}:${secretive.client_secret}`).toString('base64');
      const reply =
        method === 'client_secret_post'
          ? await exchange(service, secretive, consented)
          : await call(service, 'POST /oauth/token', {
              headers: { authorization: `Basic ${basic}` },
              form: {
                grant_type: 'authorization_code',
                code: consented.code,
                code_verifier: consented.verifier,
              },
            });
      expect(reply.status).toBe(200);
    },
  );
});

describe('what a person let a program do', () => {
  it('is listed, and ends with a word: the tokens, the codes and the yes', async () => {
    const given = await letIn(service, client, 'openid links:read');
    const { token } = given;
    const waiting = await consent(service, client, { scope: 'links:read' }, given);
    const listed = await call(service, 'GET /user/oauth/grants', { token });
    expect(listed.body).toEqual([
      {
        client: { id: client.client_id, name: 'Programa', uri: '', logo_uri: '' },
        scopes: ['openid', 'links:read'],
        granted_at: expect.any(String),
        last_used_at: expect.any(String),
      },
    ]);
    const ended = await call(service, `DELETE /user/oauth/grants?client_id=${client.client_id}`, { token });
    expect(ended.status).toBe(204);
    expect((await call(service, 'GET /oauth/userinfo', { token: given.access_token })).status).toBe(401);
    expect((await renew(service, client, given.refresh_token)).body).toMatchObject({
      error: 'invalid_grant',
    });
    expect((await exchange(service, client, waiting)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await call(service, 'GET /user/oauth/grants', { token })).body).toEqual([]);
    const twice = await call(service, `DELETE /user/oauth/grants?client_id=${client.client_id}`, { token });
    expect(twice).toMatchObject({ status: 404, body: { code: 'oauth_consent_not_found' } });
  });

  it.each(['its person', 'an operator', 'a sign-out everywhere'])(
    'ends by %s also for a program that is coming for its tokens in that moment',
    async (who) => {
      const program = await registerProgram(service);
      const consented = await consent(service, program, { scope: 'openid links:read' });
      const { token } = consented;
      const end = () => {
        if (who === 'its person')
          return call(service, `DELETE /user/oauth/grants?client_id=${program.client_id}`, { token });
        if (who === 'a sign-out everywhere') return call(service, 'POST /logout?scope=global', { token });
        const operator = { token: service.keyring.serviceRoleKey };
        return call(service, `DELETE /admin/oauth/clients/${program.client_id}`, operator);
      };
      const other = await service.admin.connect();
      await other.query('begin');
      // The exchange holds its account and its authorization by then.
      await other.query('lock table auth.sessions in share row exclusive mode');
      const coming = exchange(service, program, consented);
      await waitForLocks(service, 1);
      const ended = end();
      await waitForLocks(service, 2);
      await other.query('commit');
      other.release();
      const { body } = await coming;
      expect((await ended).status).toBe(204);
      const { access_token: late } = body as { access_token: string };
      expect((await call(service, 'GET /oauth/userinfo', { token: late })).status).toBe(401);
    },
  );

  it.each(['a yes', 'an exchange'])(
    'ends with a change of password that meets %s, and neither waits for the other',
    async (what) => {
      const program = await registerProgram(service);
      const person = await createPerson(service);
      const { access_token: token } = await signIn(service, person.email);
      const begin = async () => {
        if (what === 'an exchange') {
          const consented = await consent(service, program, { scope: 'openid' }, { person, token });
          return () => exchange(service, program, consented);
        }
        const id = await ask(service, { client_id: program.client_id });
        await look(service, id, token);
        return () => answer(service, id, token);
      };
      const come = await begin();
      // As a change of password does: the account, then its authorizations.
      const other = await service.admin.connect();
      await other.query('begin');
      await other.query('select from auth.users where id = $1 for update', [person.id]);
      const late = come();
      await waitForLocks(service, 1);
      await other.query('delete from auth.oauth_authorizations where user_id = $1', [person.id]);
      await other.query('commit');
      other.release();
      expect(await late).toMatchObject(
        what === 'an exchange'
          ? { status: 400, body: { error: 'invalid_grant' } }
          : { status: 404, body: { code: 'oauth_authorization_not_found' } },
      );
    },
  );

  it('is no more than the last yes, once an earlier one was taken back', async () => {
    const given = await letIn(service, client, 'links:read links:write share');
    const { token } = given;
    await call(service, `DELETE /user/oauth/grants?client_id=${client.client_id}`, { token });
    await letIn(service, client, 'links:read', given);
    const listed = await call(service, 'GET /user/oauth/grants', { token });
    expect(listed.body).toMatchObject([{ scopes: ['links:read'] }]);
    const id = await ask(service, { client_id: client.client_id, scope: 'links:write share' });
    const looked = await look(service, id, token);
    expect(looked.body).toMatchObject({ authorization_id: id, scope: 'links:write share' });
    expect(looked.body).not.toHaveProperty('redirect_url');
  });

  it('is nobody else’s to see or to end', async () => {
    const given = await letIn(service, client, 'openid links:read');
    const { access_token: token } = await signIn(service, (await createPerson(service)).email);
    expect((await call(service, 'GET /user/oauth/grants', { token })).body).toEqual([]);
    const path = `DELETE /user/oauth/grants?client_id=${client.client_id}`;
    expect((await call(service, path, { token })).status).toBe(404);
    expect((await call(service, 'GET /oauth/userinfo', { token: given.access_token })).status).toBe(200);
  });

  it.each(['access_token', 'refresh_token'] as const)('is given back by the program: %s', async (kind) => {
    const given = await letIn(service, client, 'openid links:read');
    const stranger = await registerProgram(service);
    const giveBack = (by: TestClient) =>
      call(service, 'POST /oauth/revoke', { form: { client_id: by.client_id, token: given[kind] } });
    expect((await giveBack(stranger)).status).toBe(200);
    expect((await call(service, 'GET /oauth/userinfo', { token: given.access_token })).status).toBe(200);
    expect((await giveBack(client)).status).toBe(200);
    expect((await call(service, 'GET /oauth/userinfo', { token: given.access_token })).status).toBe(401);
  });
});

describe('where the server is found', () => {
  it.each(['oauth-authorization-server', 'openid-configuration'])('%s', async (name) => {
    const { body } = await call(service, `GET /.well-known/${name}`);
    expect(body).toMatchObject({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/oauth/authorize`,
      token_endpoint: `${ISSUER}/oauth/token`,
      code_challenge_methods_supported: ['S256'],
      scopes_supported: ['openid', 'email', 'profile', 'links:read', 'links:write', 'share'],
    });
    expect(body).not.toHaveProperty('registration_endpoint');
  });

  it('is nowhere when it is switched off', async () => {
    const off = await startAuthService({ settings: { oauthServerEnabled: false } });
    try {
      for (const path of [
        '/.well-known/oauth-authorization-server',
        '/oauth/authorize',
        '/user/oauth/grants',
      ])
        expect((await call(off, `GET ${path}`)).status).toBe(404);
    } finally {
      await off.stop();
    }
  });
});

describe('what a program asks for in the wrong way', () => {
  it.each([
    ['without a challenge', { code_challenge: undefined }, 'invalid_request'],
    ['with a challenge that shows the verifier', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['without saying how the challenge was made', { code_challenge_method: undefined }, 'invalid_request'],
    ['for a token at once', { response_type: 'token' }, 'unsupported_response_type'],
    ['for what nobody knows', { scope: 'links:read admin' }, 'invalid_scope'],
    ['for somebody else’s server', { resource: 'https://outro.test/mcp' }, 'invalid_target'],
    ['for an address with a fragment', { resource: `${SITE_URL}/mcp#x` }, 'invalid_target'],
  ])('is told to the program: %s', async (_what, query, error) => {
    const reply = await authorize(service, { client_id: client.client_id, state: 's', ...query });
    const url = new URL(String(reply.headers['location']));
    expect(url.origin + url.pathname).toBe(CALLBACK);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ error, state: 's', iss: ISSUER });
  });

  it.each([
    ['https://programa.test/volta/'],
    ['https://programa.test/volta?x=1'],
    ['https://programa.test/VOLTA'],
    ['https://programa.test/volta/../outra'],
    ['https://programa.test:443/volta'],
    ['https://programa.test@mau.test/volta'],
    ['https://programa.test.mau.test/volta'],
    ['http://programa.test/volta'],
    ['https://programa.test/volta#x'],
    ['javascript:alert(1)'],
    [''],
  ])('leads to no address but the registered one: %s', async (address) => {
    const reply = await authorize(service, { client_id: client.client_id, redirect_uri: address });
    expect(reply.status).toBe(400);
    expect(reply.headers['location']).toBeUndefined();
  });

  it('leads nowhere for a program that nobody knows', async () => {
    for (const id of ['', 'x', '7f8a1f0e-6f67-4b1f-9a58-000000000000'])
      expect((await authorize(service, { client_id: id })).status).toBe(400);
  });
});
