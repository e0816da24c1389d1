import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readAuthConfig } from '../../../kernel/auth-config/read-auth-config.ts';
import { parseGoTemplate } from '../../../kernel/go-template/parse-go-template.ts';
import type { AuthSettings } from '../auth-settings.ts';
import { call } from '../test-support/call-service.ts';
import {
  codeTextedTo,
  countTextsTo,
  createPhonePerson,
  newPhone,
  signInByPhone,
} from '../test-support/phones.ts';
import { createPerson, signIn } from '../test-support/sign-people-in.ts';
import { PASSWORD, startAuthService, type TestService } from '../test-support/start-auth-service.ts';
import { answerJson, type HookReceiver, startHookReceiver } from '../test-support/start-hook-receiver.ts';

async function start(settings: Partial<AuthSettings>): Promise<TestService> {
  const service = await startAuthService({
    settings: { phoneEnabled: true, mailWaitMs: 20_000, ...settings },
  });
  onTestFinished(() => service.stop());
  return service;
}
const otp = (service: TestService, phone: string) => call(service, 'POST /otp', { body: { phone } });
const verify = (service: TestService, phone: string, token: string) =>
  call(service, 'POST /verify', { body: { type: 'sms', phone, token } });

describe('an operator', () => {
  it('who says nothing has no sign-in by phone: nothing is texted, and the settings say so', async () => {
    const service = await start({ phoneEnabled: false });
    const phone = newPhone();
    const token = (await signIn(service, (await createPerson(service)).email)).access_token;
    const replies = [
      await otp(service, phone),
      await call(service, 'POST /signup', { body: { phone, password: PASSWORD } }),
      await call(service, 'POST /token?grant_type=password', { body: { phone, password: PASSWORD } }),
      await call(service, 'POST /resend', { body: { type: 'sms', phone } }),
      await call(service, 'PUT /user', { token, body: { phone } }),
    ];
    for (const reply of replies)
      expect(reply).toMatchObject({ status: 400, body: { code: 'phone_provider_disabled' } });
    expect(await verify(service, phone, '123456')).toMatchObject({ body: { code: 'otp_expired' } });
    expect(service.texts).toEqual([]);
    expect((await call(service, 'GET /settings')).body).toMatchObject({
      external: { phone: false },
      phone_autoconfirm: false,
      sms_provider: '',
    });
  });

  it('takes numbers on trust: signing up signs in, and a change needs no code', async () => {
    const { config } = readAuthConfig(
      {},
      { GOTRUE_EXTERNAL_PHONE_ENABLED: 'true', GOTRUE_SMS_AUTOCONFIRM: 'true' },
      [],
    );
    const service = await start(config);
    const [phone, next] = [newPhone(), newPhone()];
    const reply = await call(service, 'POST /signup', { body: { phone, password: PASSWORD } });
    expect(reply.body).toMatchObject({
      access_token: expect.any(String),
      user: { phone, phone_confirmed_at: expect.any(String) },
    });
    const again = await call(service, 'POST /signup', { body: { phone, password: PASSWORD } });
    expect(again).toMatchObject({ status: 422, body: { code: 'user_already_exists' } });
    const { access_token: token } = await signInByPhone(service, phone);
    const changed = await call(service, 'PUT /user', { token, body: { phone: next } });
    expect(changed.body).toMatchObject({ phone: next });
    const other = await createPhonePerson(service);
    expect(await call(service, 'PUT /user', { token, body: { phone: other.phone } })).toMatchObject({
      status: 422,
      body: { code: 'phone_exists' },
    });
    expect(service.texts).toEqual([]);
    expect((await call(service, 'GET /settings')).body).toMatchObject({
      external: { phone: true },
      phone_autoconfirm: true,
    });
  });

  it('writes the text, and says how long codes are and last', async () => {
    const smsTemplate = parseGoTemplate('Código: {{ .Code }}.', { as: 'text', variables: ['Code'] });
    const service = await start({ smsTemplate, smsCodeLength: 8, smsCodeLifetime: 60 });
    const phone = newPhone();
    await otp(service, phone);
    expect(service.texts[0]?.text).toMatch(/^Código: \d{8}\.$/);
    service.clock.advance(61);
    expect((await verify(service, phone, codeTextedTo(service, phone))).status).toBe(403);
  });

  it('lets nobody new in, while whoever has an account still signs in', async () => {
    const service = await start({ signUpEnabled: false });
    const { phone } = await createPhonePerson(service);
    const stranger = newPhone();
    expect([(await otp(service, phone)).body, (await otp(service, stranger)).body]).toEqual([{}, {}]);
    expect(countTextsTo(service, stranger)).toBe(0);
    expect((await verify(service, phone, codeTextedTo(service, phone))).status).toBe(200);
    expect(
      await call(service, 'POST /signup', { body: { phone: stranger, password: PASSWORD } }),
    ).toMatchObject({
      body: { code: 'signup_disabled' },
    });
  });

  it('says that there is no account where a sign-up would say it as well', async () => {
    const service = await start({ confirmPhone: false });
    const ask = (phone: string) => call(service, 'POST /otp', { body: { phone, create_user: false } });
    expect(await ask(newPhone())).toMatchObject({
      status: 422,
      body: { code: 'otp_disabled', message: 'Signups not allowed for otp' },
    });
    const phone = newPhone();
    await call(service, 'POST /signup', { body: { phone, password: PASSWORD } });
    expect(await ask(phone)).toMatchObject({ status: 200, body: {} });
  });

  it('has numbers of tests, which take one code and are sent nothing, until their time is over', async () => {
    const phone = newPhone();
    const until = new Date(Date.now() + 3_600_000);
    const service = await start({ smsTestCodes: { codes: { [phone]: '424242' }, until } });
    await otp(service, phone);
    expect((await verify(service, newPhone(), '424242')).status).toBe(403);
    expect((await verify(service, phone, '424242')).status).toBe(200);
    // Only after it was asked for.
    expect((await verify(service, phone, '424242')).status).toBe(403);
    expect(service.texts).toEqual([]);
    service.clock.advance(3601);
    await otp(service, phone);
    expect(countTextsTo(service, phone)).toBe(1);
  });
});

