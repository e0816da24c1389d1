import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { call } from '../test-support/call-service.ts';
import {
  codeTextedTo,
  countTextsTo,
  createPhonePerson,
  newPhone,
  signInByPhone,
} from '../test-support/phones.ts';
import { createPerson, newEmail, signIn, type Tokens, waitForLocks } from '../test-support/sign-people-in.ts';
import { PASSWORD, startAuthService, type TestService } from '../test-support/start-auth-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startAuthService({ settings: { phoneEnabled: true } });
});
afterAll(() => service.stop());

const post = (path: string, body: object) => call(service, `POST ${path}`, { body });
const signUp = (phone: string, more: object = {}) => post('/signup', { phone, password: PASSWORD, ...more });
const verify = (phone: string, token: string, type = 'sms') => post('/verify', { type, phone, token });
const count = async (phone: string) =>
  (await service.admin.query('select from auth.users where phone = $1', [phone])).rowCount;

describe('signing up by phone', () => {
  it('signs in at once whoever has only an unconfirmed sign-up from before numbers were taken on trust', async () => {
    const trusting = await startAuthService({ settings: { phoneEnabled: true, confirmPhone: false } });
    try {
      const phone = newPhone();
      await call(trusting, 'POST /otp', { body: { phone } });
      const { rows } = await trusting.admin.query('select id from auth.users where phone = $1', [phone]);
      const body = { phone, password: PASSWORD, data: { name: 'Ana' } };
      expect(await call(trusting, 'POST /signup', { body })).toMatchObject({
        status: 200,
        body: {
          user: { id: rows[0].id, phone_confirmed_at: expect.any(String), user_metadata: { name: 'Ana' } },
        },
      });
      await signInByPhone(trusting, phone);
      const again = await call(trusting, 'POST /signup', { body });
      expect(again.body).toMatchObject({ code: 'user_already_exists' });
    } finally {
      await trusting.stop();
    }
  });

  it('texts a code that proves the number and signs in; then the password does', async () => {
    const phone = newPhone();
    const created = await signUp(`+${phone.slice(0, 2)} ${phone.slice(2)}`, { data: { name: 'Ana' } });
    expect(created).toMatchObject({
      status: 200,
      body: {
        phone,
        email: '',
        confirmation_sent_at: expect.any(String),
        user_metadata: { name: 'Ana' },
        app_metadata: { provider: 'phone', providers: ['phone'] },
        identities: [{ provider: 'phone', identity_data: { phone, phone_verified: false } }],
      },
    });
    expect(created.body).not.toHaveProperty('access_token');
    expect(service.texts.at(-1)).toMatchObject({ to: phone, channel: 'sms' });
    const early = await post('/token?grant_type=password', { phone, password: PASSWORD });
    expect(early).toMatchObject({ status: 400, body: { code: 'phone_not_confirmed' } });

    const verified = await verify(`+${phone}`, codeTextedTo(service, phone));
    expect(verified).toMatchObject({
      status: 200,
      body: {
        access_token: expect.any(String),
        user: {
          id: (created.body as { id: string }).id,
          phone,
          phone_confirmed_at: expect.any(String),
          user_metadata: { name: 'Ana' },
          identities: [{ provider: 'phone', identity_data: { phone, phone_verified: true } }],
        },
      },
    });
    expect(decodeJwt((verified.body as Tokens).access_token)).toMatchObject({ phone, email: '' });
    expect(await signInByPhone(service, `+${phone}`)).toMatchObject({ user: { phone } });
    // They have no address, and nothing is mailed to what is none.
    expect(service.mails.filter(({ to }) => !to.includes('@'))).toEqual([]);
  });

  it('answers the same for a number that is somebody’s, who gets no text, no other password and no news', async () => {
    const { phone } = await createPhonePerson(service);
    const known = await signUp(phone, { password: 'a senha de um estranho' });
    const unknown = await signUp(newPhone());
    const shape = (body: unknown) => Object.keys(body as object).sort();
    expect([known.status, shape(known.body)]).toEqual([unknown.status, shape(unknown.body)]);
    expect((known.body as { identities: [] }).identities).toHaveLength(1);
    expect(countTextsTo(service, phone)).toBe(0);
    const stranger = await post('/token?grant_type=password', { phone, password: 'a senha de um estranho' });
    expect(stranger).toMatchObject({ status: 400, body: { code: 'invalid_credentials' } });
    await signInByPhone(service, phone);
  });

  it('gives whoever types the code his own password, and nobody else’s', async () => {
    const phone = newPhone();
    await signUp(phone, { password: 'a senha de um estranho', data: { name: 'Estranho' } });
    const first = codeTextedTo(service, phone);
    await signUp(phone, { data: { name: 'Dona' } });
    const second = codeTextedTo(service, phone);
    expect((await verify(phone, second)).body).toMatchObject({ user: { user_metadata: { name: 'Dona' } } });
    await signInByPhone(service, phone);
    expect(await verify(phone, first)).toMatchObject({ status: 403, body: { code: 'otp_expired' } });
    expect(await count(phone)).toBe(1);
  });

  it.each([
    [{ phone: 'abc' }, 400, 'validation_failed', 'Invalid phone number format (E.164 required)'],
    [{ phone: '+0123' }, 400, 'validation_failed', 'Invalid phone number format (E.164 required)'],
    [{ phone: '5511', password: '' }, 400, 'validation_failed', 'Signup requires a valid password'],
    [{ phone: '5511', password: 'abc' }, 422, 'weak_password', expect.any(String)],
    [
      { phone: '5511', email: 'a@b.test' },
      400,
      'validation_failed',
      'Only an email address or phone number should be provided on signup.',
    ],
    [{ phone: '5511', channel: 'pombo' }, 400, 'validation_failed', expect.stringContaining('whatsapp')],
    [
      { phone: '5511', code_challenge: 'x'.repeat(43), code_challenge_method: 's256' },
      400,
      'validation_failed',
      'PKCE not supported for phone signups',
    ],
  ])('with %j is refused', async (more, status, code, message) => {
    const reply = await post('/signup', { password: PASSWORD, ...more });
    expect(reply).toMatchObject({ status, body: { code, message } });
  });
});

