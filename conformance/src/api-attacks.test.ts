import { randomUUID } from 'node:crypto';
import { request as openRequest } from 'node:http';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type Api, type ApiReply, openApi } from './support/call-api.ts';
import { createPersonalToken } from './support/connect-assistant.ts';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf, type Shelf } from './support/create-shelf.ts';
import { required } from './support/required.ts';
import { signToken } from './support/sign-token.ts';

const deployment = inject('deployment');

let person: Person;
let shelf: Shelf;
let api: Api;
let linkId: string;
let tagId: string;
beforeAll(async () => {
  person = await createPerson(deployment, { plan: 'pro' });
  shelf = await createShelf(person);
  const { token } = await createPersonalToken(deployment, person, 'links:write');
  api = await openApi(deployment, token);
  const saved = await api.call<{ id: string }>('POST', '/links', {
    body: { url: 'https://exemplo.test/', title: 'Segredo', category_id: shelf.categoryId, tags: ['meu'] },
  });
  linkId = saved.body.id;
  const tags = await api.call<{ data: { id: string }[] }>('GET', '/tags');
  tagId = required(tags.body.data[0]).id;
});

/** Each thing that a person has here, by the path that reads, changes or deletes it. */
const paths = () => [
  `/links/${linkId}`,
  `/categories/${shelf.categoryId}`,
  `/folders/${shelf.folderId}`,
  `/tags/${tagId}`,
];

const unchanged = async () => {
  expect((await api.call('GET', `/links/${linkId}`)).body).toMatchObject({ title: 'Segredo', tags: ['meu'] });
  expect((await api.call('GET', `/categories/${shelf.categoryId}`)).body['name']).toBe('Artigos');
  expect((await api.call('GET', `/folders/${shelf.folderId}`)).body['name']).toBe('Trabalho');
};

describe('whoever has no token of a person', () => {
  test.each([
    ['no token', {}, 'missing_token'],
    ['an unknown token', { authorization: `Bearer lk_pat_${'a'.repeat(43)}` }, 'invalid_token'],
    ['the public key', { authorization: `Bearer ${deployment.anonKey}` }, 'invalid_token'],
    ['the key of the service', { authorization: `Bearer ${deployment.serviceRoleKey}` }, 'invalid_token'],
    ['the key of the service as a key', { apikey: deployment.serviceRoleKey }, 'missing_token'],
    ['another scheme', { authorization: 'Basic YTpi' }, 'invalid_token'],
  ])('is refused, whatever is asked: %s', async (_what, headers, code) => {
    for (const [method, path] of [
      ['GET', '/me'],
      ['GET', '/links'],
      ['POST', '/links'],
      ['DELETE', `/links/${linkId}`],
    ] as const) {
      const reply = await fetch(`${deployment.url}/api/v1${path}`, {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        ...(method === 'POST' ? { body: '{ not json' } : {}),
      });
      expect(reply.status, path).toBe(401);
      expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer /);
      expect(reply.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(reply.headers.get('cache-control')).toBe('no-store');
      expect(await reply.json()).toMatchObject({ status: 401, code });
    }
  });

  test('nor is a token taken from the address', async () => {
    for (const query of [`access_token=${api.token}`, `token=${api.token}`, `apikey=${api.token}`])
      expect((await fetch(`${deployment.url}/api/v1/me?${query}`)).status).toBe(401);
  });

  test('a token that was taken back opens nothing any more, at once', async () => {
    const made = await createPersonalToken(deployment, person, 'links:read');
    const other = await openApi(deployment, made.token);
    expect((await other.call('GET', '/me')).status).toBe(200);
    const { data } = await person.client.auth.getSession();
    await fetch(`${deployment.url}/auth/v1/user/tokens/${made.id}`, {
      method: 'DELETE',
      headers: {
        apikey: deployment.anonKey,
        authorization: `Bearer ${required(data.session).access_token}`,
      },
    });
    const reply = await other.call('GET', '/links');
    expect([reply.status, reply.body['code']]).toEqual([401, 'invalid_token']);
  });

  test('a token that has expired opens nothing, nor one of another server', async () => {
    const claims = { sub: person.id, role: 'authenticated', aud: 'authenticated' };
    const exp = Math.floor(Date.now() / 1000);
    const open = async (more: object) =>
      openApi(deployment, await signToken(deployment.dataFolder, { ...claims, exp: exp + 300, ...more }));
    expect((await (await open({})).call('GET', '/me')).status).toBe(200);
    expect((await (await open({ exp: exp - 300 })).call('GET', '/me')).status).toBe(401);
    for (const [resource, status] of [
      [deployment.url, 200],
      [`${deployment.url}/api/v1`, 200],
      [`${deployment.url}/mcp`, 401],
      ['https://outro.test/api/v1', 401],
    ] as const)
      expect((await (await open({ aud: ['authenticated', resource] })).call('GET', '/me')).status).toBe(
        status,
      );
  });
});

