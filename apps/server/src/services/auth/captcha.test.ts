import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from './test-support/call-service.ts';
import { createPerson, newEmail, type signIn } from './test-support/sign-people-in.ts';
import { PASSWORD, startAuthService, type TestService } from './test-support/start-auth-service.ts';

/** Stands in for the provider: `good` is right once, `broken` breaks it. */
let provider: Server;
let service: TestService;
const asked: Record<string, string>[] = [];

beforeAll(async () => {
  provider = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const form = Object.fromEntries(new URLSearchParams(text));
    asked.push(form);
    if (form['response'] === 'broken') return void response.writeHead(500).end('<html>');
    if (form['response'] === 'nonsense') return void response.end('{"success":"yes"}');
    const success = form['response'] === 'good';
    response.end(
      JSON.stringify({ success, ...(success ? {} : { 'error-codes': ['timeout-or-duplicate'] }) }),
    );
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const verifyUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/siteverify`;
  service = await startAuthService({
    settings: { captcha: { siteKey: 'site', secret: 'segredo', verifyUrl } },
  });
});
afterAll(async () => {
  await service.stop();
  provider.closeAllConnections();
  provider.close();
});

const withToken = (body: object, token?: string) =>
  token === undefined ? body : { ...body, gotrue_meta_security: { captcha_token: token } };

describe.each([
  ['POST /signup', () => ({ email: newEmail(), password: PASSWORD })],
  ['POST /otp', () => ({ email: newEmail() })],
  ['POST /magiclink', () => ({ email: newEmail() })],
  ['POST /recover', () => ({ email: newEmail() })],
  ['POST /resend', () => ({ type: 'signup', email: newEmail() })],
])('%s', (line, body) => {
  it.each([
    [undefined, 'no captcha_token found'],
    ['', 'no captcha_token found'],
    ['bad', 'timeout-or-duplicate'],
    ['x'.repeat(20_000), 'no captcha_token found'],
  ])('is refused with the token %s', async (token, why) => {
    const mails = service.mails.length;
    expect(await call(service, line, { body: withToken(body(), token) })).toMatchObject({
      status: 400,
      body: { code: 'captcha_failed', message: `captcha protection: request disallowed (${why})` },
    });
    expect(service.mails).toHaveLength(mails);
  });

  it('goes through with a good one, and without for an operator', async () => {
    expect((await call(service, line, { body: withToken(body(), 'good') })).status).toBe(200);
    const token = service.keyring.serviceRoleKey;
    expect((await call(service, line, { body: body(), token })).status).toBe(200);
  });
});

it('a password is not even tried without a captcha, while refreshing and exchanging need none', async () => {
  const { email } = await createPerson(service);
  const body = { email, password: PASSWORD };
  const line = 'POST /token?grant_type=password';
  for (let attempt = 0; attempt < 12; attempt += 1)
    expect((await call(service, line, { body: { ...body, password: 'errada' } })).body).toMatchObject({
      code: 'captcha_failed',
    });
  const signedIn = await call(service, line, { body: withToken(body, 'good') });
  expect(signedIn.status).toBe(200);
  const { refresh_token } = signedIn.body as Awaited<ReturnType<typeof signIn>>;
  expect(
    (await call(service, 'POST /token?grant_type=refresh_token', { body: { refresh_token } })).status,
  ).toBe(200);
  const exchange = { body: { auth_code: 'x', code_verifier: 'y' } };
  expect((await call(service, 'POST /token?grant_type=pkce', exchange)).body).toMatchObject({
    code: 'flow_state_not_found',
  });
});

it('tells the provider who asks, and with which key', async () => {
  await call(service, 'POST /recover', { body: withToken({ email: newEmail() }, 'good'), ip: '203.0.113.9' });
  expect(asked.at(-1)).toEqual({
    secret: 'segredo',
    sitekey: 'site',
    response: 'good',
    remoteip: '203.0.113.9',
  });
});

it.each(['broken', 'nonsense'])(
  'a provider that answers %s lets nobody through, and the log says so',
  async (token) => {
    const failures = service.failures.length;
    const reply = await call(service, 'POST /recover', { body: withToken({ email: newEmail() }, token) });
    expect(reply).toMatchObject({ status: 400, body: { code: 'captcha_failed' } });
    expect(service.failures).toHaveLength(failures + 1);
  },
);
