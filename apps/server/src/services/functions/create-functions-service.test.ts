import { type AddressInfo, connect } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createKeyring, type Keyring } from '../../kernel/keyring.ts';
import { createFunctionsService } from './create-functions-service.ts';
import type { FunctionDefinition, FunctionHandler } from './function-definition.ts';

let keyring: Keyring;
let app: FastifyInstance;
/** What the functions of this service saw last. */
let seen: Request;
let released = Promise.withResolvers<void>();

const echo: FunctionHandler = async (request) => {
  seen = request;
  return Response.json({ body: await request.text() }, { status: 201, headers: { 'x-of-function': 'yes' } });
};
const definitions: Readonly<Record<string, FunctionDefinition>> = {
  echo: { handler: echo, verifyJwt: true },
  open: { handler: echo, verifyJwt: false },
  limited: { handler: echo, verifyJwt: true, limit: { calls: 2, seconds: 60 } },
  narrow: {
    verifyJwt: true,
    room: { atOnce: 1, waiting: 1 },
    handler: async (request) => {
      seen = request;
      await released.promise;
      return new Response('pronto');
    },
  },
  broken: {
    verifyJwt: true,
    handler: async () => {
      throw new Error('a secret of the inside');
    },
  },
  silent: { verifyJwt: true, handler: async () => new Response(null, { status: 204 }) },
  own: {
    verifyJwt: true,
    handler: async () =>
      new Response('texto', { headers: { 'access-control-allow-origin': '*', 'set-cookie': 'a=b' } }),
  },
};

beforeAll(async () => {
  keyring = await createKeyring({ secrets: ['a secret that only the tests of functions use'] });
  app = fastify({ bodyLimit: 1_000 });
  await app.register(createFunctionsService({ keyring, now: () => new Date(), functions: definitions }), {
    prefix: '/functions/v1',
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

const seconds = () => Math.floor(Date.now() / 1000);
async function authorize(sub: string, expiresIn = 3_600) {
  const claims = { sub, role: 'authenticated', exp: seconds() + expiresIn };
  return { authorization: `Bearer ${await keyring.signAccessToken(claims)}` };
}
async function call(name: string, headers: Record<string, string>, payload: object = { a: 1 }) {
  return await app.inject({ method: 'POST', url: `/functions/v1/${name}`, headers, payload });
}

describe('a function', () => {
  test('gets the request as it came and answers as it likes', async () => {
    const headers = {
      ...(await authorize('maria')),
      'x-custom': 'ação'.normalize('NFC'),
      'x-request-id': 'forged',
    };
    const response = await call('echo/more/path?region=x', headers, { a: 'á' });
    expect([response.statusCode, response.json()]).toEqual([201, { body: '{"a":"á"}' }]);
    expect(response.headers).toMatchObject({ 'x-of-function': 'yes', 'content-type': 'application/json' });
    expect([seen.method, new URL(seen.url).pathname, new URL(seen.url).search]).toEqual([
      'POST',
      '/functions/v1/echo/more/path',
      '?region=x',
    ]);
    expect(seen.headers.get('authorization')).toBe(headers.authorization);
    expect(seen.headers.get('x-request-id')).not.toBe('forged');
  });

  test.each(['GET', 'PUT', 'PATCH', 'DELETE'] as const)('may be called with %s', async (method) => {
    const headers = await authorize('maria');
    const response = await app.inject({ method, url: '/functions/v1/echo', headers });
    expect([response.statusCode, seen.method]).toEqual([201, method]);
  });

  test('may answer nothing', async () => {
    const response = await call('silent', await authorize('maria'));
    expect([response.statusCode, response.body]).toEqual([204, '']);
  });

  test('leaves it to the gateway who may read its answers', async () => {
    const { headers } = await call('own', await authorize('maria'));
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['set-cookie']).toBe('a=b');
  });

  test('that fails is 500 without its reasons', async () => {
    const response = await call('broken', await authorize('maria'));
    expect([response.statusCode, response.json()]).toEqual([
      500,
      expect.objectContaining({ error: 'Erro interno do servidor' }),
    ]);
    expect(response.body).not.toContain('secret');
  });

  test('hears when the caller hangs up', async () => {
    released = Promise.withResolvers();
    const { authorization } = await authorize('maria');
    const { port } = app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.write(`POST /functions/v1/narrow HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n`);
    socket.write('content-length: 0\r\n\r\n');
    await vi.waitFor(() => expect(new URL(seen.url).pathname).toBe('/functions/v1/narrow'));
    expect(seen.signal.aborted).toBe(false);
    socket.destroy();
    await vi.waitFor(() => expect(seen.signal.aborted).toBe(true));
    released.resolve();
  });
});

describe('an unknown function', () => {
  test.each(['missing', '', '/', 'constructor', '__proto__', 'toString'])('%j is 404', async (name) => {
    const response = await call(name, await authorize('maria'));
    expect([response.statusCode, response.body]).toEqual([404, 'Function not found']);
  });
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
        return await other.signAccessToken({ sub: 'maria', role: 'authenticated', exp: seconds() + 60 });
      },
    ],
    [
      'unsigned',
      async () =>
        `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"maria","role":"authenticated"}').toString('base64url')}.`,
    ],
  ])('that is %s is refused', async (_kind, sign) => {
    const before = seen;
    const response = await call('echo', { authorization: `Bearer ${await sign()}` });
    expect([response.statusCode, response.json()]).toEqual([
      401,
      expect.objectContaining({ ...refused, msg: 'Invalid JWT' }),
    ]);
    expect(seen).toBe(before);
  });

  test('may be the public key: functions look at the role themselves', async () => {
    expect((await call('echo', { authorization: `Bearer ${keyring.anonKey}` })).statusCode).toBe(201);
  });

  test('is no condition where the function says so', async () => {
    expect((await call('open', {})).statusCode).toBe(201);
    expect((await call('open', { authorization: 'Bearer garbage' })).statusCode).toBe(201);
  });
});

describe('limits', () => {
  test('a person may call so many times, and others are not touched by it', async () => {
    const maria = await authorize('maria');
    expect((await call('limited', maria)).statusCode).toBe(201);
    expect((await call('limited', maria)).statusCode).toBe(201);
    const refused = await call('limited', maria);
    expect(refused.statusCode).toBe(429);
    expect(refused.json().error).toMatch(/^Muitos pedidos em pouco tempo\. Tente de novo em \d+ segundos\.$/);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50);
    expect((await call('limited', await authorize('joana'))).statusCode).toBe(201);
    expect((await call('echo', maria)).statusCode).toBe(201);
  });

  test('calls wait for their turn, and no more than there is room for', async () => {
    released = Promise.withResolvers();
    const maria = await authorize('maria');
    const [first, second] = [call('narrow', maria), call('narrow', maria)];
    const third = await call('narrow', maria);
    expect([third.statusCode, third.headers['retry-after']]).toEqual([503, '2']);
    released.resolve();
    expect([(await first).statusCode, (await second).statusCode]).toEqual([200, 200]);
  });

  test('a body beyond the limit is 413 in this service’s shape', async () => {
    const response = await call('echo', await authorize('maria'), { a: 'x'.repeat(2_000) });
    expect([response.statusCode, response.json().error]).toEqual([413, 'O pedido é grande demais']);
  });
});