describe('a hook that is asked before accounts are opened', () => {
  it('is asked for every number; what it refuses is read by a sign-up, and by nobody who asks for a code', async () => {
    const receiver = await startHookReceiver();
    onTestFinished(() => receiver.stop());
    const service = await start({ hooks: { before_user_created: receiver.at('/antes') }, hookPauseMs: 0 });
    const { phone } = await createPhonePerson(service);
    receiver.answer(answerJson({ error: { http_code: 403, message: 'Só da casa' } }));
    for (const number of [phone, newPhone()]) {
      receiver.forget();
      const signedUp = await call(service, 'POST /signup', { body: { phone: number, password: PASSWORD } });
      expect(signedUp).toMatchObject({ status: 403, body: { message: 'Só da casa' } });
      expect((await otp(service, number)).body).toEqual({});
      expect(receiver.messages.map(({ body }) => JSON.parse(body).user)).toMatchObject([
        { phone: number, app_metadata: { provider: 'phone' } },
        { phone: number },
      ]);
    }
    expect(service.texts.map(({ to }) => to)).toEqual([phone]);
  });
});

describe('a text message that cannot be sent', () => {
  it('is told to whoever asks, with an account or without, and may be asked for again at once', async () => {
    const service = await start({ smsFrequency: 60 });
    const { phone } = await createPhonePerson(service);
    service.setTexter(async () => {
      throw new Error('um segredo');
    });
    const replies = [
      await otp(service, phone),
      await call(service, 'POST /otp', { body: { phone: newPhone(), create_user: false } }),
      await otp(service, phone),
    ];
    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 422, body: { code: 'sms_send_failed' } });
      expect(JSON.stringify(reply.body)).not.toContain('segredo');
    }
  });
});