describe('a token that was given less', () => {
  test('reads and changes nothing', async () => {
    const { token } = await createPersonalToken(deployment, person, 'links:read');
    const reader = await openApi(deployment, token);
    expect((await reader.call('GET', `/links/${linkId}`)).status).toBe(200);
    for (const path of paths()) {
      for (const [method, body] of [['PATCH', { name: 'x', title: 'x' }], ['DELETE']] as const) {
        const reply = await reader.call(
          method,
          path,
          body === undefined ? {} : { body: onlyKnown(path, body) },
        );
        expect([reply.status, reply.body['code']], `${method} ${path}`).toEqual([403, 'insufficient_scope']);
        expect(reply.headers.get('www-authenticate')).toContain('scope="links:write"');
      }
    }
    for (const headers of [{}, { 'idempotency-key': randomUUID() }]) {
      const reply = await reader.call('POST', '/links', { body: { url: 'https://a.test/' }, headers });
      expect(reply.status).toBe(403);
    }
    await unchanged();
  });

  test('of a program that was let in for something else opens nothing', async () => {
    const exp = Math.floor(Date.now() / 1000) + 300;
    const claims = {
      sub: person.id,
      role: 'authenticated',
      aud: 'authenticated',
      exp,
      client_id: randomUUID(),
    };
    for (const [scope, reads, writes] of [
      ['openid email', 403, 403],
      ['share', 403, 403],
      ['links:read', 200, 403],
      ['links:write', 200, 201],
    ] as const) {
      const program = await openApi(deployment, await signToken(deployment.dataFolder, { ...claims, scope }));
      expect((await program.call('GET', '/links')).status, scope).toBe(reads);
      const created = await program.call('POST', '/folders', { body: { name: randomUUID() } });
      expect(created.status, scope).toBe(writes);
    }
  });
});

/** What the contents of a path have of these fields. */
function onlyKnown(path: string, { name, title }: { readonly name: string; readonly title: string }) {
  return path.startsWith('/links') ? { title } : { name };
}

describe('a stranger', () => {
  test('finds nothing by its id, as if there were nothing, and changes nothing', async () => {
    const stranger = await createPerson(deployment, { plan: 'plus' });
    const own = await createShelf(stranger);
    const { token } = await createPersonalToken(deployment, stranger, 'links:write');
    const other = await openApi(deployment, token);
    for (const path of paths()) {
      const absent = path.replace(/[^/]+$/, randomUUID());
      const body = onlyKnown(path, { name: 'Meu', title: 'Meu' });
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const request = method === 'PATCH' ? { body } : {};
        if (method === 'GET' && path.startsWith('/tags')) continue;
        const [found, missing] = [
          await other.call(method, path, request),
          await other.call(method, absent, request),
        ];
        expect(found.status, `${method} ${path}`).toBe(404);
        expect(found.body, `${method} ${path}`).toEqual(missing.body);
      }
    }
    expect((await other.call('GET', `/links?category_id=${shelf.categoryId}`)).status).toBe(404);
    expect(
      (await other.call<{ data: object[] }>('GET', `/categories?folder_id=${shelf.folderId}`)).body.data,
    ).toEqual([]);
    for (const [path, body] of [
      ['/links', { url: 'https://mau.test/', category_id: shelf.categoryId }],
      ['/categories', { name: 'Minha', folder_id: shelf.folderId }],
    ] as const) {
      const reply = await other.call('POST', path, { body });
      expect([reply.status, reply.body['code']], path).toEqual([422, 'invalid_content']);
    }
    const moved = await other.call('PATCH', `/categories/${own.categoryId}`, {
      body: { folder_id: shelf.folderId },
    });
    expect(moved.status).toBe(422);
    for (const path of ['/links', '/tags', '/search?q=segredo'])
      expect((await other.call<{ data: object[] }>('GET', path)).body.data, path).toEqual([]);
    await unchanged();
  });
});

