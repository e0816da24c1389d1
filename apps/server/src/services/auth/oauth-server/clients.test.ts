import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAuthAdmin, createDatabase } from '../../../kernel/database.ts';
import { call } from '../test-support/call-service.ts';
import {
  ask,
  authorize,
  CALLBACK,
  consent,
  exchange,
  letIn,
  look,
  registerProgram,
  renew,
} from '../test-support/let-programs-in.ts';
import { createPerson, signIn } from '../test-support/sign-people-in.ts';
import { SITE_URL, startAuthService, type TestService } from '../test-support/start-auth-service.ts';
import { purgePrograms } from './purge-programs.ts';

let service: TestService;
let url: string;
beforeAll(async () => {
  service = await startAuthService({ settings: { oauthDynamicRegistration: true } });
  url = await service.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => service.stop());

function connect(key: string) {
  return createClient(url, key, { auth: { persistSession: false, autoRefreshToken: false } });
}

describe('an operator’s programs, with the published client', () => {
  it('are registered, listed, changed, given another secret and ended', async () => {
    const { oauth } = connect(service.keyring.serviceRoleKey).auth.admin;
    const before = await oauth.listClients();
    const created = await oauth.createClient({ client_name: 'Relatórios', redirect_uris: [CALLBACK] });
    expect(created.error).toBeNull();
    const { client_id: id = '', client_secret: secret } = created.data ?? {};
    expect(created.data).toMatchObject({
      client_type: 'confidential',
      registration_type: 'manual',
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    });
    expect(secret).toMatch(/^[\w-]{43}$/);

    const found = await oauth.getClient(id);
    expect(found.data).toMatchObject({ client_name: 'Relatórios', redirect_uris: [CALLBACK] });
    expect(found.data?.client_secret).toBeUndefined();

    const changed = await oauth.updateClient(id, { client_name: 'Relatórios 2' });
    expect(changed.data).toMatchObject({ client_name: 'Relatórios 2', redirect_uris: [CALLBACK] });

    const renewed = await oauth.regenerateClientSecret(id);
    expect(renewed.data?.client_secret).toMatch(/^[\w-]{43}$/);
    expect(renewed.data?.client_secret).not.toBe(secret);

    const listed = await oauth.listClients({ page: 1, perPage: 1 });
    const total = (before.data && 'total' in before.data ? before.data.total : 0) + 1;
    expect(listed.data).toMatchObject({ clients: [{ client_id: id }], aud: 'authenticated', total });

    expect((await oauth.deleteClient(id)).error).toBeNull();
    expect((await oauth.getClient(id)).error).toMatchObject({ code: 'oauth_client_not_found', status: 404 });
  });

  it('are nobody else’s', async () => {
    const { access_token: token } = await signIn(service, (await createPerson(service)).email);
    const known = await registerProgram(service);
    for (const key of [token, service.keyring.anonKey]) {
      const { oauth } = connect(key).auth.admin;
      const replies = [
        await oauth.createClient({ client_name: 'X', redirect_uris: [CALLBACK] }),
        await oauth.listClients(),
        await oauth.getClient(known.client_id),
        await oauth.updateClient(known.client_id, { client_name: 'X' }),
        await oauth.regenerateClientSecret(known.client_id),
        await oauth.deleteClient(known.client_id),
      ];
      for (const { error } of replies) expect(error).toMatchObject({ code: 'not_admin', status: 403 });
    }
  });

  it('take with them whatever people allowed them', async () => {
    const client = await registerProgram(service);
    const given = await letIn(service, client, 'openid links:read');
    const path = `DELETE /admin/oauth/clients/${client.client_id}`;
    expect((await call(service, path, { token: service.keyring.serviceRoleKey })).status).toBe(204);
    expect((await call(service, 'GET /oauth/userinfo', { token: given.access_token })).status).toBe(401);
    expect((await renew(service, client, given.refresh_token)).status).toBe(401);
    expect((await call(service, 'GET /user/oauth/grants', { token: given.token })).body).toEqual([]);
  });

  it('stay what they are: public or with a secret', async () => {
    const client = await registerProgram(service);
    const token = service.keyring.serviceRoleKey;
    const path = `/admin/oauth/clients/${client.client_id}`;
    const body = { token_endpoint_auth_method: 'client_secret_basic' };
    expect((await call(service, `PUT ${path}`, { token, body })).status).toBe(400);
    expect((await call(service, `POST ${path}/regenerate_secret`, { token })).status).toBe(400);
    expect((await call(service, `PUT ${path}`, { token, body: {} })).status).toBe(400);
  });
});

describe('what a person lets programs do, with the published client', () => {
  it('is asked, answered, listed and ended', async () => {
    const person = await createPerson(service);
    const { access_token: token, refresh_token } = await signIn(service, person.email);
    const client = await registerProgram(service);
    const { auth } = connect(service.keyring.anonKey);
    await auth.setSession({ access_token: token, refresh_token });
    const id = await ask(service, { client_id: client.client_id, scope: 'links:read' });
    const details = await auth.oauth.getAuthorizationDetails(id);
    expect(details.data).toMatchObject({
      authorization_id: id,
      client: { name: 'Programa' },
      scope: 'links:read',
    });
    const approved = await auth.oauth.approveAuthorization(id);
    expect(approved.data?.redirect_url).toContain(`${CALLBACK}?code=`);
    const listed = await auth.oauth.listGrants();
    expect(listed.data).toMatchObject([{ client: { id: client.client_id }, scopes: ['links:read'] }]);
    expect((await auth.oauth.revokeGrant({ clientId: client.client_id })).error).toBeNull();
    expect((await auth.oauth.listGrants()).data).toEqual([]);
    const other = await ask(service, { client_id: client.client_id });
    await auth.oauth.getAuthorizationDetails(other);
    const denied = await auth.oauth.denyAuthorization(other);
    expect(denied.data?.redirect_url).toContain('error=access_denied');
  });
});

describe('a program that registers itself', () => {
  const register = (body: object, ip = '127.0.0.1') =>
    call(service, 'POST /oauth/clients/register', { body, ip });

  it('gets an id, and a secret unless it cannot keep one', async () => {
    for (const said of [{ token_endpoint_auth_method: 'none' }, { client_type: 'public' }]) {
      const publicOne = await register({ redirect_uris: [CALLBACK], ...said });
      expect(publicOne).toMatchObject({
        status: 201,
        body: { registration_type: 'dynamic', client_type: 'public', token_endpoint_auth_method: 'none' },
      });
      expect(publicOne.body).not.toHaveProperty('client_secret');
    }
    const secretive = await register({ redirect_uris: [CALLBACK], client_name: 'Outro' });
    expect(secretive.body).toMatchObject({ client_secret: expect.stringMatching(/^[\w-]{43}$/) });
    const metadata = await call(service, 'GET /.well-known/oauth-authorization-server');
    expect(metadata.body).toMatchObject({
      registration_endpoint: `${SITE_URL}/auth/v1/oauth/clients/register`,
    });
  });

  it.each([
    'http://programa.test/volta',
    'https://programa.test/volta#x',
    'https://u:p@programa.test/volta',
    'https://programa.test/a,https://mau.test/b',
    'https://programa.test/a/../b',
    'https://programa.test/%2e%2e/b',
    'https://programa.test\\@mau.test/',
    'https://*.programa.test/',
    'https://prógrama.test/',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:https://programa.test/x',
    'meuapp:/volta',
    '//programa.test/volta',
    'volta',
    '',
  ])('names no address that could lead astray: %s', async (address) => {
    const reply = await register({ redirect_uris: [address] }, '192.0.2.7');
    expect(reply).toMatchObject({ status: 400, body: { error: 'invalid_redirect_uri' } });
  });

  it.each([
    'https://programa.test/volta?x=1',
    'http://localhost:3000/volta',
    'http://127.0.0.1/volta',
    'http://[::1]:8080/',
    'test.programa.app:/volta',
  ])('may name: %s', async (address) => {
    expect((await register({ redirect_uris: [address] }, '192.0.2.8')).status).toBe(201);
  });

  it.each([
    { client_name: 'x'.repeat(1025) },
    { client_uri: 'javascript:alert(1)' },
    { client_uri: `https://programa.test/${'x'.repeat(2048)}` },
    { logo_uri: 'data:image/svg+xml,x' },
    { grant_types: ['password'] },
    { grant_types: ['implicit', 'authorization_code'] },
    { response_types: ['token'] },
    { token_endpoint_auth_method: 'private_key_jwt' },
    { client_type: 'public', token_endpoint_auth_method: 'client_secret_post' },
    { client_name: 7 },
  ])('says nothing that is not so: %j', async (metadata) => {
    const reply = await register({ redirect_uris: [CALLBACK], ...metadata }, '192.0.2.9');
    expect(reply).toMatchObject({ status: 400, body: { error: 'invalid_client_metadata' } });
  });

  it('is one of twenty an hour of its network', async () => {
    const from = (ip: string) => register({ redirect_uris: [CALLBACK] }, ip);
    for (let at = 0; at < 20; at += 1) expect((await from('198.51.100.4')).status).toBe(201);
    expect(await from('198.51.100.4')).toMatchObject({
      status: 429,
      body: { code: 'over_request_rate_limit' },
    });
    expect((await from('203.0.113.4')).status).toBe(201);
  });

  it('leads nobody anywhere before they were asked', async () => {
    const registered = await register({ redirect_uris: [CALLBACK] }, '203.0.113.20');
    const { client_id } = registered.body as { client_id: string };
    const reply = await authorize(service, { client_id, scope: 'tudo' });
    expect(reply).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
    expect(reply.headers['location']).toBeUndefined();
    expect((await authorize(service, { client_id })).headers['location']).toContain('/oauth/consent?');
  });

  it('is refused where only an operator registers programs', async () => {
    const closed = await startAuthService();
    try {
      const reply = await call(closed, 'POST /oauth/clients/register', {
        body: { redirect_uris: [CALLBACK] },
      });
      expect(reply).toMatchObject({
        status: 403,
        body: { code: 'oauth_dynamic_client_registration_disabled' },
      });
    } finally {
      await closed.stop();
    }
  });

  const purgeIn = async (days: number) => {
    const { host, port, user, database } = service.admin.options;
    const db = createDatabase({ host, port, user, database, max: 1 } as Parameters<typeof createDatabase>[0]);
    const then = new Date(service.clock.now().getTime() + days * 86_400_000);
    const purged = asAuthAdmin(db, 'purge', async (tx) => {
      await tx.query({ text: `set local lock_timeout = '1s'` });
      return purgePrograms(tx, then);
    });
    return purged.finally(() => db.pool.end());
  };

  it('is forgotten after a week in which nobody let it in', async () => {
    const dynamic = async () =>
      (await register({ redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' }, '203.0.113.9'))
        .body as { client_id: string };
    const [used, unused] = [await dynamic(), await dynamic()];
    const manual = await registerProgram(service);
    const { token } = await letIn(service, used, 'links:read');
    await purgeIn(6);
    const ids = async () =>
      (await service.admin.query<{ id: string }>('select id from auth.oauth_clients')).rows.map(
        ({ id }) => id,
      );
    expect(await ids()).toContain(unused.client_id);
    await purgeIn(8);
    expect(await ids()).not.toContain(unused.client_id);
    expect(await ids()).toEqual(expect.arrayContaining([used.client_id, manual.client_id]));
    expect((await call(service, 'GET /user/oauth/grants', { token })).body).toHaveLength(1);
  });

  it('keeps what it asked for while somebody answers it, however old', async () => {
    const program = await registerProgram(service);
    const id = await ask(service, { client_id: program.client_id });
    const other = await service.admin.connect();
    await other.query('begin');
    const asked = 'select from auth.oauth_authorizations where authorization_id = $1';
    await other.query(`${asked} for update`, [id]);
    await purgeIn(8).finally(async () => {
      await other.query('rollback');
      other.release();
    });
    expect((await service.admin.query(asked, [id])).rowCount).toBe(1);
    await purgeIn(8);
    expect((await service.admin.query(asked, [id])).rowCount).toBe(0);
  });
});

describe('the purge of programs', () => {
  it('keeps one that a person is asked about, and for a day a code that may come again', async () => {
    const asking = await registerProgram(service);
    const revoked = await registerProgram(service);
    const { token } = await letIn(service, revoked, 'links:read');
    await call(service, `DELETE /user/oauth/grants?client_id=${revoked.client_id}`, { token });
    await service.admin.query(
      `update auth.oauth_clients set registration_type = 'dynamic', updated_at = updated_at - interval '8 days'
        where id = any ($1)`,
      [[asking.client_id, revoked.client_id]],
    );
    const id = await ask(service, { client_id: asking.client_id, scope: 'links:read' });
    const program = await registerProgram(service);
    const consented = await consent(service, program);
    const { refresh_token } = (await exchange(service, program, consented)).body as { refresh_token: string };

    const { host, port, user, database } = service.admin.options;
    const db = createDatabase({ host, port, user, database, max: 1 } as Parameters<typeof createDatabase>[0]);
    const purgeIn = (hours: number) =>
      asAuthAdmin(db, 'purge', (tx) =>
        purgePrograms(tx, new Date(service.clock.now().getTime() + hours * 3_600_000)),
      );
    try {
      await purgeIn(0);
      expect((await look(service, id, token)).status).toBe(200);
      await purgeIn(23);
      // Whoever has seen the code ends what it has become, the same day.
      expect((await exchange(service, program, consented)).status).toBe(400);
      expect((await renew(service, program, refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
      await purgeIn(25);
    } finally {
      await db.pool.end();
    }
    // One that was thrown out is not let in.
    const { rows } = await service.admin.query('select from auth.oauth_clients where id = $1', [
      revoked.client_id,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('a name that means harm', () => {
  it('is told as it is: the page shows it as text', async () => {
    const name = '<img src=x onerror=alert(1)> Lіnkoteca';
    const client = await registerProgram(service, { client_name: name });
    const { access_token: token } = await signIn(service, (await createPerson(service)).email);
    const id = await ask(service, { client_id: client.client_id });
    const reply = await look(service, id, token);
    expect(reply.body).toMatchObject({ client: { name } });
    expect(reply.headers['content-type']).toMatch(/^application\/json/);
  });
});
