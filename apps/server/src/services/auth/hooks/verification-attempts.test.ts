import { randomUUID } from 'node:crypto';
import { createThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase } from '../../../kernel/database.ts';
import { DEFAULT_AUTH_SETTINGS } from '../auth-settings.ts';
import { addApp, answerApp, codeOf, wrongCodeOf } from '../test-support/authenticator-app.ts';
import { call } from '../test-support/call-service.ts';
import { createPhonePerson, newPhone } from '../test-support/phones.ts';
import { answerKey, enrollKey } from '../test-support/security-keys.ts';
import { createPerson, newEmail, signIn } from '../test-support/sign-people-in.ts';
import { SoftwareAuthenticator } from '../test-support/software-authenticator.ts';
import { PASSWORD, startAuthService, type TestService } from '../test-support/start-auth-service.ts';
import { answerJson, type HookReceiver, startHookReceiver } from '../test-support/start-hook-receiver.ts';
import { askAboutFactor } from './verification-attempts.ts';

let receiver: HookReceiver;
beforeAll(async () => {
  receiver = await startHookReceiver();
});
afterAll(() => receiver.stop());
beforeEach(() => {
  receiver.answer(answerJson({ decision: 'continue' }));
  receiver.forget();
});
const told = () => receiver.messages.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

describe('a hook that is asked about passwords', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startAuthService({
      settings: {
        phoneEnabled: true,
        hooks: { password_verification_attempt: receiver.at('/senha') },
        hookPauseMs: 0,
      },
    });
  });
  afterAll(() => service.stop());
  const enter = (email: string, password = PASSWORD) =>
    call(service, 'POST /token?grant_type=password', { body: { email, password } });
  const countSessions = async (userId: string) =>
    (await service.admin.query('select from auth.sessions where user_id = $1', [userId])).rowCount;

  it('hears of right and wrong ones, by address and by phone, but not the password, nor of unknown addresses', async () => {
    const [{ id, email }, byPhone] = [await createPerson(service), await createPhonePerson(service)];
    expect((await enter(newEmail())).status).toBe(400);
    expect((await enter(email, 'uma senha errada')).status).toBe(400);
    await expect.poll(() => told().length).toBe(1);
    await signIn(service, email);
    const { phone } = byPhone;
    await call(service, 'POST /token?grant_type=password', { body: { phone, password: PASSWORD } });
    expect(told()).toMatchObject([
      { metadata: { name: 'password-verification', ip_address: '127.0.0.1' }, user_id: id, valid: false },
      { user_id: id, valid: true },
      { user_id: byPhone.id, valid: true },
    ]);
    for (const { body } of receiver.messages) expect(body).not.toMatch(/senha (errada|boa)/);
  });

  it('rejects a right one in its own words, and signs the person out where it says so', async () => {
    const { id, email } = await createPerson(service);
    await signIn(service, email);
    receiver.answer(answerJson({ decision: 'reject', message: 'Espere dez segundos' }));
    expect(await enter(email)).toMatchObject({
      status: 400,
      body: { code: 'invalid_credentials', message: 'Espere dez segundos' },
    });
    expect(await countSessions(id)).toBe(1);
    receiver.answer(answerJson({ decision: 'reject', should_logout_user: true }));
    expect((await enter(email)).body).toMatchObject({
      message: 'Further password verification attempts will be rejected.',
    });
    expect(await countSessions(id)).toBe(0);
  });

  it('ends a change of number, too, that is being begun while it signs somebody out', async () => {
    const { id, email } = await createPerson(service);
    await signIn(service, email);
    receiver.answer(answerJson({ decision: 'reject', should_logout_user: true }));
    const other = await service.admin.connect();
    await other.query('begin');
    await other.query('update auth.users set phone_change = $2 where id = $1', [id, newPhone()]);
    const rejected = enter(email);
    await expect.poll(() => countSessions(id)).toBe(0);
    await other.query('commit');
    other.release();
    expect((await rejected).status).toBe(400);
    const left = await service.admin.query('select phone_change from auth.users where id = $1', [id]);
    expect(left.rows).toEqual([{ phone_change: '' }]);
  });

  it('says nothing to whoever typed a wrong one, and keeps him waiting no longer than for an unknown address', async () => {
    const { id, email } = await createPerson(service);
    await signIn(service, email);
    const hung = Promise.withResolvers<void>();
    const reject = answerJson({ decision: 'reject', message: 'Um segredo', should_logout_user: true });
    receiver.answer((response, message) => void hung.promise.then(() => reject(response, message)));
    const known = await enter(email, 'uma senha errada');
    const unknown = await enter(newEmail(), 'uma senha errada');
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    hung.resolve();
    await expect.poll(() => countSessions(id)).toBe(0);
  });

  it.each([
    ['answers nothing it may', answerJson({ decision: 'talvez' })],
    ['fails', answerJson({}, 500)],
  ])('lets nobody in when it %s', async (_what, answer) => {
    const { id, email } = await createPerson(service);
    receiver.answer(answer);
    expect(await enter(email)).toMatchObject({ status: 500, body: { code: 'unexpected_failure' } });
    expect(await countSessions(id)).toBe(0);
  });
});

