import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKeyring } from '../../kernel/keyring.ts';
import { CLOSED_ACCOUNT, startFunctions, type TestFunctions } from './test-support/start-functions.ts';

let functions: TestFunctions;
beforeAll(async () => {
  functions = await startFunctions({ limits: { bodyBytes: 100_000 } });
});
afterAll(() => functions.stop());

const authorize = (sub: string, expiresIn?: number) => functions.authorize(sub, expiresIn);
async function call(name: string, headers: Record<string, string>, payload: object = { a: 1 }) {
  return await functions.app.inject({ method: 'POST', url: `/functions/v1/${name}`, headers, payload });
}

describe('a function', () => {
  test('gets the request as it came, below its own name, and answers as it likes', async () => {
    const headers = {
      ...(await authorize('maria')),
      'x-custom': 'a, b',
      'x-region': 'sa-east-1',
      'x-request-id': 'forged',
      'x-forwarded-for': '6.6.6.6',
      'x-linkoteca-worker-fault': 'memory',
    };
    const response = await call('echo/more/path?forceFunctionRegion=sa-east-1', headers, { a: 'á' });
    expect(response.statusCode).toBe(201);
    expect(response.headers).toMatchObject({ 'x-of-function': 'yes', 'content-type': 'application/json' });
    const seen = response.json();
    expect(seen).toMatchObject({ method: 'POST', body: '{"a":"á"}', remote: '127.0.0.1' });
    expect(seen.url).toBe('http://localhost:8000/echo/more/path?forceFunctionRegion=sa-east-1');
    expect(seen.headers).toMatchObject({
      authorization: headers.authorization,
      'content-type': 'application/json',
      'x-custom': 'a, b',
      'x-region': 'sa-east-1',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'localhost:80',
      'x-forwarded-proto': 'http',
    });
    expect(seen.headers['x-request-id']).not.toBe('forged');
    expect(seen.headers).not.toHaveProperty('x-linkoteca-worker-fault');
  });

  test.each(['GET', 'PUT', 'PATCH', 'DELETE'] as const)('may be called with %s', async (method) => {
    const headers = await authorize('maria');
    const response = await functions.app.inject({ method, url: '/functions/v1/echo', headers });
    expect([response.statusCode, response.json().method, response.json().body]).toEqual([201, method, '']);
  });

  test('is not told the length of a body that it does not get', async () => {
    const headers = await authorize('maria');
    const url = '/functions/v1/echo';
    const response = await functions.app.inject({ method: 'GET', url, headers, payload: '12345' });
    expect(response.json()).toMatchObject({ method: 'GET', body: '' });
    expect(response.json().headers).not.toHaveProperty('content-length');
  });

  test.each(['POST', 'PUT', 'PATCH'] as const)('is told that %s brings no body', async (method) => {
    const headers = { ...(await authorize('maria')), 'content-length': '0' };
    const response = await functions.app.inject({ method, url: '/functions/v1/echo', headers });
    expect(response.json().headers).toMatchObject({ 'content-length': '0' });
    expect(response.json().headers).not.toHaveProperty('transfer-encoding');
  });

  test('gets the body of a DELETE as well, of any length it was not told', async () => {
    const response = await fetch(`${functions.url}/echo`, {
      method: 'DELETE',
      headers: await authorize('maria'),
      body: new Blob(['dois ', 'pedaços']).stream(),
      duplex: 'half',
    } as RequestInit);
    expect((await response.json()).body).toBe('dois pedaços');
  });

  test('answers HEAD without a body', async () => {
    const headers = await authorize('maria');
    const response = await functions.app.inject({ method: 'HEAD', url: '/functions/v1/echo', headers });
    expect([response.statusCode, response.body, response.headers['x-of-function']]).toEqual([201, '', 'yes']);
  });

  test('may be an object with fetch, at a place that config.toml names', async () => {
    const response = await call('elsewhere/x', {});
    expect([response.statusCode, response.body]).toEqual([200, 'do objeto: /elsewhere/x']);
  });

  test.each([
    ['json', 200, 'application/json', '{"ok":"sim"}'],
    ['text', 200, 'text/plain;charset=UTF-8', 'olá'],
    ['nothing', 204, undefined, ''],
    ['teapot', 418, 'application/json', '{"error":"Não há café"}'],
    ['failed', 500, 'application/json', '{"error":"Caiu"}'],
  ])('answers %s with %i', async (kind, status, type, body) => {
    const response = await call(`replies/${kind}`, {});
    expect([response.statusCode, response.headers['content-type'], response.body]).toEqual([
      status,
      type,
      body,
    ]);
    expect(response.headers).not.toHaveProperty('x-relay-error');
  });

  test('may send its caller elsewhere', async () => {
    const { statusCode, headers } = await call('replies/moved', {});
    expect([statusCode, headers.location]).toEqual([303, 'https://example.com/outra']);
  });

  test('sees what is documented, and nothing else of the server’s environment', async () => {
    const response = await call('environment', {});
    const own = {
      SUPABASE_URL: 'http://127.0.0.1:1',
      SUPABASE_ANON_KEY: functions.keyring.anonKey,
      SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: functions.keyring.apiKeys.publishable[0] }),
      SUPABASE_SERVICE_ROLE_KEY: functions.keyring.serviceRoleKey,
      SUPABASE_DB_URL: 'postgresql://nobody@127.0.0.1:1/none',
      FROM_FILE: 'as written',
      STRIPE_SECRET_KEY: 'sk_test_um_segredo',
    };
    expect(response.json()).toEqual({ deno: own, node: own, one: 'as written', missing: null });
  });

  test('sees none of the secrets that it does not name', async () => {
    const response = await call('secretless', {});
    expect(response.json()).toEqual({
      SUPABASE_URL: 'http://127.0.0.1:1',
      SUPABASE_ANON_KEY: functions.keyring.anonKey,
      SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: functions.keyring.apiKeys.publishable[0] }),
    });
  });
});

