import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../test-support/call-service.ts';
import { newPhone } from '../test-support/phones.ts';
import { createPerson, newEmail } from '../test-support/sign-people-in.ts';
import { PASSWORD, startAuthService, type TestService } from '../test-support/start-auth-service.ts';
import { answerJson, type HookReceiver, startHookReceiver } from '../test-support/start-hook-receiver.ts';

let receiver: HookReceiver;
let service: TestService;
beforeAll(async () => {
  receiver = await startHookReceiver();
  service = await startAuthService({
    settings: {
      hooks: { after_user_created: receiver.at('/depois') },
      hookPauseMs: 0,
      phoneEnabled: true,
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

type Told = { readonly metadata: object; readonly user: { readonly id: string } };
const told = () => receiver.messages.map(({ body }) => JSON.parse(body) as Told);
const count = async (id: string | undefined) =>
  (await service.admin.query('select from auth.users where id = $1', [id])).rowCount;
const operator = () => ({ token: service.keyring.serviceRoleKey });

describe('a hook that is told of new accounts', () => {
  it.each([
    ['a sign-up', 'POST /signup', () => ({ email: newEmail(), password: PASSWORD, data: { cor: 'azul' } })],
    [
      'a sign-up by phone',
      'POST /signup',
      () => ({ phone: newPhone(), password: PASSWORD, data: { cor: 'azul' } }),
    ],
    ['a mailed code', 'POST /otp', () => ({ email: newEmail(), data: { cor: 'azul' } })],
    ['a texted code', 'POST /otp', () => ({ phone: newPhone(), data: { cor: 'azul' } })],
    ['a visitor', 'POST /signup', () => ({ data: { cor: 'azul' } })],
  ])('hears of %s once, with the account that there is', async (_what, line, body) => {
    const wish = body();
    expect((await call(service, line, { body: wish })).status).toBe(200);
    await expect.poll(() => receiver.messages.length).toBe(1);
    const [message] = told();
    expect(message).toMatchObject({
      metadata: { name: 'after-user-created', ip_address: '127.0.0.1' },
      user: { user_metadata: { cor: 'azul' } },
    });
    expect(await count(message?.user.id)).toBe(1);
    expect(receiver.messages[0]?.body).not.toContain(PASSWORD);
    // Whoever asks again opens no second one; the next account is told of after it would have been.
    if (!('email' in wish || 'phone' in wish)) return;
    await call(service, line, { body: wish });
    const { email } = { email: newEmail() };
    await call(service, 'POST /invite', { ...operator(), body: { email } });
    await expect.poll(() => told().some(({ user }) => 'email' in user && user.email === email)).toBe(true);
    expect(told()).toHaveLength(2);
  });

  it('hears nothing of an address that is taken, nor of accounts that an operator makes', async () => {
    const { email } = await createPerson(service);
    await call(service, 'POST /signup', { body: { email, password: PASSWORD } });
    await call(service, 'POST /otp', { body: { email } });
    const next = newEmail();
    await call(service, 'POST /invite', { ...operator(), body: { email: next } });
    await expect.poll(() => receiver.messages.length).toBe(1);
    expect(told()).toMatchObject([{ user: { email: next } }]);
  });

  it('that fails or hangs stops nobody, and keeps nobody waiting', async () => {
    receiver.answer(answerJson({ error: { http_code: 403, message: 'Não' } }));
    const failures = service.failures.length;
    const email = newEmail();
    expect((await call(service, 'POST /signup', { body: { email, password: PASSWORD } })).status).toBe(200);
    await expect.poll(() => service.failures.length).toBe(failures + 1);
    const hung = Promise.withResolvers<void>();
    receiver.answer((response) => void hung.promise.then(() => response.end()));
    const reply = call(service, 'POST /signup', { body: { email: newEmail(), password: PASSWORD } });
    expect((await reply).status).toBe(200);
    // It is on its way still, and would be taken for another test's.
    await expect.poll(() => receiver.messages.length).toBe(2);
    hung.resolve();
  });
});
