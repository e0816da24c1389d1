import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, type Reply } from '../test-support/call-service.ts';
import { newPhone } from '../test-support/phones.ts';
import { createPerson, newEmail, signIn, waitForLocks } from '../test-support/sign-people-in.ts';
import { PASSWORD, startAuthService, type TestService } from '../test-support/start-auth-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startAuthService();
});
afterAll(() => service.stop());

const asOperator = (line: string, body?: object): Promise<Reply> =>
  call(service, line, { token: service.keyring.serviceRoleKey, ...(body ? { body } : {}) });

describe('the operators’ endpoints', () => {
  const id = randomUUID();
  it.each([
    'GET /admin/users',
    'POST /admin/users',
    `GET /admin/users/${id}`,
    `PUT /admin/users/${id}`,
    `DELETE /admin/users/${id}`,
    `GET /admin/users/${id}/factors`,
    'POST /admin/generate_link',
    'POST /invite',
    'GET /admin/custom-providers',
    'POST /admin/custom-providers',
    'GET /admin/custom-providers/custom:um',
  ])('%s is closed to strangers, visitors and ordinary people', async (line) => {
    const { email } = await createPerson(service);
    const { access_token: person } = await signIn(service, email);
    const body = line.startsWith('GET') ? {} : { body: { email: newEmail() } };
    expect(await call(service, line, body)).toMatchObject({
      status: 401,
      body: { code: 'no_authorization' },
    });
    for (const token of [service.keyring.anonKey, person])
      expect(await call(service, line, { ...body, token })).toMatchObject({
        status: 403,
        body: { code: 'not_admin', message: 'User not allowed' },
      });
    expect(await call(service, line, { ...body, token: 'x.y.z' })).toMatchObject({
      status: 403,
      body: { code: 'bad_jwt' },
    });
  });
});

