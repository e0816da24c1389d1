import type { PaymentEmulator } from '@linkoteca/payment-emulator/emulator-options';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createOperatorAccess } from '../kernel/gateway/operator-access.ts';
import { registerPaymentEmulator } from './payment-emulator.ts';

const SITE_URL = 'http://localhost:3000';
const KEY = 'a-key-that-only-the-operator-has';

let app: FastifyInstance;
let logged: string[];
let asked: { method: string; url: string; body: string; key: string | null; isOperator: boolean }[];
const emulator = {
  start: vi.fn(),
  stop: vi.fn(async () => undefined),
  work: async () => undefined,
  handle: async (request, { isOperator }) => {
    const { method, url, headers } = request;
    asked.push({ method, url, body: await request.text(), key: headers.get('authorization'), isOperator });
    if (url.endsWith('/unknown'))
      return new Response(null, { status: 404, headers: { 'x-unknown-path': '1' } });
    return new Response('ok', { status: 303, headers: { location: 'https://linkoteca.test/plans' } });
  },
} satisfies PaymentEmulator;

beforeEach(() => {
  asked = [];
  open(SITE_URL);
});
afterEach(() => app.close());

function open(siteUrl: string) {
  logged = [];
  app = Fastify({ logger: { level: 'warn', stream: { write: (line: string) => void logged.push(line) } } });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send('the app’s own page'));
  const operator = createOperatorAccess({ siteUrl, trustProxy: false, key: KEY });
  registerPaymentEmulator(app, { emulator, siteUrl, operator });
}

test('forms, headers and answers pass unchanged', async () => {
  const answer = await app.inject({
    method: 'POST',
    url: '/payment-emulator/v1/customers?expand[]=a',
    headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: 'Bearer sk' },
    payload: 'email=a%40b&metadata[x]=1',
  });
  expect([answer.statusCode, answer.headers.location, answer.body]).toEqual([
    303,
    'https://linkoteca.test/plans',
    'ok',
  ]);
  expect(asked).toEqual([
    {
      method: 'POST',
      url: `${SITE_URL}/payment-emulator/v1/customers?expand[]=a`,
      body: 'email=a%40b&metadata[x]=1',
      key: 'Bearer sk',
      isOperator: true,
    },
  ]);
});

test('any other body passes unchanged, too', async () => {
  for (const [type, payload] of [
    ['application/json', '{ "email":"a@b.test" }'],
    ['text/plain', 'olá'],
    ['application/octet-stream', 'x=1'],
  ] as const)
    await app.inject({
      method: 'POST',
      url: '/payment-emulator/v1/x',
      headers: { 'content-type': type },
      payload,
    });
  await app.inject({ method: 'DELETE', url: '/payment-emulator/v1/x' });
  expect(asked.map(({ method, body }) => `${method} ${body}`)).toEqual([
    'POST { "email":"a@b.test" }',
    'POST olá',
    'POST x=1',
    'DELETE ',
  ]);
});

test('a caller behind a proxy or by another name is not the operator', async () => {
  await app.inject({ url: '/payment-emulator', headers: { 'x-forwarded-for': '127.0.0.1' } });
  await app.inject({ url: '/payment-emulator', headers: { host: 'evil.example' } });
  await app.inject({ url: '/payment-emulator', remoteAddress: '203.0.113.7' });
  expect(asked.map(({ isOperator }) => isOperator)).toEqual([false, false, false]);
});

test('behind a proxy that says nothing, only the key makes the operator', async () => {
  await app.close();
  open('https://links.example.com');
  const host = 'links.example.com';
  await app.inject({ url: '/payment-emulator', headers: { host } });
  await app.inject({ url: '/payment-emulator', headers: { host: 'localhost:3000' } });
  const entered = await app.inject({ url: `/payment-emulator?key=${KEY}`, headers: { host } });
  expect(entered.headers.location).toBe('/payment-emulator');
  const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? '';
  await app.inject({ url: '/payment-emulator', headers: { host, cookie } });
  expect(asked.map(({ isOperator }) => isOperator)).toEqual([false, false, true]);
});

test('what the emulator does not know is answered as any other unknown address', async () => {
  expect((await app.inject('/payment-emulator/unknown')).body).toBe('the app’s own page');
  expect((await app.inject({ method: 'HEAD', url: '/payment-emulator/portal/bps_1' })).statusCode).toBe(303);
  expect(asked.at(-1)?.method, 'pages are asked by GET, which Node answers without a body').toBe('GET');
});

test('it starts when the server listens and stops with it', async () => {
  emulator.start.mockClear();
  emulator.stop.mockClear();
  await app.ready();
  expect(emulator.start).not.toHaveBeenCalled();
  await app.listen({ port: 0, host: '127.0.0.1' });
  expect(emulator.start).toHaveBeenCalledOnce();
  await app.close();
  expect(emulator.stop).toHaveBeenCalledOnce();
});

test('where others reach the installation, the log says that plans cost nothing; elsewhere it does not', async () => {
  await app.listen({ port: 0, host: '127.0.0.1' });
  expect(logged).toEqual([]);
  await app.close();
  open('https://links.example.com');
  await app.listen({ port: 0, host: '127.0.0.1' });
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([
    { siteUrl: 'https://links.example.com', msg: expect.stringContaining('plans cost nothing') },
  ]);
});
