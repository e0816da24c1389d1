import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signWebhook } from '../../../kernel/sign-webhook.ts';
import { call } from '../test-support/call-service.ts';
import { createPerson, newEmail, signIn, type Tokens } from '../test-support/sign-people-in.ts';
import { PASSWORD, startAuthService, type TestService } from '../test-support/start-auth-service.ts';
import {
  answerJson,
  HOOK_KEY,
  type HookMessage,
  type HookReceiver,
  startHookReceiver,
} from '../test-support/start-hook-receiver.ts';

let receiver: HookReceiver;
let service: TestService;

beforeAll(async () => {
  receiver = await startHookReceiver();
});
afterAll(() => receiver.stop());
beforeEach(() => receiver.forget());

const inDatabase = (name: string) => ({ kind: 'function', schema: 'public', name }) as const;
const stopAfter = () => afterAll(() => service.stop());
const login = (email: string) =>
  call(service, 'POST /token?grant_type=password', { body: { email, password: PASSWORD } });
const countSessions = async (email: string) =>
  (
    await service.admin.query(
      'select from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1',
      [email],
    )
  ).rowCount;
const bodyOf = (message: HookMessage | undefined) => JSON.parse(message?.body ?? '{}');

it('messages are signed as Standard Webhooks says, with each secret', () => {
  const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    sentAt: new Date(1_614_265_330_000),
    body: '{"test": 2432232314}',
  };
  expect(signWebhook(message, [secret, secret], ', ')).toEqual({
    'webhook-id': message.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature':
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=, v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

describe('a function of the database that customizes access tokens', () => {
  const define = (body: string) =>
    service.admin.query(`create or replace function public."hook-de-token"(event jsonb) returns jsonb
      language plpgsql as $hook$ begin ${body} end $hook$;
      revoke all on function public."hook-de-token"(jsonb) from public;
      grant execute on function public."hook-de-token"(jsonb) to supabase_auth_admin`);
  beforeAll(async () => {
    service = await startAuthService({
      settings: { hooks: { custom_access_token: inDatabase('hook-de-token') } },
    });
  });
  stopAfter();

  it('adds what it likes, at sign-in and at refresh, and is told how the person came', async () => {
    await define(`return jsonb_set(event, '{claims,equipe}', to_jsonb(event ->> 'authentication_method'));`);
    const { id, email } = await createPerson(service);
    const first = await signIn(service, email);
    expect(decodeJwt(first.access_token)).toMatchObject({ sub: id, email, equipe: 'password' });
    const body = { refresh_token: first.refresh_token };
    const next = (await call(service, 'POST /token?grant_type=refresh_token', { body })).body as Tokens;
    expect(decodeJwt(next.access_token)).toMatchObject({ sub: id, equipe: 'token_refresh' });
    expect((await call(service, 'GET /user', { token: next.access_token })).status).toBe(200);
  });

  it('refuses in its own words, and leaves no session behind', async () => {
    await define(`return '{"error":{"http_code":403,"message":"Hoje não"}}';`);
    const { email } = await createPerson(service);
    expect(await login(email)).toMatchObject({ status: 403, body: { code: 'unknown', message: 'Hoje não' } });
    expect(await countSessions(email)).toBe(0);
  });

  it('that refuses a refresh does not end the session', async () => {
    await define('return event;');
    const { email } = await createPerson(service);
    const { refresh_token } = await signIn(service, email);
    await define(`return '{"error":{"http_code":400,"message":"Espere"}}';`);
    const refresh = () => call(service, 'POST /token?grant_type=refresh_token', { body: { refresh_token } });
    expect((await refresh()).status).toBe(400);
    await define('return event;');
    expect((await refresh()).status).toBe(200);
  });

  it.each([
    ['fails', `raise exception 'um segredo';`],
    ['answers nothing', 'return null;'],
    ['answers no claims', `return '{}';`],
    ['takes a claim away', `return event #- '{claims,role}';`],
    [
      'names somebody else',
      `return jsonb_set(event, '{claims,sub}', '"99999999-9999-4999-8999-999999999999"');`,
    ],
    [
      'names another session',
      `return jsonb_set(event, '{claims,session_id}', '"99999999-9999-4999-8999-999999999999"');`,
    ],
    ['makes an operator', `return jsonb_set(event, '{claims,role}', '"service_role"');`],
    ['does not end', 'perform pg_sleep(60); return event;'],
  ])('lets nobody in when it %s', async (_what, body) => {
    await define(body);
    const { email } = await createPerson(service);
    const reply = await login(email);
    expect(reply).toMatchObject({ status: 500, body: { code: 'unexpected_failure' } });
    expect(JSON.stringify(reply.body)).not.toContain('segredo');
    expect(await countSessions(email)).toBe(0);
  });

  it('that nobody gave the right to is not called', async () => {
    await define('return event;');
    await service.admin.query(
      'revoke all on function public."hook-de-token"(jsonb) from supabase_auth_admin',
    );
    const { email } = await createPerson(service);
    expect((await login(email)).status).toBe(500);
  });
});

describe('an address that is asked before an account is opened', () => {
  beforeAll(async () => {
    service = await startAuthService({
      settings: {
        hooks: { before_user_created: receiver.at('/antes') },
        hookPauseMs: 0,
        anonymousSignInsEnabled: true,
      },
    });
  });
  stopAfter();
  const signUp = (email = newEmail()) =>
    call(service, 'POST /signup', { body: { email, password: PASSWORD } });
  const countUsers = async () => (await service.admin.query('select from auth.users')).rowCount;

  it('is told in a signed message who it would be, and lets him in', async () => {
    receiver.answer(answerJson({}));
    const email = newEmail();
    const body = { email, password: PASSWORD, data: { name: 'Ana' } };
    const reply = await call(service, 'POST /signup', { body, ip: '203.0.113.9' });
    expect(reply.status).toBe(200);
    const [message] = receiver.messages;
    const { id } = reply.body as { id: string };
    expect(bodyOf(message)).toMatchObject({
      metadata: { uuid: expect.any(String), name: 'before-user-created', ip_address: '203.0.113.9' },
      user: {
        id,
        email,
        user_metadata: { name: 'Ana' },
        app_metadata: { provider: 'email' },
        is_anonymous: false,
      },
    });
    expect(JSON.stringify(receiver.messages)).not.toContain(PASSWORD);
    const sentAt = new Date(1000 * Number(message?.headers['webhook-timestamp']));
    const signed = signWebhook(
      { id: String(message?.headers['webhook-id']), sentAt, body: message?.body ?? '' },
      [HOOK_KEY],
    );
    expect(message?.headers).toMatchObject(signed);
    expect(Math.abs(sentAt.getTime() - Date.now())).toBeLessThan(60_000);
  });

  it('refuses in its own words, before anything is written or mailed', async () => {
    receiver.answer(answerJson({ error: { http_code: 422, message: 'Só endereços da casa' } }));
    const [users, mails] = [await countUsers(), service.mails.length];
    expect(await signUp()).toMatchObject({
      status: 422,
      body: { code: 'unknown', message: 'Só endereços da casa' },
    });
    expect((await call(service, 'POST /signup', { body: {} })).status).toBe(422);
    expect(bodyOf(receiver.messages.at(-1))).toMatchObject({
      user: { email: '', is_anonymous: true, identities: [] },
    });
    const invitation = { token: service.keyring.serviceRoleKey, body: { email: newEmail() } };
    expect((await call(service, 'POST /invite', invitation)).status).toBe(422);
    expect([await countUsers(), service.mails.length]).toEqual([users, mails]);
  });

  it('is asked alike for an address that has an account: what it refuses tells nobody who has one', async () => {
    receiver.answer(answerJson({ error: { http_code: 403, message: 'Não' } }));
    const { email } = await createPerson(service);
    const [known, unknown] = [await signUp(email), await signUp()];
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    const codes = [email, newEmail()].map((to) => call(service, 'POST /otp', { body: { email: to } }));
    expect((await Promise.all(codes)).map(({ status, body }) => [status, body])).toEqual([
      [200, {}],
      [200, {}],
    ]);
    expect(receiver.messages).toHaveLength(4);
    // Who has an account signs in all the same.
    expect(service.mails.at(-1)).toMatchObject({ to: email, subject: 'Seu link de acesso' });
    expect((await login(email)).status).toBe(200);
  });

  it.each<[string, Parameters<HookReceiver['answer']>[0], number, string]>([
    [
      'that answers something else',
      (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('sim'),
      400,
      'hook_payload_invalid_content_type',
    ],
    [
      'that says nothing of what it is',
      (response) => response.writeHead(200).end(),
      400,
      'hook_payload_invalid_content_type',
    ],
    [
      'that answers a book',
      (response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify('x'.repeat(205_000))),
      422,
      'hook_payload_over_size_limit',
    ],
    [
      'that is never ready',
      (response) => response.writeHead(503, { 'retry-after': '1' }).end(),
      422,
      'hook_timeout_after_retry',
    ],
    ['that hangs up', (response) => response.destroy(), 422, 'hook_timeout_after_retry'],
    ['that fails', (response) => response.writeHead(500).end('um segredo'), 500, 'unexpected_failure'],
    [
      'that leads elsewhere',
      (response) => response.writeHead(302, { location: receiver.at('/alhures').url }).end(),
      422,
      'hook_timeout_after_retry',
    ],
    [
      'that answers half',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":'),
      500,
      'unexpected_failure',
    ],
  ])('%s lets nobody in', async (_what, behave, status, code) => {
    receiver.answer(behave);
    const users = await countUsers();
    const reply = await signUp();
    expect(reply).toMatchObject({ status, body: { code } });
    expect(JSON.stringify(reply.body)).not.toContain('segredo');
    expect(await countUsers()).toBe(users);
    expect(receiver.messages.map(({ path }) => path)).not.toContain('/alhures');
    expect(receiver.messages).toHaveLength(code === 'hook_timeout_after_retry' ? 3 : 1);
  });

  it('that answers as much as it may is read to the end', async () => {
    receiver.answer((response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}'.padEnd(200 * 1024)),
    );
    expect((await signUp()).status).toBe(200);
  });

  it('that is busy is asked again, and that has nothing to say agrees', async () => {
    receiver.answer((response) =>
      receiver.messages.length === 1
        ? response.writeHead(429, { 'retry-after': '1' }).end()
        : response.writeHead(204).end(),
    );
    expect((await signUp()).status).toBe(200);
    expect(receiver.messages).toHaveLength(2);
  });

  it('is not asked about an account that an operator makes', async () => {
    receiver.answer(answerJson({ error: { http_code: 403, message: 'Não' } }));
    await createPerson(service);
    expect(receiver.messages).toEqual([]);
  });
});