describe('a hostile request', () => {
  const encode = (place: unknown) => Buffer.from(JSON.stringify(place)).toString('base64url');

  test.each([
    ['limit=1000000000'],
    ['limit=0'],
    ['limit=-1'],
    ['limit=1e3'],
    ['limit=1&limit=2'],
    ['limt=5'],
    ['cursor=x'],
    [`cursor=${'a'.repeat(1_001)}`],
    [`cursor=${encode(["'; drop table links; --", 'x'])}`],
    [`cursor=${encode(['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])}`],
    [`cursor=${encode({ length: 2 })}`],
    ['category_id=1'],
    ['url=%00'],
  ])('is refused by its query: %s', async (query) => {
    const reply = await api.call('GET', `/links?${query}`);
    expect([reply.status, reply.body['code']]).toEqual([400, 'invalid_request']);
  });

  test.each([
    encode(['a\u0000', randomUUID()]),
    encode(['\ud800', randomUUID()]),
    encode(['x'.repeat(1_001), randomUUID()]),
    encode([1, 2]),
    encode(['a', "' or 1=1"]),
  ])('makes no list out of a cursor of its own: %s', async (cursor) => {
    for (const path of ['/folders', '/categories', '/tags'])
      expect((await api.call('GET', `${path}?cursor=${cursor}`)).status, path).toBe(400);
  });

  test('goes no further with a cursor of another person than in its own library', async () => {
    const { body } = await api.call<{ next_cursor: string | null }>('GET', '/links?limit=1');
    const stranger = await createPerson(deployment);
    const { token } = await createPersonalToken(deployment, stranger, 'links:read');
    const other = await openApi(deployment, token);
    const cursor = body.next_cursor ?? encode(['2030-01-01T00:00:00.000000Z', linkId]);
    expect((await other.call<{ data: object[] }>('GET', `/links?cursor=${cursor}`)).body.data).toEqual([]);
    expect(
      (await api.call<{ data: object[] }>('GET', `/search?q=segredo&cursor=${encode([1e9])}`)).status,
    ).toBe(400);
  });

  test.each([
    ['', 422],
    ['{ not json', 400],
    ['null', 422],
    ['[]', 422],
    ['"x"', 422],
    ['{"url":"https://a.test/","__proto__":{"user_id":"x"}}', 400],
    ['{"url":"https://a.test/","user_id":"00000000-0000-4000-8000-000000000000"}', 422],
    ['{"url":"javascript:alert(1)"}', 422],
    ['{"url":1}', 422],
    ['{"url":"https://a.test/","tags":["a",1]}', 422],
    [
      `{"url":"https://a.test/","tags":${JSON.stringify(Array.from({ length: 21 }, (_, at) => `t${at}`))}}`,
      422,
    ],
    ['{"url":"https://a.test/","category_id":"1"}', 422],
    [`{"url":"https://a.test/","title":"${'x'.repeat(101)}"}`, 422],
    ['['.repeat(60_000), 400],
    [`{"url":"https://a.test/","title":"${'x'.repeat(70_000)}"}`, 413],
    [JSON.stringify({ url: 'https://a.test/', title: 'x'.repeat(5_000_000) }), 413],
  ])('is refused by its content: %.60s', async (body, status) => {
    expect((await api.call('POST', '/links', { body })).status).toBe(status);
  });

  test('is refused by the type of its content, and read where it says nothing but JSON', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/xml',
      'multipart/form-data',
    ])
      expect(
        (
          await api.call('POST', '/links', {
            body: '{"url":"https://a.test/"}',
            headers: { 'content-type': type },
          })
        ).status,
        type,
      ).toBe(415);
    const charset = { 'content-type': 'application/json; charset=utf-8' };
    const body = { name: randomUUID() };
    expect((await api.call('POST', '/folders', { body, headers: charset })).status).toBe(201);
  });

  test('keeps no text that Postgres cannot keep', async () => {
    const { body } = await api.call('POST', '/links', {
      body: { url: 'https://a.test/', title: 'a\u0000b\ud800', tags: ['t\u0000u'] },
    });
    expect(body).toMatchObject({ title: 'ab\ufffd', tags: ['t u'] });
    expect((await api.call('POST', '/links', { body: { url: 'https://a.test/\u0000x' } })).status).toBe(422);
  });

  test.each([
    ['', 400],
    ['a'.repeat(256), 400],
    ['ação', 400],
    ['"quoted"', 201],
    ["'; drop table links; --", 201],
  ])('is refused by a key that is none: %.40s', async (key, status) => {
    const headers = { 'idempotency-key': Buffer.from(key).toString('latin1') };
    const reply = await api.call('POST', '/folders', { body: { name: randomUUID() }, headers });
    expect(reply.status).toBe(status);
  });

  test('does not get past the server with a header of a megabyte, or with NUL in one', async () => {
    const send = (headers: Readonly<Record<string, string>>) =>
      new Promise<number | string>((resolve) => {
        const outgoing = openRequest(`${deployment.url}/api/v1/me`, { headers }, (reply) => {
          reply.resume();
          resolve(reply.statusCode ?? 0);
        });
        outgoing.on('error', ({ name }) => resolve(name));
        outgoing.end();
      }).catch((error: Error) => error.name);
    expect(await send({ authorization: `Bearer ${'x'.repeat(1_000_000)}` })).not.toBe(200);
    expect((await api.call('GET', '/me', { headers: { authorization: 'Bearer a b c' } })).status).toBe(401);
  });

  test('is told what a path takes, and that others do not exist', async () => {
    for (const [method, path, allow] of [
      ['PUT', '/links', 'GET, POST, HEAD'],
      ['DELETE', '/links', 'GET, POST, HEAD'],
      ['POST', `/links/${linkId}`, 'GET, PATCH, DELETE, HEAD'],
      ['POST', '/me', 'GET, HEAD'],
      ['GET', `/tags/${tagId}`, 'PATCH, DELETE'],
    ] as const) {
      const reply = await api.call(method, path);
      expect([reply.status, reply.headers.get('allow')], `${method} ${path}`).toEqual([405, allow]);
    }
    for (const path of ['/nothing', '/links/x', `/links/${'x'.repeat(1_500)}`, '/links/..%2f..%2fme', ''])
      expect((await api.call('GET', path)).status, path).toBe(404);
  });

  test('of a page of another origin is answered, without cookies', async () => {
    const headers = { origin: 'https://outra.test', cookie: 'a=b' };
    const reply = await api.call('GET', '/me', { headers });
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    expect(reply.headers.get('access-control-allow-credentials')).toBeNull();
    expect(reply.headers.get('set-cookie')).toBeNull();
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
    const preflight = await fetch(`${deployment.url}/api/v1/links`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://outra.test',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,idempotency-key',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/Idempotency-Key/);
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
  });
});