describe('limits of text messages', () => {
  it('hold for a number, whoever asks and whether or not there is an account', async () => {
    const service = await start({ smsFrequency: 60, smsPerReceiver: { points: 2, seconds: 86_400 } });
    const { phone } = await createPhonePerson(service);
    for (const number of [phone, newPhone()]) {
      expect((await otp(service, number)).status).toBe(200);
      const early = await otp(service, number);
      expect(early).toMatchObject({
        status: 429,
        body: {
          code: 'over_sms_send_rate_limit',
          message: expect.stringMatching(
            /^For security purposes, you can only request this after \d+ seconds\.$/,
          ),
        },
      });
      expect(Number(early.headers['retry-after'])).toBeGreaterThan(0);
      service.clock.advance(61);
      expect((await otp(service, number)).status).toBe(200);
      service.clock.advance(61);
      expect((await otp(service, number)).status).toBe(429);
    }
  });

  it('hold for whoever asks, and leave operators alone', async () => {
    const service = await start({ smsPerSender: { points: 2, seconds: 86_400 } });
    const ask = (ip: string, token?: string) =>
      call(service, 'POST /otp', { body: { phone: newPhone() }, ip, ...(token ? { token } : {}) });
    const statuses = [];
    for (const ip of ['10.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.2']) statuses.push((await ask(ip)).status);
    expect(statuses).toEqual([200, 200, 429, 200]);
    expect((await ask('10.0.0.1', service.keyring.serviceRoleKey)).status).toBe(200);
  });

  it('hold for a number from one place, and leave its owner some', async () => {
    const service = await start({ smsPerSenderAndReceiver: { points: 1, seconds: 86_400 } });
    const phone = newPhone();
    const ask = (ip: string) => call(service, 'POST /otp', { body: { phone }, ip });
    expect([(await ask('10.0.0.1')).status, (await ask('10.0.0.1')).status]).toEqual([200, 429]);
    expect((await ask('10.0.0.2')).status).toBe(200);
  });

  it('hold for a number that owners of several accounts want, also when they have its code sent again', async () => {
    const service = await start({ smsPerReceiver: { points: 3, seconds: 86_400 } });
    const victim = newPhone();
    const statuses: number[] = [];
    for (let account = 0; account < 4; account += 1) {
      const { phone } = await createPhonePerson(service);
      const { access_token: token } = await signInByPhone(service, phone);
      const ip = `10.8.0.${account}`;
      statuses.push((await call(service, 'PUT /user', { token, body: { phone: victim }, ip })).status);
      const again = { type: 'phone_change', phone };
      expect((await call(service, 'POST /resend', { body: again, ip })).status).toBe(200);
    }
    expect(statuses).toEqual([200, 200, 429, 429]);
    expect(countTextsTo(service, victim)).toBe(3);
    expect(service.texts).toHaveLength(3);
  });

  it('let the code of a change be sent again after a while', async () => {
    const service = await start({ smsFrequency: 60 });
    const { phone } = await createPhonePerson(service);
    const { access_token: token } = await signInByPhone(service, phone);
    const next = newPhone();
    await call(service, 'PUT /user', { token, body: { phone: next } });
    for (const texts of [1, 2]) {
      expect((await call(service, 'POST /resend', { body: { type: 'phone_change', phone } })).status).toBe(
        200,
      );
      expect(countTextsTo(service, next)).toBe(texts);
      service.clock.advance(61);
    }
  });

  it('hold for the whole installation', async () => {
    const service = await start({ smsSent: { points: 2, seconds: 3600 } });
    const ask = (at: number) =>
      call(service, 'POST /otp', { body: { phone: newPhone() }, ip: `10.0.${at}.1` });
    expect([(await ask(1)).status, (await ask(2)).status, (await ask(3)).status]).toEqual([200, 200, 429]);
    service.clock.advance(3601);
    expect((await ask(4)).status).toBe(200);
  });
});

describe('a hook that sends text messages', () => {
  let receiver: HookReceiver;
  let service: TestService;
  beforeAll(async () => {
    receiver = await startHookReceiver();
    service = await startAuthService({
      settings: {
        phoneEnabled: true,
        hooks: { send_sms: receiver.at('/enviar') },
        hookPauseMs: 0,
        mailWaitMs: 10_000,
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
  type Told = { readonly sms: { readonly otp: string; readonly phone: string }; readonly metadata: object };
  const told = () => receiver.messages.map(({ body }) => JSON.parse(body) as Told);

  it('is told the number and the code, signed, and nothing else is sent', async () => {
    const phone = newPhone();
    await call(service, 'POST /signup', { body: { phone, password: PASSWORD, data: { name: 'Ana' } } });
    expect(receiver.messages[0]?.headers['webhook-signature']).toMatch(/^v1,/);
    expect(told()).toMatchObject([
      {
        metadata: { name: 'send-sms' },
        user: { phone, user_metadata: { name: 'Ana' } },
        sms: { otp: expect.stringMatching(/^\d{6}$/), phone },
      },
    ]);
    expect(receiver.messages[0]?.body).not.toContain(PASSWORD);
    expect((await verify(service, phone, told()[0]?.sms.otp ?? '')).status).toBe(200);
    expect(service.texts).toEqual([]);
  });

  it('is told the new number of a change', async () => {
    const { phone } = await createPhonePerson(service);
    const { access_token: token } = await signInByPhone(service, phone);
    const next = newPhone();
    await call(service, 'PUT /user', { token, body: { phone: next } });
    expect(told()).toMatchObject([{ user: { phone, new_phone: next }, sms: { phone: next } }]);
  });

  it('that refuses is a provider that fails: its words are told to nobody', async () => {
    receiver.answer(answerJson({ error: { http_code: 403, message: 'Um segredo' } }));
    const { phone } = await createPhonePerson(service);
    for (const number of [phone, newPhone()]) {
      const reply = await otp(service, number);
      expect(reply).toMatchObject({ status: 422, body: { code: 'sms_send_failed' } });
      expect(JSON.stringify(reply.body)).not.toContain('segredo');
    }
  });
});
