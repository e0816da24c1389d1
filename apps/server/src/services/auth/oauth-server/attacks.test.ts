import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../test-support/call-service.ts';
import {
  answer,
  ask,
  consent,
  createVerifier,
  exchange,
  letIn,
  look,
  registerProgram,
  renew,
  type TestClient,
} from '../test-support/let-programs-in.ts';
import { createPerson, signIn } from '../test-support/sign-people-in.ts';
import { SITE_URL, startAuthService, type TestService } from '../test-support/start-auth-service.ts';

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startAuthService({
    settings: { failedVerificationsPerAddress: { points: 0, seconds: 0 } },
  });
  client = await registerProgram(service);
});
afterAll(() => service.stop());

const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };

async function isLive(token: string): Promise<boolean> {
  return (await call(service, 'GET /oauth/userinfo', { token })).status === 200;
}

describe('somebody who has seen a code', () => {
  it('cannot use it again, and ends what it has become by trying', async () => {
    const consented = await consent(service, client);
    const first = (await exchange(service, client, consented)).body as {
      access_token: string;
      refresh_token: string;
    };
    expect(await isLive(first.access_token)).toBe(true);
    expect(await exchange(service, client, consented)).toMatchObject(invalidGrant);
    expect(await isLive(first.access_token)).toBe(false);
    expect(await renew(service, client, first.refresh_token)).toMatchObject(invalidGrant);
  });

  it('does not get two sets of tokens by coming twice at once', async () => {
    const consented = await consent(service, client);
    const replies = await Promise.all(Array.from({ length: 8 }, () => exchange(service, client, consented)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('cannot exchange it as another program, nor end it so', async () => {
    const stranger = await registerProgram(service);
    const consented = await consent(service, client);
    expect(await exchange(service, stranger, consented)).toMatchObject(invalidGrant);
    const given = (await exchange(service, client, consented)).body as { access_token: string };
    expect(await exchange(service, stranger, consented)).toMatchObject(invalidGrant);
    expect(await isLive(given.access_token)).toBe(true);
  });

  it.each([
    ['a verifier', { code_verifier: createVerifier().verifier }],
    ['any verifier', { code_verifier: '' }],
    ['the address it was sent to', { redirect_uri: 'https://programa.test/outra' }],
  ])('cannot use it without %s, nor spoil it', async (_what, wrong) => {
    const consented = await consent(service, client);
    expect(await exchange(service, client, consented, wrong)).toMatchObject(invalidGrant);
    expect((await exchange(service, client, consented)).status).toBe(200);
  });

  it('has five minutes at most', async () => {
    const consented = await consent(service, client);
    service.clock.advance(300);
    expect(await exchange(service, client, consented)).toMatchObject(invalidGrant);
  });

  it('does not find it in the database', async () => {
    const { code } = await consent(service, client);
    const { rows } = await service.admin.query<{ text: string }>(
      'select a::text as text from auth.oauth_authorizations a where user_id is not null',
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.some(({ text }) => text.includes(code))).toBe(false);
  });
});

describe('somebody who has an old refresh token of a program', () => {
  it('ends the session by using it, also when it is the one before the newest', async () => {
    const given = await letIn(service, client);
    const next = (await renew(service, client, given.refresh_token)).body as typeof given;
    service.clock.advance(60);
    expect(await renew(service, client, given.refresh_token)).toMatchObject(invalidGrant);
    expect(await isLive(next.access_token)).toBe(false);
    expect(await renew(service, client, next.refresh_token)).toMatchObject(invalidGrant);
  });

  it('cannot use one as another program, as a browser, or a browser’s as a program', async () => {
    const stranger = await registerProgram(service);
    const given = await letIn(service, client);
    expect(await renew(service, stranger, given.refresh_token)).toMatchObject(invalidGrant);
    const asBrowser = await call(service, 'POST /token?grant_type=refresh_token', {
      body: { refresh_token: given.refresh_token },
    });
    expect(asBrowser).toMatchObject({ status: 400, body: { code: 'refresh_token_not_found' } });
    const browser = await signIn(service, given.person.email);
    expect(await renew(service, client, browser.refresh_token)).toMatchObject(invalidGrant);
    expect((await renew(service, client, given.refresh_token)).status).toBe(200);
  });

  it.each([{ scope: 'email links:write' }, { scope: 'tudo' }, { resource: `${SITE_URL}/mcp` }])(
    'does not get more by asking for it: %j',
    async (wish) => {
      const given = await letIn(service, client, 'email links:read');
      const reply = await renew(service, client, given.refresh_token, wish);
      expect(reply).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(/^invalid_(scope|target)$/) },
      });
      expect((await renew(service, client, given.refresh_token)).body).toMatchObject({
        scope: 'email links:read',
      });
    },
  );
});

describe('somebody who knows what another person is being asked', () => {
  it('neither sees it nor answers, before or after', async () => {
    const owner = await signIn(service, (await createPerson(service)).email);
    const other = await signIn(service, (await createPerson(service)).email);
    const id = await ask(service, { client_id: client.client_id });
    // Nobody has looked yet: an answer that no page was opened for is none.
    expect((await answer(service, id, other.access_token)).status).toBe(404);
    expect((await look(service, id, owner.access_token)).status).toBe(200);
    for (const reply of [
      await look(service, id, other.access_token),
      await answer(service, id, other.access_token),
    ])
      expect(reply).toMatchObject({ status: 404, body: { code: 'oauth_authorization_not_found' } });
    expect((await answer(service, id, owner.access_token)).status).toBe(200);
  });

  it('cannot make another page answer: a cookie is no proof, nor is a visitor’s key', async () => {
    const { access_token: token } = await signIn(service, (await createPerson(service)).email);
    const id = await ask(service, { client_id: client.client_id });
    await look(service, id, token);
    const path = `POST /oauth/authorizations/${id}/consent`;
    const forged = await call(service, path, {
      raw: 'action=approve',
      headers: { 'content-type': 'text/plain', cookie: `sb-access-token=${token}` },
    });
    expect(forged.status).toBe(400);
    const bare = await call(service, path, {
      body: { action: 'approve' },
      headers: { cookie: `t=${token}` },
    });
    expect(bare).toMatchObject({ status: 401, body: { code: 'no_authorization' } });
    const visitor = await call(service, path, {
      body: { action: 'approve' },
      token: service.keyring.anonKey,
    });
    expect(visitor.status).toBe(403);
  });

  it('has ten minutes, as the person has', async () => {
    const { access_token: token } = await signIn(service, (await createPerson(service)).email);
    const id = await ask(service, { client_id: client.client_id });
    await look(service, id, token);
    service.clock.advance(600);
    expect((await answer(service, id, token)).status).toBe(404);
  });
});

describe('somebody who takes a program’s part', () => {
  it('needs its secret, in one way', async () => {
    const secretive = await registerProgram(service, { token_endpoint_auth_method: 'client_secret_post' });
    const consented = await consent(service, secretive);
    const { client_id: id, client_secret: secret = '' } = secretive;
    for (const pretender of [{ client_id: id }, { client_id: id, client_secret: 'errado' }]) {
      const reply = await exchange(service, pretender, consented);
      expect(reply).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
      expect(reply.headers['www-authenticate']).toMatch(/^Basic /);
    }
    const twice = await call(service, 'POST /oauth/token', {
      headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
      form: { grant_type: 'authorization_code', client_secret: secret, code: consented.code },
    });
    expect(twice).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect((await exchange(service, secretive, consented)).status).toBe(200);
  });

  it('cannot take that of a public one with a secret', async () => {
    const consented = await consent(service, client);
    const pretender = { ...client, client_secret: 'qualquer' };
    expect((await exchange(service, pretender, consented)).status).toBe(401);
  });

  it('cannot try secrets out', async () => {
    const guarded = await startAuthService({
      settings: { failedVerificationsPerAddress: { points: 5, seconds: 300 } },
    });
    try {
      const secretive = await registerProgram(guarded, { token_endpoint_auth_method: 'client_secret_post' });
      const guess = () =>
        call(guarded, 'POST /oauth/token', {
          form: {
            grant_type: 'refresh_token',
            client_id: secretive.client_id,
            client_secret: 'palpite',
            refresh_token: 'x',
          },
        });
      const replies = [];
      for (let at = 0; at < 6; at += 1) replies.push((await guess()).status);
      expect(replies).toEqual([401, 401, 401, 401, 401, 429]);
    } finally {
      await guarded.stop();
    }
  });
});