test('a person’s limits hold, in the words of the plan', async () => {
  const visitor = await createPerson(deployment);
  const { token } = await createPersonalToken(deployment, visitor, 'links:write');
  const own = await openApi(deployment, token);
  const { categoryId } = await createShelf(visitor);
  const rows = Array.from({ length: 20 }, (_, at) => ({
    url: `https://exemplo.test/${at}`,
    title: 'x',
    category_id: categoryId,
    user_id: visitor.id,
  }));
  await visitor.client.from('links').insert(rows).throwOnError();
  const headers = { 'idempotency-key': randomUUID() };
  for (const request of [{}, { headers }, { headers }]) {
    const refused = await own.call('POST', '/links', { body: { url: 'https://a.test/' }, ...request });
    expect([refused.status, refused.body['code']]).toEqual([403, 'limit_reached']);
    expect(refused.body['detail']).toMatch(/20 links/);
  }
});

test('a flood of calls waits, and another program of the same person goes on', async () => {
  const { token } = await createPersonalToken(deployment, person, 'links:read');
  const flood = await openApi(deployment, token);
  let refused: ApiReply<Record<string, unknown>> | undefined;
  for (let round = 0; round < 40 && refused === undefined; round += 1) {
    const replies = await Promise.all(Array.from({ length: 20 }, () => flood.call('GET', '/links?limit=0')));
    refused = replies.find(({ status }) => status === 429);
  }
  expect(required(refused).body['code']).toBe('too_many_requests');
  expect(Number(required(refused).headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await api.call('GET', '/me')).status).toBe(200);
});
