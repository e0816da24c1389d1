import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../test-support/call-service.ts';
import {
  createPerson,
  follow,
  linkMailedTo,
  newEmail,
  readFragment,
  signIn,
  type Tokens,
} from '../test-support/sign-people-in.ts';
import { startAuthService, type TestService } from '../test-support/start-auth-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startAuthService();
});
afterAll(() => service.stop());

async function newSession(): Promise<Tokens> {
  const { email } = await createPerson(service);
  return signIn(service, email);
}

const update = (token: string, body: object) => call(service, 'PUT /user', { token, body });

describe('PUT /user with another address', () => {
  it('changes it when both addresses have agreed, in either order', async () => {
    for (const first of ['old', 'new'] as const) {
      const { access_token: token, user } = await newSession();
      const email = newEmail();
      const started = await update(token, { email });
      expect(started).toMatchObject({ status: 200, body: { email: user.email, new_email: email } });
      const links = { old: linkMailedTo(service, user.email), new: linkMailedTo(service, email) };

      const half = await follow(service, links[first]);
      expect(readFragment(half)['message']).toMatch(/^Confirmation link accepted\./);
      expect(readFragment(await follow(service, links[first]))['error_code']).toBe('otp_expired');
      expect((await call(service, 'GET /user', { token })).body).toMatchObject({ email: user.email });

      const whole = readFragment(await follow(service, links[first === 'old' ? 'new' : 'old']));
      expect(whole['type']).toBe('email_change');
      const changed = await call(service, 'GET /user', { token });
      expect(changed.body).toMatchObject({ email, identities: [{ email, identity_data: { email } }] });
      expect(changed.body).not.toHaveProperty('new_email');
      await signIn(service, email);
    }
  });

  it('answers the first agreement without a user when it comes as a code', async () => {
    const { access_token: token } = await newSession();
    const email = newEmail();
    await update(token, { email });
    const hash = linkMailedTo(service, email).searchParams.get('token');
    const reply = await call(service, 'POST /verify', { body: { type: 'email_change', token_hash: hash } });
    expect(reply).toMatchObject({
      status: 200,
      body: { code: '200', msg: expect.stringMatching(/^Confirmation link accepted/) },
    });
  });

  it('needs the new address alone where the installation says so', async () => {
    const simple = await startAuthService({ settings: { secureEmailChange: false } });
    try {
      const { email: old } = await createPerson(simple);
      const { access_token: token } = await signIn(simple, old);
      const email = newEmail();
      await call(simple, 'PUT /user', { token, body: { email } });
      expect(simple.mails.map(({ to }) => to)).toEqual([email]);
      await follow(simple, linkMailedTo(simple, email));
      await signIn(simple, email);
    } finally {
      await simple.stop();
    }
  });

  it('refuses an address that is taken, now or by the time both have agreed', async () => {
    const { email: taken } = await createPerson(service);
    const { access_token: token, user } = await newSession();
    expect(await update(token, { email: taken.toUpperCase() })).toMatchObject({
      status: 422,
      body: { code: 'email_exists' },
    });
    const late = newEmail();
    await update(token, { email: late });
    await createPerson(service, { email: late });
    await follow(service, linkMailedTo(service, user.email));
    expect(readFragment(await follow(service, linkMailedTo(service, late)))['error_code']).toBe(
      'email_exists',
    );
    expect((await call(service, 'GET /user', { token })).body).toMatchObject({ email: user.email });
  });

  it('changes nothing when it is the same one in other letters', async () => {
    const { access_token: token, user } = await newSession();
    const before = service.mails.length;
    expect((await update(token, { email: user.email.toUpperCase() })).status).toBe(200);
    expect(service.mails).toHaveLength(before);
  });

  it('is asked for again by resend, whose links void the earlier ones', async () => {
    const { access_token: token, user } = await newSession();
    const email = newEmail();
    await update(token, { email });
    const old = linkMailedTo(service, email);
    expect(
      await call(service, 'POST /resend', { body: { type: 'email_change', email: user.email } }),
    ).toMatchObject({
      status: 200,
      body: {},
    });
    expect(readFragment(await follow(service, old))['error_code']).toBe('otp_expired');
    await follow(service, linkMailedTo(service, user.email));
    await follow(service, linkMailedTo(service, email));
    expect((await call(service, 'GET /user', { token })).body).toMatchObject({ email });
  });
});