describe('a hook that is asked about second factors', () => {
  const factor = { userId: randomUUID(), factorId: randomUUID(), factorType: 'totp' as const };
  it('hears of right and wrong codes; whom it rejects is signed out everywhere, and told its words', async () => {
    const database = await createThrowawayDatabase();
    const db = createDatabase({ ...database.authenticator, max: 2 });
    try {
      const { admin } = database;
      for (const id of [factor.userId, randomUUID()]) {
        await admin.query('insert into auth.users (id) values ($1)', [id]);
        await admin.query('insert into auth.sessions (id, user_id) values (gen_random_uuid(), $1)', [id]);
      }
      const context = {
        db,
        now: () => new Date(),
        logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
        settings: {
          ...DEFAULT_AUTH_SETTINGS,
          siteUrl: 'https://linkoteca.test',
          hooks: { mfa_verification_attempt: receiver.at('/fator') },
        },
      };
      const ask = (valid: boolean) => askAboutFactor(context, { ip: '10.0.0.1' }, { ...factor, valid });
      await ask(true);
      expect(told()).toMatchObject([
        {
          metadata: { name: 'mfa-verification', ip_address: '10.0.0.1' },
          user_id: factor.userId,
          factor_id: factor.factorId,
          factor_type: 'totp',
          valid: true,
        },
      ]);
      receiver.answer(answerJson({ decision: 'reject', message: 'Chega' }));
      await expect(ask(false)).rejects.toMatchObject({
        status: 403,
        code: 'mfa_verification_rejected',
        message: 'Chega',
      });
      const { rows } = await admin.query('select user_id from auth.sessions');
      expect(rows).toHaveLength(1);
      expect(rows[0]).not.toMatchObject({ user_id: factor.userId });
      receiver.answer(answerJson({ decision: 'reject' }));
      await expect(ask(true)).rejects.toThrow('Further MFA verification attempts will be rejected.');
      receiver.answer(answerJson({}));
      await expect(ask(true)).rejects.toMatchObject({ code: 'unexpected_failure' });
      receiver.forget();
      await askAboutFactor(
        { ...context, settings: { ...context.settings, hooks: {} } },
        { ip: '10.0.0.1' },
        { ...factor, valid: true },
      );
      expect(told()).toEqual([]);
    } finally {
      await db.pool.end();
      await database.drop();
    }
  });

  describe('in the service', () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startAuthService({
        settings: {
          hooks: { mfa_verification_attempt: receiver.at('/fator') },
          hookPauseMs: 0,
          webAuthnEnrollEnabled: true,
          webAuthnVerifyEnabled: true,
        },
      });
    });
    afterAll(() => service.stop());

    it('hears of each code of an app and of each recovery code, right or wrong', async () => {
      service.clock.hold();
      const { id, email } = await createPerson(service);
      const { app, tokens } = await addApp(service, await signIn(service, email));
      const { codes } = (await call(service, 'POST /factors/recovery-codes', { token: tokens.access_token }))
        .body as { codes: string[] };
      const token = (await signIn(service, email)).access_token;
      receiver.forget();
      await answerApp(service, { access_token: token }, app, wrongCodeOf(service, app));
      await call(service, 'POST /factors/recovery-codes/verify', { token, body: { code: 'nada' } });
      await call(service, 'POST /factors/recovery-codes/verify', { token, body: { code: codes[0] } });
      expect(told()).toMatchObject([
        { user_id: id, factor_id: app.factorId, factor_type: 'totp', valid: false },
        { user_id: id, factor_type: 'recovery_code', valid: false },
        { user_id: id, factor_type: 'recovery_code', valid: true },
      ]);
    });

    it('hears of each answer of a key, and rejects a new one before it counts', async () => {
      const { id, email } = await createPerson(service);
      const tokens = await signIn(service, email);
      const key = {
        factorId: await enrollKey(service, tokens),
        authenticator: new SoftwareAuthenticator(),
      };
      receiver.forget();
      await answerKey(service, tokens, key, { origin: 'https://evil.test' });
      receiver.answer(answerJson({ decision: 'reject' }));
      expect(await answerKey(service, tokens, key)).toMatchObject({
        status: 403,
        body: { code: 'mfa_verification_rejected' },
      });
      const about = { user_id: id, factor_id: key.factorId, factor_type: 'webauthn' };
      expect(told()).toMatchObject([
        { ...about, valid: false },
        { ...about, valid: true },
      ]);
      const { rows } = await service.admin.query(
        'select status, web_authn_credential from auth.mfa_factors where id = $1',
        [key.factorId],
      );
      expect(rows).toEqual([{ status: 'unverified', web_authn_credential: null }]);
    });

    it.each([
      ['removed', 'DELETE /factors/recovery-codes', 404, 'mfa_factor_not_found'],
      ['replaced', 'POST /factors/recovery-codes/regenerate', 422, 'mfa_verification_failed'],
    ])(
      'raises no session by a recovery code whose set is %s while it is asked',
      async (_how, line, status, code) => {
        service.clock.hold();
        service.clock.advance(60);
        const { email } = await createPerson(service);
        const { tokens: owner } = await addApp(service, await signIn(service, email));
        const { codes } = (await call(service, 'POST /factors/recovery-codes', { token: owner.access_token }))
          .body as { codes: string[] };
        const { access_token: token } = await signIn(service, email);
        const [asked, hung] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const agree = answerJson({ decision: 'continue' });
        receiver.answer((response, message) => {
          asked.resolve();
          void hung.promise.then(() => agree(response, message));
        });
        const late = call(service, 'POST /factors/recovery-codes/verify', {
          token,
          body: { code: codes[0] },
        });
        await asked.promise;
        expect((await call(service, line, { token: owner.access_token })).status).toBe(200);
        hung.resolve();
        expect(await late).toMatchObject({ status, body: { code } });
      },
    );

    it('whose right code it rejects has no second level, and no session left', async () => {
      service.clock.hold();
      service.clock.advance(60);
      const { id, email } = await createPerson(service);
      const { app } = await addApp(service, await signIn(service, email));
      service.clock.advance(30);
      const tokens = await signIn(service, email);
      receiver.answer(answerJson({ decision: 'reject', message: 'Espere' }));
      expect(await answerApp(service, tokens, app, codeOf(service, app))).toMatchObject({
        status: 403,
        body: { code: 'mfa_verification_rejected', message: 'Espere' },
      });
      const { rowCount } = await service.admin.query('select from auth.sessions where user_id = $1', [id]);
      expect(rowCount).toBe(0);
    });
  });
});