describe('an operator', () => {
  it('adds no providers while the service runs', async () => {
    expect(await asOperator('GET /admin/custom-providers')).toMatchObject({
      status: 200,
      body: { providers: [] },
    });
    expect(await asOperator('POST /admin/custom-providers', { identifier: 'custom:um' })).toMatchObject({
      status: 400,
      body: { code: 'feature_disabled', message: 'Custom OAuth/OIDC providers are not enabled' },
    });
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect(await asOperator(`${method} /admin/custom-providers/custom:um`)).toMatchObject({
        status: 404,
        body: { code: 'custom_provider_not_found' },
      });
  });

  it('makes accounts, confirmed or not, with data, role and id', async () => {
    const given = randomUUID();
    const email = newEmail();
    const created = await asOperator('POST /admin/users', {
      id: given,
      email,
      password: PASSWORD,
      email_confirm: true,
      user_metadata: { name: 'Rui' },
      app_metadata: { team: 'a' },
    });
    expect(created).toMatchObject({
      status: 200,
      body: {
        id: given,
        email,
        email_confirmed_at: expect.any(String),
        user_metadata: { name: 'Rui' },
        app_metadata: { provider: 'email', providers: ['email'], team: 'a' },
        identities: [{ id: given, provider: 'email', identity_data: { email_verified: true } }],
      },
    });
    await signIn(service, email);
    const other = newEmail();
    const unconfirmed = await asOperator('POST /admin/users', { email: other });
    expect(unconfirmed.body).not.toHaveProperty('email_confirmed_at');
    expect(service.mails.filter(({ to }) => [email, other].includes(to))).toEqual([]);
  });

  it.each([
    ['a taken address', async () => ({ email: (await createPerson(service)).email }), 422, 'email_exists'],
    ['no address', async () => ({ password: PASSWORD }), 400, 'validation_failed'],
    ['a weak password', async () => ({ email: newEmail(), password: 'abc' }), 422, 'weak_password'],
    [
      'an unreadable hash',
      async () => ({ email: newEmail(), password_hash: 'md5:abc' }),
      400,
      'validation_failed',
    ],
    [
      'password and hash',
      async () => ({ email: newEmail(), password: PASSWORD, password_hash: '$2a$10$x' }),
      400,
      'validation_failed',
    ],
    [
      'the id of nobody',
      async () => ({ email: newEmail(), id: '00000000-0000-0000-0000-000000000000' }),
      400,
      'validation_failed',
    ],
    ['an id that is none', async () => ({ email: newEmail(), id: '7' }), 400, 'validation_failed'],
    ['a phone that is none', async () => ({ phone: '+55 11 abc' }), 400, 'validation_failed'],
    [
      'a strange ban',
      async () => ({ email: newEmail(), ban_duration: 'para sempre' }),
      400,
      'validation_failed',
    ],
    [
      'an endless ban',
      async () => ({ email: newEmail(), ban_duration: '99999999999h' }),
      400,
      'validation_failed',
    ],
  ])('is refused an account with %s', async (_name, body, status, code) => {
    expect(await asOperator('POST /admin/users', await body())).toMatchObject({ status, body: { code } });
  });

  it('reads an account; a name that is no uuid is not found', async () => {
    const { id, email } = await createPerson(service);
    expect((await asOperator(`GET /admin/users/${id}`)).body).toMatchObject({ id, email });
    expect(await asOperator(`GET /admin/users/${id}/factors`)).toMatchObject({ status: 200, body: [] });
    expect((await asOperator('GET /admin/users/7')).status).toBe(404);
    expect(await asOperator(`GET /admin/users/${randomUUID()}`)).toMatchObject({
      status: 404,
      body: { code: 'user_not_found' },
    });
  });

  it('changes an account at once; a new password signs its owner out everywhere', async () => {
    const { id, email } = await createPerson(service);
    const session = await signIn(service, email);
    const other = newEmail();
    const changed = await asOperator(`PUT /admin/users/${id}`, {
      email: other,
      password: 'nova senha',
      user_metadata: { name: 'Bia' },
      app_metadata: { team: 'b', provider: 'email' },
      ban_duration: '1h30m',
    });
    expect(changed).toMatchObject({
      status: 200,
      body: {
        email: other,
        user_metadata: { name: 'Bia' },
        app_metadata: { team: 'b' },
        banned_until: expect.any(String),
        identities: [{ email: other }],
      },
    });
    expect((await call(service, 'GET /user', { token: session.access_token })).status).toBe(403);
    await asOperator(`PUT /admin/users/${id}`, { ban_duration: 'none', app_metadata: { team: null } });
    const again = await signIn(service, other, 'nova senha');
    expect(again.user['app_metadata']).toEqual({ provider: 'email', providers: ['email'] });
    const { email: taken } = await createPerson(service);
    expect(await asOperator(`PUT /admin/users/${id}`, { email: taken })).toMatchObject({ status: 422 });
  });

  it('changes an account as it is once nobody else changes it', async () => {
    const { id, email } = await createPerson(service);
    const other = await service.admin.connect();
    await other.query('begin');
    await other.query('update auth.users set email = $2 where id = $1', [id, newEmail()]);
    const late = asOperator(`PUT /admin/users/${id}`, { email, user_metadata: { name: 'Rui' } });
    await waitForLocks(service, 1);
    await other.query('commit');
    other.release();
    expect(await late).toMatchObject({ status: 200, body: { email, user_metadata: { name: 'Rui' } } });
  });

  it('vouches for the address and the number that it gives an account, or does not', async () => {
    const { id } = await createPerson(service);
    for (const vouches of [true, true, false]) {
      const change = { email: newEmail(), email_confirm: vouches, phone: newPhone(), phone_confirm: vouches };
      const { body } = await asOperator(`PUT /admin/users/${id}`, change);
      const { identities } = body as { identities: { provider: string; identity_data: object }[] };
      const told = Object.fromEntries(identities.map((one) => [one.provider, one.identity_data]));
      expect(told).toMatchObject({
        email: { email: change.email, email_verified: vouches },
        phone: { phone: change.phone, phone_verified: vouches },
      });
    }
  });

  it('is told that an empty password is none, rather than have it passed over', async () => {
    const { id, email } = await createPerson(service);
    expect(await asOperator(`PUT /admin/users/${id}`, { password: '' })).toMatchObject({
      status: 422,
      body: { code: 'weak_password' },
    });
    await signIn(service, email);
    const without = await asOperator('POST /admin/users', { email: newEmail(), password: '' });
    expect(without.status).toBe(200);
  });

  it('deletes an account with all that is its own', async () => {
    const { id, email } = await createPerson(service);
    const session = await signIn(service, email);
    await service.admin.query('insert into public.folders (name, user_id) values ($1, $2)', ['Pasta', id]);
    expect(await asOperator(`DELETE /admin/users/${id}`, { should_soft_delete: false })).toMatchObject({
      status: 200,
      body: {},
    });
    expect((await asOperator(`GET /admin/users/${id}`)).status).toBe(404);
    expect((await call(service, 'GET /user', { token: session.access_token })).status).toBe(403);
    const { rows } = await service.admin.query(
      'select count(*)::int as n from public.folders where user_id = $1',
      [id],
    );
    expect(rows).toEqual([{ n: 0 }]);
    await createPerson(service, { email });
  });

  it('deletes an account whose flows somebody else ends, and waits for nobody who waits for it', async () => {
    const { id, email } = await createPerson(service);
    const challenge = { code_challenge: 'v'.repeat(43), code_challenge_method: 'plain' };
    await call(service, 'POST /recover', { body: { email, ...challenge } });
    const other = await service.admin.connect();
    await other.query('begin');
    await other.query('select from auth.users where id = $1 for update', [id]);
    const late = asOperator(`DELETE /admin/users/${id}`);
    await waitForLocks(service, 1);
    const ended = await other.query('delete from auth.flow_state where user_id = $1', [id]);
    expect(ended.rowCount).toBe(1);
    await other.query('commit');
    other.release();
    expect((await late).status).toBe(200);
  });

  it('deletes an account softly: nobody can be recognised or sign in, and the address is free', async () => {
    const { id, email } = await createPerson(service);
    const session = await signIn(service, email);
    await asOperator(`DELETE /admin/users/${id}`, { should_soft_delete: true });
    const kept = await asOperator(`GET /admin/users/${id}`);
    expect(kept.body).toMatchObject({ id, deleted_at: expect.any(String), user_metadata: {} });
    expect(JSON.stringify(kept.body)).not.toContain(email);
    expect((await call(service, 'GET /user', { token: session.access_token })).status).toBe(403);
    await createPerson(service, { email });
    await signIn(service, email);
  });

  it('deletes softly, too, what is linked to the account at that moment', async () => {
    const { id } = await createPerson(service);
    const other = await service.admin.connect();
    await other.query('begin');
    await other.query('select from auth.users where id = $1 for update', [id]);
    await other.query(
      `insert into auth.identities (id, provider_id, user_id, identity_data, provider, created_at, updated_at)
       values (gen_random_uuid(), 'conta-google', $1, '{"email": "ana@google.test", "name": "Ana"}', 'google', now(), now())`,
      [id],
    );
    const late = asOperator(`DELETE /admin/users/${id}`, { should_soft_delete: true });
    await waitForLocks(service, 1);
    await other.query('commit');
    other.release();
    expect((await late).status).toBe(200);
    const kept = JSON.stringify((await asOperator(`GET /admin/users/${id}`)).body);
    expect(kept).toContain('google');
    expect(kept).not.toMatch(/ana@google\.test|conta-google/);
  });
});

