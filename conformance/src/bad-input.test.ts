import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf, type Shelf } from './support/create-shelf.ts';
import { required } from './support/required.ts';
import { type RunningDeployment, startDeployment } from './support/start-deployment.ts';

// A server of its own: wrong links by the dozen make it refuse everybody from this address for a while.
let running: RunningDeployment;
let deployment: RunningDeployment['deployment'];
let person: Person;
let shelf: Shelf;
let token: string;
beforeAll(async () => {
  running = await startDeployment();
  deployment = running.deployment;
  person = await createPerson(deployment);
  shelf = await createShelf(person);
  token = required((await person.client.auth.getSession()).data.session).access_token;
});
afterAll(() => running.remove());

type Raw = {
  readonly path: string;
  readonly method?: string;
  readonly body?: string;
  readonly bearer?: string;
};

async function send({ path, method = 'GET', body, bearer = token }: Raw) {
  const headers = new Headers({ apikey: deployment.anonKey, authorization: `Bearer ${bearer}` });
  if (body !== undefined) headers.set('content-type', 'application/json');
  const request: RequestInit = body === undefined ? { method, headers } : { method, headers, body };
  const response = await fetch(`${deployment.url}${path}`, request);
  return { status: response.status, text: await response.text() };
}

/** Every refusal is JSON in the service's own shape and gives nothing of the inside away. */
function expectClearError({ status, text }: { status: number; text: string }, expected: readonly number[]) {
  expect(expected, text).toContain(status);
  const body = JSON.parse(text) as Record<string, unknown>;
  expect(body['message'] ?? body['msg'] ?? body['error_description'] ?? body['error']).toEqual(
    expect.any(String),
  );
  expect(text).not.toMatch(/node_modules|\.ts:\d|at \w+ \(|select set_config|\/tmp\//);
}

/** Changes the last character but one of a signature: still well-formed, no longer right. */
function spoilSignature(jwt: string): string {
  const at = jwt.length - 5;
  return `${jwt.slice(0, at)}${jwt[at] === 'A' ? 'B' : 'A'}${jwt.slice(at + 1)}`;
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a malformed body', () => {
  test.each([
    '/rest/v1/folders',
    '/rest/v1/rpc/search_links',
    '/auth/v1/signup',
    '/auth/v1/token?grant_type=password',
  ])('is refused by %s', async (path) => {
    for (const body of ['{"name": ', '{]', 'nada', '"\u0000"', '[1,', '']) {
      expectClearError(await send({ path, method: 'POST', body }), [400, 401, 404, 422]);
    }
  });

  test.each(['/rest/v1/folders', '/auth/v1/signup'])('of the wrong type is refused by %s', async (path) => {
    for (const body of ['null', '17', '"texto"', '[[]]', '[null]', '{"email":{"a":1},"password":[]}']) {
      expectClearError(await send({ path, method: 'POST', body }), [400, 404, 422]);
    }
  });

  test.each(['/rest/v1/folders', '/auth/v1/signup', '/auth/v1/token?grant_type=password'])(
    'of ten megabytes is refused by %s',
    async (path) => {
      const body = JSON.stringify({ name: 'x'.repeat(10 * 1024 * 1024) });
      expectClearError(await send({ path, method: 'POST', body }), [413]);
    },
  );
});

describe('a token', () => {
  test('that is wrong or expired is refused by the tables with 401', async () => {
    const path = '/rest/v1/links?select=id';
    const [header = '', payload = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const forgeries = [
      'isto.não.é',
      'abc',
      spoilSignature(token),
      `${header}.${encode({ ...claims, role: 'service_role' })}.${token.split('.')[2]}`,
      `${encode({ alg: 'none', typ: 'JWT' })}.${encode({ ...claims, role: 'service_role' })}.`,
      spoilSignature(deployment.serviceRoleKey),
    ];
    for (const bearer of forgeries) {
      expectClearError(await send({ path, bearer: encodeURIComponent(bearer) }), [401]);
      if (/^[\x21-\x7e]*$/.test(bearer)) expectClearError(await send({ path, bearer }), [401]);
    }
  });

  test('that is wrong is refused by the account with the code the client knows', async () => {
    const answer = await send({ path: '/auth/v1/user', bearer: spoilSignature(token) });
    expectClearError(answer, [403]);
    expect(answer.text).toContain('bad_jwt');
    const { error } = await person.client.auth.getUser(spoilSignature(token));
    expect(error).toMatchObject({ status: 403 });
  });
});

describe('an unknown name', () => {
  test.each([
    ['column to read', { path: '/rest/v1/links?select=segredo' }, [400]],
    ['column to filter', { path: '/rest/v1/links?segredo=eq.1' }, [400]],
    ['column to order by', { path: '/rest/v1/links?order=segredo.asc' }, [400]],
    ['column to write', { path: '/rest/v1/folders', method: 'POST', body: '{"segredo":1}' }, [400]],
    ['table', { path: '/rest/v1/segredos' }, [404]],
    ['function', { path: '/rest/v1/rpc/segredo', method: 'POST', body: '{}' }, [404]],
    ['argument', { path: '/rest/v1/rpc/search_links', method: 'POST', body: '{"termo":"a"}' }, [404]],
    ['relation to embed', { path: '/rest/v1/links?select=id,segredos(id)' }, [400]],
    ['operator', { path: '/rest/v1/links?title=parece.a' }, [400]],
    ['grant', { path: '/auth/v1/token?grant_type=segredo', method: 'POST', body: '{}' }, [400]],
    ['path', { path: '/rest/v1/links/1/2' }, [404]],
    ['auth path', { path: '/auth/v1/segredo' }, [404]],
  ] satisfies [string, Raw, number[]][])('of a %s is a clear error', async (_what, request, statuses) => {
    expectClearError(await send(request), statuses);
  });
});

const HOSTILE = [
  "%'; drop table links; --",
  "1' or '1'='1",
  '\\',
  '"',
  '""',
  '(',
  '))',
  'eq.',
  'in.(',
  'in.("',
  'not.not.eq.1',
  'is.talvez',
  'ilike.*%5C*',
  'ilike.%25%27',
  '%00',
  'eq.%00',
  'a%00b',
  '%F0%9F%A6%89',
  'eq.%FF%FE',
  '..%2F..%2Fetc%2Fpasswd',
  '%24%7B7*7%7D',
  'eq.9999999999999999999999999',
];

describe('a hostile word in the address', () => {
  test.each(HOSTILE)('%j never breaks the server', async (word) => {
    const value = /%[0-9A-F]{2}/i.test(word) ? word : encodeURIComponent(word);
    const paths = [
      `/rest/v1/links?id=${value}`,
      `/rest/v1/links?title=${value}`,
      `/rest/v1/links?title=eq.${value}`,
      `/rest/v1/links?select=${value}`,
      `/rest/v1/links?order=${value}`,
      `/rest/v1/links?limit=${value}`,
      `/rest/v1/links?offset=${value}`,
      `/rest/v1/links?or=(${value})`,
      `/rest/v1/links?or=(title.ilike.${value})`,
      `/rest/v1/links?${value}=eq.1`,
      `/rest/v1/rpc/search_links?term=${value}`,
      `/rest/v1/${value}`,
      `/auth/v1/verify?token=${value}&type=signup`,
      `/auth/v1/verify?token=abc&type=${value}`,
      `/auth/v1/${value}`,
      `/shared/${value}`,
      `/${value}`,
    ];
    for (const path of paths) {
      const response = await fetch(`${deployment.url}${path}`, {
        redirect: 'manual',
        headers: { apikey: deployment.anonKey, authorization: `Bearer ${token}` },
      });
      await response.text();
      expect(response.status, path).toBeLessThan(500);
    }
    const alive = await person.client.from('links').select('id').limit(1);
    expect(alive.error).toBeNull();
  });
});

describe('an unusual text', () => {
  const rows = () => ({ url: 'https://example.com', category_id: shelf.categoryId, user_id: person.id });

  test.each([
    ['emoji', '👩🏽‍💻 família 👨‍👩‍👧‍👦 🏳️‍🌈'],
    ['right-to-left text', 'مرحبا بالعالم — שלום עולם'],
    ['combining accents', 'a\u0303c\u0327a\u0303o'],
    ['quotes and signs', `"'; drop table links; -- \\ % _ <script>alert(1)</script>`],
    ['line ends', 'uma linha\nduas\r\ntrês\ttab'],
    ['rare scripts', '𝓛𝓲𝓷𝓴 𐍈 漢字 ไทย'],
    ['JSON inside', '{"a":[1,"b\\n"]}'],
  ])('(%s) comes back as it went', async (_what, text) => {
    const inserted = await person.client
      .from('links')
      .insert({ ...rows(), title: 'texto raro', description: text })
      .select('id, description')
      .single();
    expect(required(inserted.data, inserted.error).description).toBe(text);
    const read = await person.client.from('links').select('description').eq('description', text).single();
    expect(read.data).toEqual({ description: text });
    await person.client.from('links').delete().eq('id', inserted.data?.id);
  });

  test('with a NUL byte is refused, in a row, a search and an account', async () => {
    const row = await person.client.from('links').insert({ ...rows(), title: 'a\u0000b' });
    expect(row.error).not.toBeNull();
    expect(row.status).toBe(400);
    const found = await person.client.rpc('search_links', { term: 'a\u0000b' });
    expect(found.status).toBe(400);
    const account = await send({
      path: '/auth/v1/signup',
      method: 'POST',
      body: JSON.stringify({ email: 'a\u0000b@example.com', password: 'segredo-de-nul' }),
    });
    expectClearError(account, [400, 422]);
    const name = await send({
      path: '/auth/v1/signup',
      method: 'POST',
      body: JSON.stringify({
        email: `nul-${randomUUID()}@example.com`,
        password: 'segredo-de-nul',
        data: { name: 'a\u0000b' },
      }),
    });
    expectClearError(name, [400, 422]);
  });

  test('with half an emoji is refused or stored, never a broken answer', async () => {
    const { status } = await person.client.from('links').insert({ ...rows(), title: 'meia \ud83d coruja' });
    expect([201, 400]).toContain(status);
  });

  test.each([
    ['an address of 501 characters', { url: `https://example.com/${'a'.repeat(481)}` }],
    ['an address that is a script', { url: 'javascript:alert(1)' }],
    ['an address that is data', { url: 'data:text/html,oi' }],
    ['a title of 101 characters', { title: 'a'.repeat(101) }],
    ['an empty title', { title: '' }],
    ['a description of 1201 characters', { description: 'a'.repeat(1201) }],
    ['no category', { category_id: null }],
    ['a category that is no uuid', { category_id: 'abc' }],
    ['a category that does not exist', { category_id: randomUUID() }],
  ])('(%s) is refused by the database itself', async (_what, fault) => {
    const { error, status } = await person.client.from('links').insert({ ...rows(), title: 'boa', ...fault });
    expect(error).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    expect([400, 403, 409]).toContain(status);
  });

  test('an address of exactly 500 characters is kept whole', async () => {
    const url = `https://example.com/${'a'.repeat(480)}`;
    const kept = await person.client
      .from('links')
      .insert({ ...rows(), title: 'longa', url })
      .select('id, url')
      .single();
    expect(required(kept.data, kept.error).url).toBe(url);
    await person.client.from('links').delete().eq('id', kept.data?.id);
  });

  test('an address list that is very long is refused in words', async () => {
    const answer = await send({ path: `/rest/v1/links?id=in.(${'a'.repeat(20_000)})` });
    expect([400, 413, 414, 431]).toContain(answer.status);
  });
});
