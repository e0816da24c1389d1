import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RestBench, startRestService } from './test-support/start-rest-service.ts';

let rest: RestBench;
beforeAll(async () => {
  rest = await startRestService();
});
afterAll(() => rest.stop());

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('the caller', () => {
  it('is the role of an opaque key, which the gateway exchanges, whether or not a body comes with it', async () => {
    const { publishable, secret } = rest.keyring.apiKeys;
    const keys = [
      [publishable[0] ?? '', 'anon'],
      [secret[0] ?? '', 'service_role'],
    ] as const;
    for (const [apikey, role] of keys)
      for (const headers of [{ apikey }, { apikey, authorization: `Bearer ${apikey}` }]) {
        const read = await rest.ask('GET', '/rpc/caller', { headers });
        const posted = await rest.ask('POST', '/rpc/caller', { headers, body: {} });
        expect([read.json, posted.json]).toMatchObject([{ role }, { role }]);
      }
  });

  it('is anonymous without a token, and whoever the token says otherwise', async () => {
    expect((await rest.ask('GET', '/rpc/caller')).json).toMatchObject({ role: 'anon', sub: null });
    const token = await rest.tokenFor({ sub: '5f1b' });
    const answer = await rest.ask('POST', '/rpc/caller', {
      headers: { ...bearer(token), 'user-agent': 'ação' },
    });
    expect(answer.json).toMatchObject({
      role: 'authenticated',
      sub: '5f1b',
      method: 'POST',
      path: '/rpc/caller',
    });
    const key = await rest.ask('GET', '/rpc/caller', { headers: { apikey: rest.keyring.serviceRoleKey } });
    expect(key.json).toMatchObject({ role: 'service_role' });
    expect((await rest.ask('GET', '/rpc/caller')).json).toMatchObject({ role: 'anon' });
  });

  it('alone keeps an answer: nothing in between may store one, refusals included', async () => {
    for (const path of ['/projects', '/secrets', '/nothing', '/projects?id=x', '/']) {
      const { headers } = await rest.ask('GET', path);
      expect([path, headers['cache-control']]).toEqual([path, 'no-store']);
    }
  });

  it('must sign in where a visitor has no right, and is refused where a person has none', async () => {
    const visitor = await rest.ask('GET', '/secrets');
    expect([visitor.status, visitor.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect(visitor.json).toEqual({
      code: '42501',
      message: 'permission denied for table secrets',
      details: null,
      hint: null,
    });
    const person = await rest.ask('GET', '/secrets', { headers: bearer(await rest.tokenFor({ sub: 'x' })) });
    expect([person.status, person.json]).toMatchObject([403, { code: '42501' }]);
    const service = await rest.ask('GET', '/secrets', { headers: bearer(rest.keyring.serviceRoleKey) });
    expect([service.status, service.json]).toEqual([200, [{ id: 1, word: 'x' }]]);
  });
});

describe('a bad token', () => {
  it.each([
    ['expired', { exp: 1 }, 'PGRST303', 'JWT expired'],
    ['of another role', { role: 'supabase_auth_admin' }, 'PGRST303', 'JWT role is not allowed'],
    ['of the superuser', { role: 'postgres' }, 'PGRST303', 'JWT role is not allowed'],
  ])('%s is refused', async (_, claims, code, message) => {
    const answer = await rest.ask('GET', '/clients', { headers: bearer(await rest.tokenFor(claims)) });
    expect([answer.status, answer.json]).toEqual([401, { code, message, details: null, hint: null }]);
    expect(answer.headers['www-authenticate']).toBe(
      `Bearer error="invalid_token", error_description="${message}"`,
    );
  });

  it.each([
    ['x', 'Expected 3 parts in JWT; got 1'],
    ['a.b', 'Expected 3 parts in JWT; got 2'],
    ['a.b.c', "JWT couldn't be decoded"],
  ])('%s is no token', async (token, message) => {
    const answer = await rest.ask('GET', '/clients', { headers: bearer(token) });
    expect([answer.status, answer.json]).toMatchObject([401, { code: 'PGRST301', message }]);
  });

  it.each([
    [{ exp: 'soon' }, "The JWT 'exp' claim must be a number"],
    [{ nbf: 'soon' }, "The JWT 'nbf' claim must be a number"],
    [{ iat: 'once' }, "The JWT 'iat' claim must be a number"],
    [{ aud: { all: true } }, "The JWT 'aud' claim must be a string or an array of strings"],
    [{ aud: ['app', 7] }, "The JWT 'aud' claim must be a string or an array of strings"],
  ])('with the claims %j is refused', async (claims, message) => {
    const answer = await rest.ask('GET', '/clients', { headers: bearer(await rest.tokenFor(claims)) });
    expect([answer.status, answer.json]).toMatchObject([401, { code: 'PGRST303', message }]);
  });

  it('that is empty is none, unless a key says who asks', async () => {
    const answer = await rest.ask('GET', '/clients', { headers: { authorization: 'Bearer ' } });
    const message = 'Empty JWT is sent in Authorization header';
    expect([answer.status, answer.json]).toMatchObject([401, { code: 'PGRST301', message }]);
    const apikey = rest.keyring.serviceRoleKey;
    const keyed = await rest.ask('GET', '/rpc/caller', { headers: { authorization: 'Bearer ', apikey } });
    expect(keyed.json).toMatchObject({ role: 'service_role' });
  });

  it('with a time and an audience that are null says nothing of them', async () => {
    const token = await rest.tokenFor({ sub: 'x', iat: null, aud: null });
    expect((await rest.ask('GET', '/clients', { headers: bearer(token) })).status).toBe(200);
  });

  it.each([[{ sub: 'x' }], [{ iat: 'once' }]])(
    'signed by someone else is refused, whatever it claims: %j',
    async (claims) => {
      const [head, body] = (await rest.tokenFor(claims)).split('.');
      const answer = await rest.ask('GET', '/clients', {
        headers: bearer(`${head}.${body}.${'A'.repeat(86)}`),
      });
      expect([answer.status, answer.json]).toMatchObject([
        401,
        { code: 'PGRST301', message: 'No suitable key or wrong key type' },
      ]);
    },
  );
});
