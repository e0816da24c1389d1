import { createClient } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { parseGoTemplate } from '../../../kernel/go-template/parse-go-template.ts';
import type { AuthSettings } from '../auth-settings.ts';
import { addApp, codeOf } from '../test-support/authenticator-app.ts';
import { call } from '../test-support/call-service.ts';
import {
  addPhone,
  answerPhone,
  askPhone,
  challengePhone,
  enrollPhone,
} from '../test-support/phone-factors.ts';
import { codeTextedTo, countTextsTo, createPhonePerson, newPhone } from '../test-support/phones.ts';
import { createPerson, signIn, type Tokens } from '../test-support/sign-people-in.ts';
import { PASSWORD, startAuthService, type TestService } from '../test-support/start-auth-service.ts';
import { answerJson, startHookReceiver } from '../test-support/start-hook-receiver.ts';

const ON = { phoneFactorEnrollEnabled: true, phoneFactorVerifyEnabled: true, phoneFactorFrequency: 0 };
const WRONG = {
  status: 422,
  body: { code: 'mfa_verification_failed', message: 'Invalid MFA Phone code entered' },
};

async function start(settings: Partial<AuthSettings>): Promise<TestService> {
  const service = await startAuthService({ settings: { ...ON, ...settings } });
  onTestFinished(() => service.stop());
  return service;
}

let service: TestService;
let email: string;
let tokens: Tokens;
beforeAll(async () => {
  service = await startAuthService({
    // Longer than other codes: none is another's by chance.
    settings: { ...ON, phoneFactorCodeLength: 8, phoneEnabled: true },
  });
});
afterAll(() => service.stop());
beforeEach(async () => {
  ({ email } = await createPerson(service));
  tokens = await signIn(service, email);
});