describe('who may read an answer from another origin', () => {
  const origin = { origin: 'https://app.example.com' };
  const preflight = (name: string) =>
    functions.app.inject({
      method: 'OPTIONS',
      url: `/functions/v1/${name}`,
      headers: { ...origin, 'access-control-request-headers': 'x-region' },
    });

  test('is the function’s own business, preflights included, which need no token', async () => {
    const asked = await preflight('own-cors');
    expect([asked.statusCode, asked.headers['access-control-allow-headers']]).toEqual([
      204,
      'x-de-quem-sabe',
    ]);
    const { headers } = await call('own-cors', origin);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['set-cookie']).toEqual(['a=b', 'c=d']);
    expect((await call('own-cors?silent', origin)).headers).not.toHaveProperty('access-control-allow-origin');
    expect((await preflight('echo')).statusCode).toBe(201);
  });

  test('never lets an answer run scripts on the app’s own origin', async () => {
    const { headers } = await call('own-cors', origin);
    expect(headers['content-security-policy']).toBeUndefined();
  });

  test('lets a page see that a function does not exist', async () => {
    const asked = await preflight('missing');
    expect([asked.statusCode, asked.headers['access-control-allow-headers']]).toEqual([204, 'x-region']);
  });
});

describe('an unknown function', () => {
  test.each(['missing', '', '/', 'constructor', '__proto__', 'toString', 'off', '..%2fecho', '_shared'])(
    '%j is 404',
    async (name) => {
      const response = await call(name, await authorize('maria'));
      expect([response.statusCode, response.body]).toEqual([404, 'Function not found']);
      expect(response.headers['cache-control']).toBe('no-store');
    },
  );
});