describe('the list of accounts', () => {
  let listed: TestService;
  beforeAll(async () => {
    listed = await startAuthService();
    for (let at = 0; at < 5; at += 1) await createPerson(listed, { email: `pessoa${at}@exemplo.test` });
  });
  afterAll(() => listed.stop());
  const list = (search: string) =>
    call(listed, `GET /admin/users${search}`, { token: listed.keyring.serviceRoleKey });
  const emails = ({ body }: Reply) =>
    (body as { users: { email: string }[] }).users.map(({ email }) => email);

  it('comes in pages, newest first, with total and neighbours in headers', async () => {
    const reply = await list('?page=2&per_page=2');
    expect(reply).toMatchObject({ status: 200, body: { aud: 'authenticated' } });
    expect(emails(reply)).toEqual(['pessoa2@exemplo.test', 'pessoa1@exemplo.test']);
    expect(reply.headers['x-total-count']).toBe('5');
    expect(reply.headers['link']).toBe(
      '</admin/users?page=3&per_page=2>; rel="next", </admin/users?page=3&per_page=2>; rel="last"',
    );
    expect(emails(await list('?page=&per_page='))).toHaveLength(5);
    expect(emails(await list('?page=9'))).toEqual([]);
  });

  it('can be searched and sorted', async () => {
    expect(emails(await list('?filter=SOA3'))).toEqual(['pessoa3@exemplo.test']);
    expect(emails(await list('?filter=%25'))).toEqual([]);
    expect(emails(await list('?sort=created_at%20asc&per_page=1'))).toEqual(['pessoa0@exemplo.test']);
  });

  it.each([
    '?page=0',
    '?page=-1',
    '?page=x',
    '?per_page=0',
    '?per_page=1e9',
    '?sort=email',
    '?page=99999999999999',
  ])('refuses %s', async (search) => {
    expect(await list(search)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });
});