describe('a phone as a second factor', () => {
  it('is added and asked for by the published client', async () => {
    const url = await service.server.listen({ port: 0, host: '127.0.0.1' });
    const open = async () => {
      const { auth } = createClient(url, service.keyring.anonKey, {
        auth: { autoRefreshToken: false, persistSession: false, detectSessionInUrl: false },
      });
      expect((await auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
      return auth;
    };
    const phone = newPhone();
    const first = await open();
    const enrolled = await first.mfa.enroll({ factorType: 'phone', friendlyName: 'Meu', phone: `+${phone}` });
    expect(enrolled).toMatchObject({
      error: null,
      data: { type: 'phone', friendly_name: 'Meu', phone: `+${phone}` },
    });
    const factorId = enrolled.data?.id ?? '';
    const asked = await first.mfa.challenge({ factorId, channel: 'whatsapp' });
    expect(asked).toMatchObject({ error: null, data: { type: 'phone', expires_at: expect.any(Number) } });
    expect(service.texts.at(-1)).toMatchObject({ to: phone, channel: 'whatsapp' });
    const challengeId = asked.data?.id ?? '';
    const added = await first.mfa.verify({ factorId, challengeId, code: codeTextedTo(service, phone) });
    expect(added.error).toBeNull();
    expect((await first.mfa.listFactors()).data?.phone).toMatchObject([
      { id: factorId, friendly_name: 'Meu', phone, status: 'verified' },
    ]);
    const second = await open();
    expect((await second.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: 'aal1',
      nextLevel: 'aal2',
    });
    const again = await second.mfa.challenge({ factorId, channel: 'sms' });
    await second.mfa.verify({
      factorId,
      challengeId: again.data?.id ?? '',
      code: codeTextedTo(service, phone),
    });
    expect((await second.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: 'aal2',
      currentAuthenticationMethods: [{ method: 'mfa/phone' }, { method: 'password' }],
    });
    expect((await second.mfa.unenroll({ factorId })).error).toBeNull();
  });

  it('counts only once its number is proven: until then nobody is asked for it, and nothing is raised', async () => {
    const factor = await enrollPhone(service, tokens);
    await askPhone(service, tokens, factor);
    const next = await signIn(service, email);
    expect(decodeJwt(next.access_token)).toMatchObject({ aal: 'aal1' });
    expect(next.user['factors']).toMatchObject([{ status: 'unverified', phone: factor.phone }]);
    // No second factor is in the way of what a session of the first level may do.
    const changed = await call(service, 'PUT /user', { token: next.access_token, body: { data: { a: 1 } } });
    expect(changed.status).toBe(200);
  });

  it('has one number once, and begun ones make room', async () => {
    const begun = await enrollPhone(service, tokens);
    const { factor, tokens: raised } = await addPhone(service, tokens, { phone: begun.phone });
    expect(factor.factorId).not.toBe(begun.factorId);
    const body = { factor_type: 'phone', phone: factor.phone, friendly_name: 'Outro' };
    expect(await call(service, 'POST /factors', { token: raised.access_token, body })).toMatchObject({
      status: 422,
      body: { code: 'mfa_verified_factor_exists' },
    });
  });

  it.each([
    [{}, 'Phone number required to enroll Phone factor'],
    [{ phone: 'onze' }, 'Invalid phone number format (E.164 required)'],
  ])('needs a number: %j', async (fields, message) => {
    const body = { factor_type: 'phone', ...fields };
    const reply = await call(service, 'POST /factors', { token: tokens.access_token, body });
    expect(reply).toMatchObject({ status: 400, body: { code: 'validation_failed', message } });
  });

  it('is texted by known ways alone', async () => {
    const factor = await enrollPhone(service, tokens);
    expect(await askPhone(service, tokens, factor, { channel: 'pombo' })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    });
    expect(countTextsTo(service, factor.phone)).toBe(0);
  });

  it('takes recovery codes beside it', async () => {
    const own = await start({ totpEnrollEnabled: false, totpVerifyEnabled: false });
    const person = await createPerson(own);
    const { tokens: raised } = await addPhone(own, await signIn(own, person.email));
    const made = await call(own, 'POST /factors/recovery-codes', { token: raised.access_token, body: {} });
    const [code] = (made.body as { codes: string[] }).codes;
    const token = (await signIn(own, person.email)).access_token;
    const reply = await call(own, 'POST /factors/recovery-codes/verify', { token, body: { code } });
    expect(reply.status).toBe(200);
  });
});

describe('an operator', () => {
  it('who says nothing has none', async () => {
    const own = await start({ phoneFactorEnrollEnabled: false, phoneFactorVerifyEnabled: true });
    const token = (await signIn(own, (await createPerson(own)).email)).access_token;
    const body = { factor_type: 'phone', phone: newPhone() };
    expect(await call(own, 'POST /factors', { token, body })).toMatchObject({
      status: 422,
      body: { code: 'mfa_phone_enroll_not_enabled' },
    });
  });

  it('who takes none of their codes sends none either', async () => {
    const own = await start({ phoneFactorVerifyEnabled: false });
    const session = await signIn(own, (await createPerson(own)).email);
    const factor = await enrollPhone(own, session);
    const off = { status: 422, body: { code: 'mfa_phone_verify_not_enabled' } };
    expect(await askPhone(own, session, factor)).toMatchObject(off);
    expect(
      await answerPhone(own, session, factor, { challenge_id: factor.factorId, code: '1' }),
    ).toMatchObject(off);
    expect(own.texts).toEqual([]);
  });

  it('writes the text, says how long a code is and how long it may be waited for', async () => {
    const phoneFactorTemplate = parseGoTemplate('Prova: {{ .Code }}.', { as: 'text', variables: ['Code'] });
    const own = await start({ phoneFactorTemplate, phoneFactorCodeLength: 8, factorChallengeLifetime: 30 });
    const session = await signIn(own, (await createPerson(own)).email);
    const factor = await enrollPhone(own, session);
    const answer = await challengePhone(own, session, factor);
    expect(own.texts[0]?.text).toBe(`Prova: ${answer.code}.`);
    expect(answer.code).toMatch(/^\d{8}$/);
    own.clock.advance(31);
    expect(await answerPhone(own, session, factor, answer)).toMatchObject({
      status: 422,
      body: { code: 'mfa_challenge_expired' },
    });
  });

  it('has a hook send codes, which is told what they are for', async () => {
    const receiver = await startHookReceiver();
    onTestFinished(() => receiver.stop());
    receiver.answer(answerJson({}));
    const own = await start({ hooks: { send_sms: receiver.at('/enviar') }, hookPauseMs: 0 });
    const session = await signIn(own, (await createPerson(own)).email);
    const factor = await enrollPhone(own, session);
    await askPhone(own, session, factor);
    expect(JSON.parse(receiver.messages[0]?.body ?? '')).toMatchObject({
      sms: { otp: expect.stringMatching(/^\d{6}$/), sms_type: 'mfa', phone: factor.phone },
    });
    expect(own.texts).toEqual([]);
  });

  it('whose provider fails is told in the log, and the next code may be asked for at once', async () => {
    const own = await start({ phoneFactorFrequency: 60 });
    const session = await signIn(own, (await createPerson(own)).email);
    const factor = await enrollPhone(own, session);
    own.setTexter(async () => {
      throw new Error('um segredo');
    });
    for (const reply of [await askPhone(own, session, factor), await askPhone(own, session, factor)]) {
      expect(reply).toMatchObject({ status: 422, body: { code: 'sms_send_failed' } });
      expect(JSON.stringify(reply.body)).not.toContain('segredo');
    }
  });
});

describe('an attacker', () => {
  it('neither has codes texted to somebody else’s phone, nor answers for it with an own one', async () => {
    const { factor } = await addPhone(service, tokens);
    const stranger = await signIn(service, (await createPerson(service)).email);
    const own = await enrollPhone(service, stranger);
    const answer = await challengePhone(service, stranger, own);
    const none = { status: 404, body: { code: 'mfa_factor_not_found' } };
    const texts = countTextsTo(service, factor.phone);
    expect(await askPhone(service, stranger, factor)).toMatchObject(none);
    expect(await answerPhone(service, stranger, factor, answer)).toMatchObject(none);
    expect(countTextsTo(service, factor.phone)).toBe(texts);
  });

  it('does not answer one phone’s challenge with the code of another', async () => {
    const { tokens: raised } = await addPhone(service, tokens, { name: 'Um' });
    const { factor: second, tokens: both } = await addPhone(service, raised, { name: 'Dois' });
    const { factor: third } = await addPhone(service, both, { name: 'Três' });
    const next = await signIn(service, email);
    const [one, other] = [
      await challengePhone(service, next, second),
      await challengePhone(service, next, third),
    ];
    expect(await answerPhone(service, next, second, { ...one, code: other.code })).toMatchObject(WRONG);
    expect(await answerPhone(service, next, second, other)).toMatchObject({
      status: 422,
      body: { code: 'mfa_factor_not_found' },
    });
  });

  it('gets nothing for a code that was used, also not by sending it twice at once', async () => {
    const { factor } = await addPhone(service, tokens);
    const sessions = [await signIn(service, email), await signIn(service, email)] as const;
    const answer = await challengePhone(service, sessions[0], factor);
    const replies = await Promise.all(sessions.map((one) => answerPhone(service, one, factor, answer)));
    const [won, lost] = replies.toSorted((a, b) => a.status - b.status);
    // The session that lost ends, as all of the first level do then: it may be over before its answer is looked at.
    expect([won?.status, [403, 422].includes(lost?.status ?? 0)]).toEqual([200, true]);
    const winner = won?.body as Tokens;
    expect((await answerPhone(service, winner, factor, answer)).status).toBe(422);
  });

  it('guesses five times in a while, over any number of codes and phones', async () => {
    const { factor } = await addPhone(service, tokens);
    const thief = await signIn(service, email);
    for (let guess = 0; guess < 5; guess++) {
      const { challenge_id, code } = await challengePhone(service, thief, factor);
      const wrong = code === '00000000' ? '00000001' : '00000000';
      expect(await answerPhone(service, thief, factor, { challenge_id, code: wrong })).toMatchObject(WRONG);
    }
    const right = await challengePhone(service, thief, factor);
    expect(await answerPhone(service, thief, factor, right)).toMatchObject({
      status: 429,
      body: { code: 'over_request_rate_limit' },
    });
  });

  it('who knows the password neither adds a phone nor finishes one begun before there was a factor', async () => {
    const thief = await signIn(service, email);
    const begun = await enrollPhone(service, thief);
    const answer = await challengePhone(service, thief, begun);
    await addApp(service, tokens, 'App');
    // The first proof has ended the thief's session; with the password comes another.
    const back = await signIn(service, email);
    const refused = { status: 403, body: { code: 'insufficient_aal' } };
    const body = { factor_type: 'phone', phone: newPhone(), friendly_name: 'Novo' };
    expect(await call(service, 'POST /factors', { token: back.access_token, body })).toMatchObject(refused);
    expect(await answerPhone(service, back, begun, answer)).toMatchObject(refused);
  });

  it('does not sign in with a factor’s code, nor proves a factor with the code that signs in', async () => {
    const { phone } = await createPhonePerson(service);
    const session = (
      await call(service, 'POST /token?grant_type=password', { body: { phone, password: PASSWORD } })
    ).body as Tokens;
    const { factor } = await addPhone(service, session, { phone });
    await call(service, 'POST /otp', { body: { phone } });
    const signInCode = codeTextedTo(service, phone);
    const next = (
      await call(service, 'POST /token?grant_type=password', { body: { phone, password: PASSWORD } })
    ).body as Tokens;
    const { challenge_id, code } = await challengePhone(service, next, factor);
    expect(await answerPhone(service, next, factor, { challenge_id, code: signInCode })).toMatchObject(WRONG);
    const signedIn = await call(service, 'POST /verify', { body: { type: 'sms', phone, token: code } });
    expect(signedIn).toMatchObject({ status: 403, body: { code: 'otp_expired' } });
    expect((await answerPhone(service, next, factor, { challenge_id, code })).status).toBe(200);
  });

  it('does not answer with the code of an app, nor from elsewhere', async () => {
    const { factor, tokens: raised } = await addPhone(service, tokens);
    const { app } = await addApp(service, raised, 'App');
    const next = await signIn(service, email);
    const answer = await challengePhone(service, next, factor);
    const appCode = codeOf(service, app, 1);
    expect(await answerPhone(service, next, factor, { ...answer, code: appCode })).toMatchObject(WRONG);
    const elsewhere = await call(service, `POST /factors/${factor.factorId}/verify`, {
      token: next.access_token,
      body: answer,
      ip: '10.9.9.9',
    });
    expect(elsewhere).toMatchObject({ status: 422, body: { code: 'mfa_ip_address_mismatch' } });
  });

  it('floods nobody: one text in a while, so many a day, and a number that others write to still serves its owner', async () => {
    const own = await start({
      phoneFactorFrequency: 60,
      smsPerReceiver: { points: 3, seconds: 86_400 },
    });
    const owner = await createPerson(own);
    const { factor } = await addPhone(own, await signIn(own, owner.email));
    // Strangers claim the number, and have texts sent to it until nobody may claim it any more.
    const ask = async (ip: string) => {
      const stranger = await signIn(own, (await createPerson(own)).email);
      return askPhone(own, stranger, await enrollPhone(own, stranger, { phone: factor.phone }), { ip });
    };
    const statuses = [];
    for (const ip of ['10.0.0.1', '10.1.0.1', '10.2.0.1']) {
      own.clock.advance(61);
      statuses.push((await ask(ip)).status);
    }
    // The proof of the number itself was the first of the day.
    expect(statuses).toEqual([200, 200, 429]);
    const session = await signIn(own, owner.email);
    expect((await askPhone(own, session, factor)).status).toBe(200);
    expect(await askPhone(own, session, factor)).toMatchObject({
      status: 429,
      body: { code: 'over_sms_send_rate_limit' },
    });
  });

  it('reads no code in the database', async () => {
    const factor = await enrollPhone(service, tokens);
    const { challenge_id: id, code } = await challengePhone(service, tokens, factor);
    const { rows } = await service.admin.query('select otp_code from auth.mfa_challenges where id = $1', [
      id,
    ]);
    expect(rows[0].otp_code).toMatch(/^[0-9a-f]{64}$/);
    expect(rows[0].otp_code).not.toContain(code);
  });
});