describe('a token', () => {
  const refused = {
    error: expect.stringMatching(/\S/),
    msg: expect.any(String),
    message: expect.any(String),
  };

  test('that is missing is refused, and the client told that it was not the function', async () => {
    const response = await call('echo', {});
    expect([response.statusCode, response.json(), response.headers['x-relay-error']]).toEqual([
      401,
      expect.objectContaining({ ...refused, msg: 'Missing authorization header' }),
      'true',
    ]);
  });

  test.each([
    ['garbage', async () => 'garbage'],
    ['expired', async () => (await authorize('maria', -10)).authorization.slice(7)],
    [
      'of somebody else’s server',
      async () => {
        const other = await createKeyring({ secrets: ['a secret that is not the one of this server'] });
        const exp = Math.floor(Date.now() / 1000) + 60;
        return await other.signAccessToken({ sub: 'maria', role: 'authenticated', exp });
      },
    ],
    [
      'unsigned',
      async () =>
        `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"maria","role":"authenticated"}').toString('base64url')}.`,
    ],
  ])('that is %s is refused', async (_kind, sign) => {
    const response = await call('echo', { authorization: `Bearer ${await sign()}` });
    expect([response.statusCode, response.json()]).toEqual([
      401,
      expect.objectContaining({ ...refused, msg: 'Invalid JWT' }),
    ]);
    expect(response.headers).not.toHaveProperty('x-of-function');
  });

  test('of an account that was closed is refused like one that expired', async () => {
    const response = await call('echo', await authorize(CLOSED_ACCOUNT));
    expect([response.statusCode, response.json()]).toEqual([
      401,
      expect.objectContaining({ ...refused, msg: 'Invalid JWT' }),
    ]);
    expect(response.headers).not.toHaveProperty('x-of-function');
    expect((await call('echo', await authorize('maria'))).statusCode).toBe(201);
  });

  test('may be the public key: functions look at the role themselves', async () => {
    const authorization = `Bearer ${functions.keyring.anonKey}`;
    expect((await call('echo', { authorization })).statusCode).toBe(201);
  });

  test('is no condition where config.toml says so', async () => {
    expect((await call('open', {})).statusCode).toBe(200);
    expect((await call('open', { authorization: 'Bearer garbage' })).statusCode).toBe(200);
  });

  describe('that the function would read, and nobody has verified', () => {
    const forged = `a.${btoa(JSON.stringify({ role: 'authenticated', sub: 'maria' }))}.c`;

    test.each(['', 'Bearer', `Bearer\t${forged}`, `Basic ${forged}`])(
      'is refused with a good key beside it: %j',
      async (authorization) => {
        const response = await call('echo', { apikey: functions.keyring.anonKey, authorization });
        expect([response.statusCode, response.json().msg]).toEqual([401, 'Invalid JWT']);
      },
    );

    test('does not reach it by a preflight', async () => {
      const headers = { authorization: `Bearer ${forged}` };
      const response = await functions.app.inject({ method: 'OPTIONS', url: '/functions/v1/echo', headers });
      expect(response.statusCode).toBe(201);
      expect(response.json().headers).not.toHaveProperty('authorization');
    });

    test('does not reach it behind one that was verified', async () => {
      const good = `Bearer ${functions.keyring.anonKey}`;
      const headers = ['host', 'x', 'authorization', good, 'Authorization', `Bearer ${forged}`];
      const asked = request(`${functions.url}/echo`, { headers }).end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      expect(JSON.parse(await text(answer)).headers.authorization).toBe(good);
    });
  });
});

describe('limits', () => {
  test('a person may call so many times, and others are not touched by it', async () => {
    const maria = await authorize('maria');
    expect((await call('limited', maria)).statusCode).toBe(200);
    expect((await call('limited', maria)).statusCode).toBe(200);
    const refused = await call('limited', maria);
    expect(refused.statusCode).toBe(429);
    expect(refused.json().error).toMatch(/^Muitos pedidos em pouco tempo\. Tente de novo em \d+ segundos\.$/);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50);
    expect((await call('limited', await authorize('joana'))).statusCode).toBe(200);
    expect((await call('echo', maria)).statusCode).toBe(201);
  });

  test('a body beyond the limit is 413 in this service’s shape, said before or found out on the way', async () => {
    const headers = await authorize('maria');
    const said = await call('echo', headers, { a: 'x'.repeat(200_000) });
    expect([said.statusCode, said.json().error]).toEqual([413, 'O pedido é grande demais']);
    const found = await fetch(`${functions.url}/echo`, {
      method: 'POST',
      headers,
      body: new Blob(['x'.repeat(200_000)]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect([found.status, (await found.json()).error]).toEqual([413, 'O pedido é grande demais']);
  });

  test.each([
    ['said before', (body: Blob) => body],
    ['found out on the way', (body: Blob) => body.stream()],
  ])('a body of exactly the limit, %s, is taken, and one byte more is not', async (_what, send) => {
    const headers = { ...(await authorize('maria')), 'content-type': 'application/json' };
    const post = async (bytes: number) => {
      const body = send(new Blob([JSON.stringify('x'.repeat(bytes - 2))]));
      const options = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
      const answer = await fetch(`${functions.url}/echo`, options);
      await answer.text();
      return answer.status;
    };
    expect([await post(100_000), await post(100_001)]).toEqual([201, 413]);
  });
});

test('calls and processes are counted', async () => {
  await call('open', {});
  const text = await functions.metrics.metrics();
  expect(text).toMatch(/^linkoteca_function_calls_total\{function="open",outcome="answered"\} [1-9]/m);
  expect(text).toMatch(/^linkoteca_function_workers\{function="open"\} 1$/m);
});
