import { decodeJwt } from 'jose/jwt/decode';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../test-support/call-service.ts';
import {
  answer,
  ask,
  consent,
  exchange,
  letIn,
  look,
  registerProgram,
  renew,
  type TestClient,
} from '../test-support/let-programs-in.ts';
import { startAuthService, type TestService } from '../test-support/start-auth-service.ts';

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

describe('a program’s token', () => {
  const CLOSED: readonly [line: string, body?: object][] = [
    ['GET /user'],
    ['PUT /user', { password: 'outra senha boa' }],
    ['PUT /user', { email: 'outra@exemplo.test' }],
    ['PUT /user', { data: { name: 'Outra' } }],
    ['GET /reauthenticate'],
    ['POST /logout?scope=global', {}],
    ['POST /logout?scope=others', {}],
    ['POST /factors', { factor_type: 'totp' }],
    ['GET /user/identities/authorize?provider=google'],
    ['DELETE /user/identities/7f8a1f0e-6f67-4b1f-9a58-000000000000'],
    ['GET /user/oauth/grants'],
    ['DELETE /user/oauth/grants?client_id=7f8a1f0e-6f67-4b1f-9a58-000000000000'],
  ];
  it.each(CLOSED)('does not open the account: %s %j', async (line, body) => {
    const { access_token: token } = await letIn(
      service,
      client,
      'openid email profile links:read links:write share',
    );
    const reply = await call(service, line, { token, ...(body ? { body } : {}) });
    expect(reply).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect(await isLive(token)).toBe(true);
  });

  it('lets no further program in, and no identity be linked', async () => {
    const given = await letIn(service, client, 'openid links:read');
    const id = await ask(service, { client_id: client.client_id, scope: 'share' });
    for (const reply of [
      await look(service, id, given.access_token),
      await answer(service, id, given.access_token),
    ])
      expect(reply).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
  });

  it('is no operator’s', async () => {
    const { access_token: token } = await letIn(service, client, 'openid share');
    for (const line of ['GET /admin/users', 'GET /admin/oauth/clients', 'POST /admin/generate_link'])
      expect(await call(service, line, { token, body: {} })).toMatchObject({ body: { code: 'not_admin' } });
  });

  it('cannot be replaced by what tells who the person is', async () => {
    const { id_token: token = '' } = await letIn(service, client, 'openid email');
    expect((await call(service, 'GET /oauth/userinfo', { token })).status).toBe(401);
    expect((await call(service, 'GET /user', { token })).status).toBe(403);
    expect(decodeJwt(token)).not.toHaveProperty('role');
  });

  it('ends with the account, a ban, and a changed password', async () => {
    const banned = await letIn(service, client);
    const { keyring } = service;
    const ban = ({ id }: { readonly id: string }) =>
      call(service, `PUT /admin/users/${id}`, {
        token: keyring.serviceRoleKey,
        body: { ban_duration: '1h' },
      });
    await ban(banned.person);
    expect(await isLive(banned.access_token)).toBe(false);
    expect((await renew(service, client, banned.refresh_token)).body).toMatchObject({
      error: 'access_denied',
    });

    const agreed = await consent(service, client);
    await ban(agreed.person);
    expect((await exchange(service, client, agreed)).body).toMatchObject({ error: 'access_denied' });

    const changed = await letIn(service, client);
    await call(service, 'PUT /user', { token: changed.token, body: { password: 'uma senha nova' } });
    expect(await isLive(changed.access_token)).toBe(false);
    expect(await renew(service, client, changed.refresh_token)).toMatchObject(invalidGrant);

    const waiting = await consent(service, client);
    await call(service, 'PUT /user', { token: waiting.token, body: { password: 'uma senha nova' } });
    expect(await exchange(service, client, waiting)).toMatchObject(invalidGrant);
    const left = await consent(service, client);
    await call(service, 'POST /logout?scope=local', { token: left.token });
    expect((await exchange(service, client, left)).status).toBe(200);

    const deleted = await consent(service, client);
    await call(service, `DELETE /admin/users/${deleted.person.id}`, {
      token: keyring.serviceRoleKey,
      body: {},
    });
    expect(await exchange(service, client, deleted)).toMatchObject(invalidGrant);
  });

  it('does not count as the person’s own sign-in', async () => {
    const consented = await consent(service, client);
    const lastSignIn = async () => {
      const { rows } = await service.admin.query('select last_sign_in_at from auth.users where id = $1', [
        consented.person.id,
      ]);
      return rows[0];
    };
    const before = await lastSignIn();
    service.clock.advance(30);
    expect((await exchange(service, client, consented)).status).toBe(200);
    expect(await lastSignIn()).toEqual(before);
  });

  it('is one of twenty at most that a program has for a person', async () => {
    const first = await letIn(service, client);
    for (let at = 0; at < 20; at += 1) {
      service.clock.advance(1);
      await letIn(service, client, 'openid email', first);
    }
    expect(await isLive(first.access_token)).toBe(false);
    const { rows } = await service.admin.query<{ count: string }>(
      'select count(*) from auth.sessions where user_id = $1 and oauth_client_id = $2',
      [first.person.id, client.client_id],
    );
    expect(rows[0]?.count).toBe('20');
  });
});