describe('a code by phone', () => {
  it('signs in without a password, by the way that is wished for, once', async () => {
    const { id, phone } = await createPhonePerson(service);
    expect(await post('/otp', { phone: `+${phone}`, channel: 'whatsapp' })).toMatchObject({
      status: 200,
      body: {},
    });
    expect(service.texts.at(-1)).toMatchObject({ to: phone, channel: 'whatsapp' });
    const code = codeTextedTo(service, phone);
    const { body } = await verify(phone, code);
    expect(body).toMatchObject({ user: { id, phone } });
    expect(decodeJwt((body as Tokens).access_token)).toMatchObject({ amr: [{ method: 'otp' }] });
    expect((await verify(phone, code)).status).toBe(403);
    // The password is still there.
    await signInByPhone(service, phone);
  });

  it('opens an account where there is none, with what was said of its owner', async () => {
    const phone = newPhone();
    expect((await post('/otp', { phone, data: { name: 'Nova' } })).body).toEqual({});
    const { body } = await verify(phone, codeTextedTo(service, phone));
    expect(body).toMatchObject({ user: { phone, user_metadata: { name: 'Nova' } } });
  });

  it('is not sent, and no account opened, where none is wanted; the answer is that of an account', async () => {
    const [phone, { phone: known }] = [newPhone(), await createPhonePerson(service)];
    const replies = [
      await post('/otp', { phone, create_user: false }),
      await post('/otp', { phone: known, create_user: false }),
    ];
    expect(replies.map(({ status, body }) => [status, body])).toEqual([
      [200, {}],
      [200, {}],
    ]);
    expect([countTextsTo(service, phone), countTextsTo(service, known)]).toEqual([0, 1]);
    expect(await count(phone)).toBe(0);
  });

  it('is good for its number alone, and for a few minutes', async () => {
    const [one, other] = [await createPhonePerson(service), await createPhonePerson(service)];
    await post('/otp', { phone: one.phone });
    const code = codeTextedTo(service, one.phone);
    expect((await verify(other.phone, code)).status).toBe(403);
    expect((await verify(one.phone, code, 'phone_change')).status).toBe(403);
    service.clock.advance(301);
    expect(await verify(one.phone, code)).toMatchObject({ status: 403, body: { code: 'otp_expired' } });
  });

  it('may be guessed at five times, whoever guesses', async () => {
    const { phone } = await createPhonePerson(service);
    await post('/otp', { phone });
    const code = codeTextedTo(service, phone);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let guess = 0; guess < 5; guess += 1)
      expect(
        (
          await call(service, 'POST /verify', {
            ip: `10.0.0.${guess}`,
            body: { type: 'sms', phone, token: wrong },
          })
        ).status,
      ).toBe(403);
    expect((await verify(phone, code)).status).toBe(403);
  });

  it('by phone leaves a mailed link of the same account alone', async () => {
    const { email } = await createPerson(service);
    const { access_token: token } = await signIn(service, email);
    const phone = newPhone();
    await call(service, 'PUT /user', { token, body: { phone } });
    await verify(phone, codeTextedTo(service, phone), 'phone_change');
    await post('/otp', { email });
    await post('/otp', { phone });
    const [, mailed = ''] =
      /\b(\d{6})\b/.exec(service.mails.findLast(({ to }) => to === email)?.text ?? '') ?? [];
    expect((await post('/verify', { type: 'email', email, token: mailed })).status).toBe(200);
    expect((await verify(phone, codeTextedTo(service, phone))).status).toBe(200);
  });

  it('is refused with a mail address, and mails with a channel', async () => {
    for (const body of [
      { email: 'a@b.test', phone: '5511' },
      { email: 'a@b.test', channel: 'sms' },
      { phone: '5511', channel: 'pombo' },
      { phone: 'abc' },
    ])
      expect(await post('/otp', body)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  it('lets nobody in whose account is shut', async () => {
    const { id, phone } = await createPhonePerson(service);
    const token = service.keyring.serviceRoleKey;
    await call(service, `PUT /admin/users/${id}`, { token, body: { ban_duration: '24h' } });
    await post('/otp', { phone });
    expect(await verify(phone, codeTextedTo(service, phone))).toMatchObject({
      status: 403,
      body: { code: 'user_banned' },
    });
    await call(service, `DELETE /admin/users/${id}`, { token, body: { should_soft_delete: true } });
    expect(await count(phone)).toBe(0);
  });
});

describe('resending', () => {
  it('texts the code of a sign-up again, with its password; whoever has an account, or none, gets nothing', async () => {
    const phone = newPhone();
    await signUp(phone);
    expect((await post('/resend', { type: 'sms', phone: `+${phone}` })).body).toEqual({});
    expect(countTextsTo(service, phone)).toBe(2);
    await verify(phone, codeTextedTo(service, phone));
    await signInByPhone(service, phone);
    for (const other of [phone, newPhone()]) {
      const before = countTextsTo(service, other);
      expect(await post('/resend', { type: 'sms', phone: other })).toMatchObject({ status: 200, body: {} });
      expect(countTextsTo(service, other)).toBe(before);
    }
  });

  it('texts the code of a change of number again, to the new one', async () => {
    const { phone } = await createPhonePerson(service);
    const { access_token: token } = await signInByPhone(service, phone);
    const next = newPhone();
    await call(service, 'PUT /user', { token, body: { phone: next } });
    expect((await post('/resend', { type: 'phone_change', phone })).body).toEqual({});
    expect([countTextsTo(service, next), countTextsTo(service, phone)]).toEqual([2, 0]);
    const { body } = await verify(next, codeTextedTo(service, next), 'phone_change');
    expect(body).toMatchObject({ user: { phone: next } });
    expect((await post('/resend', { type: 'phone_change', phone: next })).body).toEqual({});
    expect(countTextsTo(service, next)).toBe(2);
  });

  it.each([{ type: 'sms' }, { type: 'phone_change', email: 'a@b.test' }, { type: 'sms', phone: 'abc' }])(
    'is refused with %j',
    async (body) => {
      expect(await post('/resend', body)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    },
  );
});

describe('a change of number', () => {
  it('ends with a change of password, whoever has its code sent again', async () => {
    const { phone } = await createPhonePerson(service);
    const { access_token: thief } = await signInByPhone(service, phone);
    const his = newPhone();
    await call(service, 'PUT /user', { token: thief, body: { phone: his } });
    const { access_token: token } = await signInByPhone(service, phone);
    const changed = await call(service, 'PUT /user', { token, body: { password: 'outra senha boa' } });
    expect(changed.status).toBe(200);
    expect(changed.body).not.toHaveProperty('new_phone');
    expect((await post('/resend', { type: 'phone_change', phone })).body).toEqual({});
    expect(countTextsTo(service, his)).toBe(1);
    expect((await verify(his, codeTextedTo(service, his), 'phone_change')).status).toBe(403);
    await signInByPhone(service, phone, 'outra senha boa');
  });

  it.each(['global', 'others'])('ends with the sessions that are ended: %s', async (scope) => {
    const { phone } = await createPhonePerson(service);
    const { access_token: thief } = await signInByPhone(service, phone);
    const his = newPhone();
    await call(service, 'PUT /user', { token: thief, body: { phone: his } });
    const { access_token: token } = await signInByPhone(service, phone);
    expect((await call(service, `POST /logout?scope=${scope}`, { token })).status).toBe(204);
    expect((await verify(his, codeTextedTo(service, his), 'phone_change')).status).toBe(403);
    await post('/resend', { type: 'phone_change', phone });
    expect(countTextsTo(service, his)).toBe(1);
    await signInByPhone(service, phone);
  });

  it.each(['global', 'others'])('ends, too, that is being begun at that moment: %s', async (scope) => {
    const { id, phone } = await createPhonePerson(service);
    const { access_token: token } = await signInByPhone(service, phone);
    await signInByPhone(service, phone);
    const sessions = async () =>
      (await service.admin.query('select from auth.sessions where user_id = $1', [id])).rowCount;
    // What PUT /user does last, seen as its session was open.
    const other = await service.admin.connect();
    await other.query('begin');
    await other.query('update auth.users set phone_change = $2 where id = $1', [id, newPhone()]);
    const leaving = call(service, `POST /logout?scope=${scope}`, { token });
    await expect.poll(sessions).toBe(1);
    await other.query('commit');
    other.release();
    expect((await leaving).status).toBe(204);
    expect(await sessions()).toBe(scope === 'global' ? 0 : 1);
    const left = await service.admin.query('select phone_change from auth.users where id = $1', [id]);
    expect(left.rows).toEqual([{ phone_change: '' }]);
  });

  it('ends with a sign-out that is asked for again after it failed', async () => {
    const { id, phone } = await createPhonePerson(service);
    const { access_token: token } = await signInByPhone(service, phone);
    await signInByPhone(service, phone);
    const other = await service.admin.connect();
    await other.query('begin');
    await other.query('update auth.users set phone_change = $2 where id = $1', [id, newPhone()]);
    const leaving = call(service, 'POST /logout', { token });
    await waitForLocks(service, 1);
    await service.admin.query(
      `select pg_cancel_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    );
    expect((await leaving).status).toBeGreaterThanOrEqual(500);
    await other.query('commit');
    other.release();
    expect((await call(service, 'POST /logout', { token })).status).toBe(204);
    const left = await service.admin.query(
      `select u.phone_change, (select count(*)::int from auth.sessions s where s.user_id = u.id) as sessions
       from auth.users u where u.id = $1`,
      [id],
    );
    expect(left.rows).toEqual([{ phone_change: '', sessions: 0 }]);
  });

  it('goes on where its own session alone is ended', async () => {
    const { id, phone } = await createPhonePerson(service);
    const { access_token: token } = await signInByPhone(service, phone);
    const next = newPhone();
    await call(service, 'PUT /user', { token, body: { phone: next } });
    expect((await call(service, 'POST /logout?scope=local', { token })).status).toBe(204);
    const { body } = await verify(next, codeTextedTo(service, next), 'phone_change');
    expect(body).toMatchObject({ user: { id, phone: next } });
  });

  it('waits for the code that the new number gets; the old one signs in until then', async () => {
    const { id, phone } = await createPhonePerson(service);
    const { access_token: token } = await signInByPhone(service, phone);
    const next = newPhone();
    const asked = await call(service, 'PUT /user', { token, body: { phone: `+${next}`, channel: 'sms' } });
    expect(asked.body).toMatchObject({ phone, new_phone: next, phone_change_sent_at: expect.any(String) });
    await signInByPhone(service, phone);
    const { body } = await verify(next, codeTextedTo(service, next), 'phone_change');
    expect(body).toMatchObject({
      user: { id, phone: next, identities: [{ identity_data: { phone: next, phone_verified: true } }] },
    });
    expect((body as Tokens).user).not.toHaveProperty('new_phone');
    await signInByPhone(service, next);
    const old = await post('/token?grant_type=password', { phone, password: PASSWORD });
    expect(old).toMatchObject({ status: 400, body: { code: 'invalid_credentials' } });
  });

  it('gives an account by e-mail a number, as a second way in', async () => {
    const { id, email } = await createPerson(service);
    const { access_token: token } = await signIn(service, email);
    const phone = newPhone();
    await call(service, 'PUT /user', { token, body: { phone } });
    const { body } = await verify(phone, codeTextedTo(service, phone), 'phone_change');
    expect(body).toMatchObject({
      user: { id, email, phone, app_metadata: { provider: 'email', providers: ['email', 'phone'] } },
    });
    expect(await signInByPhone(service, phone)).toMatchObject({ user: { id } });
  });

  it('gives an account by phone an address, as a second way in', async () => {
    const { id, phone } = await createPhonePerson(service);
    const { access_token: token } = await signInByPhone(service, phone);
    const email = newEmail();
    await call(service, 'PUT /user', { token, body: { email } });
    const mailed = service.mails.findLast(({ to }) => to === email);
    const [, hash = ''] = /token=([0-9a-f_pkce]+)/.exec(mailed?.text ?? '') ?? [];
    const { body } = await post('/verify', { type: 'email_change', token_hash: hash });
    expect(body).toMatchObject({
      user: { id, email, phone, app_metadata: { providers: ['phone', 'email'] } },
    });
    expect(await signIn(service, email)).toMatchObject({ user: { id } });
  });

  it('to a number that is somebody else’s looks the same, texts nobody and changes nothing', async () => {
    const [owner, { phone }] = [await createPhonePerson(service), await createPhonePerson(service)];
    const { access_token: token } = await signInByPhone(service, phone);
    const asked = await call(service, 'PUT /user', { token, body: { phone: owner.phone } });
    expect(asked).toMatchObject({ status: 200, body: { new_phone: owner.phone } });
    expect(countTextsTo(service, owner.phone)).toBe(0);
    expect((await post('/resend', { type: 'phone_change', phone })).body).toEqual({});
    expect(countTextsTo(service, owner.phone)).toBe(0);
    expect(await signInByPhone(service, owner.phone)).toMatchObject({ user: { id: owner.id } });
  });

  it('to a number that somebody merely claimed takes it', async () => {
    const claimed = newPhone();
    await signUp(claimed);
    const { id, phone } = await createPhonePerson(service);
    const { access_token: token } = await signInByPhone(service, phone);
    await call(service, 'PUT /user', { token, body: { phone: claimed } });
    const { body } = await verify(claimed, codeTextedTo(service, claimed), 'phone_change');
    expect(body).toMatchObject({ user: { id, phone: claimed } });
    expect(await count(claimed)).toBe(1);
  });

  it('to a number whose account an operator has shut does not take it', async () => {
    const claimed = newPhone();
    const { id } = (await signUp(claimed)).body as { id: string };
    const { phone } = await createPhonePerson(service);
    const { access_token: token } = await signInByPhone(service, phone);
    const change = () => call(service, 'PUT /user', { token, body: { phone: claimed } });
    await change();
    const operator = { token: service.keyring.serviceRoleKey, body: { ban_duration: '24h' } };
    expect((await call(service, `PUT /admin/users/${id}`, operator)).status).toBe(200);
    expect(await verify(claimed, codeTextedTo(service, claimed), 'phone_change')).toMatchObject({
      status: 422,
      body: { code: 'phone_exists' },
    });
    await post('/resend', { type: 'phone_change', phone });
    expect((await change()).body).toMatchObject({ new_phone: claimed });
    // The sign-up and the change before the account was shut.
    expect(countTextsTo(service, claimed)).toBe(2);
    const { rows } = await service.admin.query('select id from auth.users where phone = $1', [claimed]);
    expect(rows).toEqual([{ id }]);
  });

  it('asks for a code of the phone where a password is changed long after signing in', async () => {
    const { phone } = await createPhonePerson(service);
    const { access_token: token } = await signInByPhone(service, phone);
    service.clock.advance(3000);
    const change = (nonce?: string) =>
      call(service, 'PUT /user', { token, body: { password: 'outra senha boa', nonce } });
    expect((await change()).body).toMatchObject({ code: 'reauthentication_needed' });
    expect((await call(service, 'GET /reauthenticate', { token })).body).toEqual({});
    const code = codeTextedTo(service, phone);
    expect((await change(code === '000000' ? '000001' : '000000')).body).toMatchObject({
      code: 'reauthentication_not_valid',
    });
    expect((await change(code)).status).toBe(200);
    await signInByPhone(service, phone, 'outra senha boa');
  });

  it('is nothing for a visitor without a token', async () => {
    const body = { phone: newPhone() };
    expect((await call(service, 'PUT /user', { body })).status).toBe(401);
    expect(countTextsTo(service, body.phone)).toBe(0);
  });
});

describe('an account that is proven in another way', () => {
  const create = async (more: object) => {
    const [email, phone] = [newEmail(), newPhone()];
    const body = { email, phone, password: PASSWORD, ...more };
    const made = await call(service, 'POST /admin/users', { token: service.keyring.serviceRoleKey, body });
    return { email, phone, id: (made.body as { id: string }).id };
  };
  const STRANGE = { password: 'a senha de um estranho', data: { name: 'Estranho' } };

  it('keeps its password and data when its number is proven by whoever asked for that', async () => {
    const { id, email, phone } = await create({ email_confirm: true });
    await signUp(phone, STRANGE);
    const { body } = await verify(phone, codeTextedTo(service, phone));
    expect(body).toMatchObject({ user: { id, user_metadata: {}, phone_confirmed_at: expect.any(String) } });
    await signIn(service, email);
    await signInByPhone(service, phone);
  });

  it('keeps them when its address is', async () => {
    const { id, email, phone } = await create({ phone_confirm: true });
    await post('/signup', { email, ...STRANGE });
    const mailed = service.mails.findLast(({ to }) => to === email);
    const [, hash = ''] = /token=([0-9a-f]+)/.exec(mailed?.text ?? '') ?? [];
    const { body } = await post('/verify', { type: 'signup', token_hash: hash });
    expect(body).toMatchObject({ user: { id, user_metadata: {}, email_confirmed_at: expect.any(String) } });
    await signInByPhone(service, phone);
    await signIn(service, email);
  });
});

describe('giving up a way in', () => {
  it('takes the number along, or the address of whoever goes on by phone', async () => {
    const provider = { issuer: 'http://127.0.0.1:9', clientId: 'a', clientSecret: 'b' };
    const linking = await startAuthService({
      settings: { phoneEnabled: true, mailWaitMs: 20_000, signInProviders: { google: provider } },
    });
    onTestFinished(() => linking.stop());
    const open = async () => {
      const { email } = await createPerson(linking);
      const { access_token: token } = await signIn(linking, email);
      const phone = newPhone();
      await call(linking, 'PUT /user', { token, body: { phone } });
      const proof = { type: 'phone_change', phone, token: codeTextedTo(linking, phone) };
      const { user } = (await call(linking, 'POST /verify', { body: proof })).body as Tokens;
      const identities = user['identities'] as { provider: string; identity_id: string }[];
      const giveUp = (name: string) =>
        call(
          linking,
          `DELETE /user/identities/${identities.find((one) => one.provider === name)?.identity_id}`,
          { token },
        );
      return { email, phone, token, giveUp };
    };
    const one = await open();
    expect((await one.giveUp('phone')).status).toBe(200);
    expect((await call(linking, 'GET /user', { token: one.token })).body).toMatchObject({
      email: one.email,
      phone: '',
    });
    await signIn(linking, one.email);
    const two = await open();
    expect((await two.giveUp('email')).status).toBe(200);
    expect((await call(linking, 'GET /user', { token: two.token })).body).toMatchObject({
      email: '',
      phone: two.phone,
    });
    await signInByPhone(linking, two.phone);
  });
});

describe('an operator', () => {
  const operate = (line: string, body: object) =>
    call(service, line, { token: service.keyring.serviceRoleKey, body });

  it('makes an account with a number, proven or not, or with both', async () => {
    const [phone, email] = [newPhone(), newEmail()];
    const made = await operate('POST /admin/users', { phone: `+${phone}`, password: PASSWORD });
    expect(made.body).toMatchObject({ phone, email: '' });
    expect(made.body).not.toHaveProperty('phone_confirmed_at');
    const { id } = made.body as { id: string };
    const confirmed = await operate(`PUT /admin/users/${id}`, { phone_confirm: true });
    expect(confirmed.body).toMatchObject({ phone_confirmed_at: expect.any(String) });
    await signInByPhone(service, phone);
    const both = { phone: newPhone(), email, phone_confirm: true, email_confirm: true };
    expect((await operate('POST /admin/users', both)).body).toMatchObject({
      app_metadata: { providers: ['email', 'phone'] },
      identities: [{ provider: expect.any(String) }, { provider: expect.any(String) }],
    });
    expect(countTextsTo(service, phone)).toBe(0);
  });

  it('changes a number; no two accounts have the same', async () => {
    const [one, other] = [await createPhonePerson(service), await createPhonePerson(service)];
    const next = newPhone();
    expect((await operate(`PUT /admin/users/${one.id}`, { phone: next })).body).toMatchObject({
      phone: next,
    });
    await signInByPhone(service, next);
    for (const line of [`PUT /admin/users/${one.id}`, 'POST /admin/users'])
      expect(await operate(line, { phone: other.phone })).toMatchObject({
        status: 422,
        body: { code: 'phone_exists' },
      });
    const list = await call(service, `GET /admin/users?filter=${next}`, {
      token: service.keyring.serviceRoleKey,
    });
    expect(list.body).toMatchObject({ users: [{ phone: next }] });
  });

  it('is the only one who may', async () => {
    const { phone } = await createPhonePerson(service);
    const { access_token: token } = await signInByPhone(service, phone);
    const body = { phone: newPhone(), phone_confirm: true };
    expect(await call(service, 'POST /admin/users', { token, body })).toMatchObject({
      status: 403,
      body: { code: 'not_admin' },
    });
  });
});
