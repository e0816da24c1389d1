import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../test-support/call-service.ts';
import {
  createPerson,
  follow,
  newEmail,
  readFragment,
  signIn,
  type Tokens,
} from '../test-support/sign-people-in.ts';
import {
  PASSWORD,
  SITE_URL,
  startAuthService,
  type TestService,
} from '../test-support/start-auth-service.ts';
import { answerJson, type HookReceiver, startHookReceiver } from '../test-support/start-hook-receiver.ts';

let receiver: HookReceiver;
let service: TestService;
beforeAll(async () => {
  receiver = await startHookReceiver();
  service = await startAuthService({
    settings: {
      hooks: { send_email: receiver.at('/enviar') },
      hookPauseMs: 0,
      // As long as a hook may take: what it answers is seen.
      mailWaitMs: 10_000,
      anonymousSignInsEnabled: true,
    },
  });
});
afterAll(async () => {
  await service.stop();
  receiver.stop();
});
beforeEach(() => {
  receiver.answer(answerJson({}));
  receiver.forget();
});

type Told = {
  readonly user: { readonly email: string; readonly new_email?: string; readonly user_metadata: object };
  readonly email_data: Readonly<Record<string, string>>;
};
const told = (): Told[] => receiver.messages.map(({ body }) => JSON.parse(body) as Told);
/** The address that the hook would write, as the platform's own example does. */
const linkOf = ({ email_data: data }: Told, hash = data['token_hash']) =>
  new URL(
    `${data['site_url']}/verify?token=${hash}&type=${data['email_action_type']}&redirect_to=${encodeURIComponent(data['redirect_to'] ?? '')}`,
  );
const verify = (body: object) => call(service, 'POST /verify', { body });

describe('a hook that sends mails', () => {
  it('is told of a sign-up, whose link and code do what ours would, and nothing else is mailed', async () => {
    for (const way of ['link', 'code']) {
      receiver.forget();
      const email = newEmail();
      const body = { email, password: PASSWORD, data: { name: 'Ana' } };
      expect((await call(service, `POST /signup?redirect_to=${SITE_URL}/bem`, { body })).status).toBe(200);
      const [message] = told();
      expect(message).toMatchObject({
        user: { email, user_metadata: { name: 'Ana' } },
        email_data: {
          email_action_type: 'signup',
          site_url: `${SITE_URL}/auth/v1`,
          redirect_to: `${SITE_URL}/bem`,
          token: expect.stringMatching(/^\d{6}$/),
          token_new: '',
          token_hash_new: '',
        },
      });
      expect(JSON.stringify(message)).not.toContain(PASSWORD);
      if (way === 'code')
        expect((await verify({ type: 'signup', email, token: message?.email_data['token'] })).status).toBe(
          200,
        );
      else if (message) {
        const home = await follow(service, linkOf(message));
        expect([home.pathname, readFragment(home)['type']]).toEqual(['/bem', 'signup']);
      }
      await signIn(service, email);
    }
    expect(service.mails).toEqual([]);
  });

  it.each([
    ['recovery', 'POST /recover'],
    ['magiclink', 'POST /otp'],
  ])('is told of %s', async (action, line) => {
    const { email } = await createPerson(service);
    expect((await call(service, line, { body: { email } })).status).toBe(200);
    expect(told()).toMatchObject([{ user: { email }, email_data: { email_action_type: action } }]);
  });

  it('is told of an invitation and of a code that confirms who asks', async () => {
    const email = newEmail();
    const operator = { token: service.keyring.serviceRoleKey };
    await call(service, 'POST /invite', { ...operator, body: { email, data: { cor: 'azul' } } });
    const person = await createPerson(service);
    const { access_token: token } = await signIn(service, person.email);
    await call(service, 'GET /reauthenticate', { token });
    expect(told()).toMatchObject([
      { user: { email, user_metadata: { cor: 'azul' } }, email_data: { email_action_type: 'invite' } },
      { user: { email: person.email }, email_data: { email_action_type: 'reauthentication' } },
    ]);
    const nonce = told()[1]?.email_data['token'];
    service.clock.advance(3000);
    const change = { token, body: { password: 'outra senha, mais longa', nonce } };
    expect((await call(service, 'PUT /user', change)).status).toBe(200);
  });

  it('is told of both tokens of a change of address at once, their hashes crossed as on the platform', async () => {
    const { email } = await createPerson(service);
    const { access_token: token } = await signIn(service, email);
    const next = newEmail();
    await call(service, 'PUT /user', { token, body: { email: next } });
    const [message, another] = told();
    expect(another).toBeUndefined();
    expect(message?.user).toMatchObject({ email, new_email: next });
    const data = message?.email_data ?? {};
    // The code of the current address goes with the hash that is called new, and the other way round.
    const half = await verify({ type: 'email_change', email, token: data['token'] });
    expect(half.body).toMatchObject({ code: '200' });
    expect((await verify({ type: 'email_change', token_hash: data['token_hash_new'] })).status).toBe(403);
    const whole = await verify({ type: 'email_change', token_hash: data['token_hash'] });
    expect(whole.body).toMatchObject({ user: { email: next } });
  });

  it('is told of the one token that an account without an address needs', async () => {
    const { access_token: token, user } = (await call(service, 'POST /signup', { body: {} })).body as Tokens;
    const email = newEmail();
    await call(service, 'PUT /user', { token, body: { email } });
    const [message] = told();
    expect(message?.email_data).toMatchObject({
      email_action_type: 'email_change',
      token_new: '',
      token_hash_new: '',
    });
    const proof = { type: 'email_change', email, token: message?.email_data['token'] };
    expect((await verify(proof)).body).toMatchObject({ user: { id: user.id, email, is_anonymous: false } });
  });

  it('that fails or refuses is a mail server that fails, also for an address that is taken or unknown', async () => {
    const { email } = await createPerson(service);
    receiver.answer(answerJson({ error: { http_code: 403, message: 'Um segredo' } }));
    const signUp = (to: string) => call(service, 'POST /signup', { body: { email: to, password: PASSWORD } });
    const replies = [
      await signUp(newEmail()),
      await signUp(email),
      await call(service, 'POST /recover', { body: { email } }),
      await call(service, 'POST /recover', { body: { email: newEmail() } }),
    ];
    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 422, body: { code: 'email_send_failed' } });
      expect(JSON.stringify(reply.body)).not.toContain('segredo');
    }
    receiver.answer(answerJson({}));
    expect((await signUp(newEmail())).status).toBe(200);
    expect((await signUp(email)).status).toBe(200);
    expect(service.mails).toEqual([]);
  });
});
