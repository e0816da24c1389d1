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
  waitForLocks,
} from '../test-support/sign-people-in.ts';
import { PASSWORD, startAuthService, type TestService } from '../test-support/start-auth-service.ts';

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

  it('makes void what was mailed to the old address before', async () => {
    const { access_token: token, user } = await newSession();
    await call(service, 'POST /recover', { body: { email: user.email } });
    const reset = linkMailedTo(service, user.email);
    const email = newEmail();
    await update(token, { email });
    await follow(service, linkMailedTo(service, user.email));
    await follow(service, linkMailedTo(service, email));
    expect((await call(service, 'GET /user', { token })).body).toMatchObject({ email });
    expect(readFragment(await follow(service, reset))['error_code']).toBe('otp_expired');
  });

  it('makes it void, too, where an operator changes it, but nothing where the address stays', async () => {
    const { email: old, id } = await createPerson(service);
    const put = (email: string) =>
      call(service, `PUT /admin/users/${id}`, { token: service.keyring.serviceRoleKey, body: { email } });
    for (const email of [old, newEmail()]) {
      await call(service, 'POST /recover', { body: { email: old } });
      const reset = linkMailedTo(service, old);
      expect(await put(email)).toMatchObject({ status: 200, body: { email } });
      expect(readFragment(await follow(service, reset))['error_code']).toBe(
        email === old ? undefined : 'otp_expired',
      );
    }
  });

  it('goes on, and the address stays proven, where an operator sends the account with the address it has', async () => {
    const { access_token: token, user } = await newSession();
    const email = newEmail();
    await update(token, { email });
    const links = [user.email, email].map((to) => linkMailedTo(service, to));
    const operator = { token: service.keyring.serviceRoleKey, body: { email: user.email } };
    expect(await call(service, `PUT /admin/users/${user.id}`, operator)).toMatchObject({
      status: 200,
      body: {
        new_email: email,
        identities: [{ identity_data: { email: user.email, email_verified: true } }],
      },
    });
    for (const link of links) await follow(service, link);
    expect((await call(service, 'GET /user', { token })).body).toMatchObject({ email });
  });

  it('lets the mail of a sign-up prove the address it went to alone, and not one that an operator gave the account since', async () => {
    const [old, email] = [newEmail(), newEmail()];
    const { id } = (await call(service, 'POST /signup', { body: { email: old, password: PASSWORD } }))
      .body as {
      id: string;
    };
    const operator = { token: service.keyring.serviceRoleKey, body: { email } };
    expect((await call(service, `PUT /admin/users/${id}`, operator)).status).toBe(200);
    const followed = readFragment(await follow(service, linkMailedTo(service, old)));
    expect(followed['error_code']).toBe('otp_expired');
    const { token } = operator;
    expect((await call(service, `GET /admin/users/${id}`, { token })).body).not.toHaveProperty(
      'email_confirmed_at',
    );
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

  it('ends with a change of password, whoever has its mails sent again', async () => {
    const simple = await startAuthService({ settings: { secureEmailChange: false } });
    try {
      const { email: old } = await createPerson(simple);
      const { access_token: thief } = await signIn(simple, old);
      const email = newEmail();
      await call(simple, 'PUT /user', { token: thief, body: { email } });
      const { access_token: token } = await signIn(simple, old);
      const changed = await call(simple, 'PUT /user', { token, body: { password: 'outra senha boa' } });
      expect(changed.status).toBe(200);
      expect(changed.body).not.toHaveProperty('new_email');
      const again = { body: { type: 'email_change', email: old } };
      expect(await call(simple, 'POST /resend', again)).toMatchObject({ status: 200, body: {} });
      expect(simple.mails.filter(({ to }) => to === email)).toHaveLength(1);
    } finally {
      await simple.stop();
    }
  });

  it('does not tell whether the address is taken, except to whoever owns it', async () => {
    const { email: taken } = await createPerson(service);
    const free = newEmail();
    const answers: string[] = [];
    for (const email of [free, taken]) {
      const { access_token: token, user } = await newSession();
      const before = service.mails.length;
      const { status, body } = await update(token, { email: email.toUpperCase() });
      answers.push(
        `${status} ${Object.keys(body as object).join()} ${(body as { new_email: string }).new_email === email}`,
      );
      expect(service.mails.slice(before).map(({ to, subject }) => [to, subject])).toEqual([
        [user.email, 'Confirme a troca de e-mail'],
        [email, email === taken ? 'Você já tem uma conta na Linkoteca' : 'Confirme seu novo e-mail'],
      ]);
      await follow(service, linkMailedTo(service, user.email));
      expect((await call(service, 'GET /user', { token })).body).toMatchObject({ email: user.email });
    }
    expect(answers[0]).toBe(answers[1]);
  });

  it('is not kept from an address by a stranger who signed up with it and cannot confirm it', async () => {
    const email = newEmail();
    const squat = { email, password: 'do invasor', data: { name: 'Invasor' } };
    await call(service, 'POST /signup', { body: squat });
    const { access_token: token, user } = await newSession();
    await update(token, { email });
    await follow(service, linkMailedTo(service, user.email));
    await follow(service, linkMailedTo(service, email));
    expect((await signIn(service, email)).user.id).toBe(user.id);
    const { rows } = await service.admin.query('select id from auth.users where email = $1', [email]);
    expect(rows).toEqual([{ id: user.id }]);
  });

  it.each([
    ['has given rights', { app_metadata: { team: 'a' } }],
    ['has shut', { ban_duration: '24h' }],
  ])('deletes no account that an operator %s', async (_what, more) => {
    const { access_token: token, user } = await newSession();
    const email = newEmail();
    await update(token, { email });
    const operator = { token: service.keyring.serviceRoleKey };
    const body = { email, ...more };
    const made = (await call(service, 'POST /admin/users', { ...operator, body })).body as { id: string };
    await follow(service, linkMailedTo(service, user.email));
    expect(readFragment(await follow(service, linkMailedTo(service, email)))['error_code']).toBe(
      'email_exists',
    );
    expect(await call(service, `GET /admin/users/${made.id}`, operator)).toMatchObject({
      status: 200,
      body: { email },
    });
  });

  it('refuses an address that is taken by the time both have agreed', async () => {
    const { access_token: token, user } = await newSession();
    const late = newEmail();
    await update(token, { email: late });
    await createPerson(service, { email: late });
    await follow(service, linkMailedTo(service, user.email));
    expect(readFragment(await follow(service, linkMailedTo(service, late)))['error_code']).toBe(
      'email_exists',
    );
    expect((await call(service, 'GET /user', { token })).body).toMatchObject({ email: user.email });
  });

  it('takes no address from somebody who is proving it at that moment', async () => {
    const email = newEmail();
    await call(service, 'POST /signup', { body: { email, password: PASSWORD } });
    const { access_token: token, user } = await newSession();
    await update(token, { email });
    await follow(service, linkMailedTo(service, user.email));
    const other = await service.admin.connect();
    await other.query('begin');
    await other.query('update auth.users set email_confirmed_at = now() where email = $1', [email]);
    const arrival = follow(service, linkMailedTo(service, email));
    await waitForLocks(service, 1);
    await other.query('commit');
    other.release();
    expect(readFragment(await arrival)['error_code']).toBe('email_exists');
    const { rows } = await service.admin.query('select id from auth.users where email = $1', [email]);
    expect(rows).toHaveLength(1);
    expect(rows).not.toEqual([{ id: user.id }]);
  });

  it('is agreed to for nothing once it was called off', async () => {
    const { access_token: token, user } = await newSession();
    const email = newEmail();
    await update(token, { email });
    await service.admin.query(`update auth.users set email_change = '' where id = $1`, [user.id]);
    for (const to of [user.email, email])
      expect(readFragment(await follow(service, linkMailedTo(service, to)))['error_code']).toBe(
        'otp_expired',
      );
    expect((await call(service, 'GET /user', { token })).body).toMatchObject({ email: user.email });
  });

  it('is not made by two halves of two changes', async () => {
    const { access_token: token, user } = await newSession();
    for (const email of [newEmail(), newEmail()]) {
      await update(token, { email });
      const half = await follow(service, linkMailedTo(service, email));
      expect(readFragment(half)['message']).toMatch(/^Confirmation link accepted\./);
      expect((await call(service, 'GET /user', { token })).body).toMatchObject({
        email: user.email,
        new_email: email,
      });
    }
  });

  it('needs the new address alone for an account that has none', async () => {
    const { access_token: token, user } = await newSession();
    const email = newEmail();
    await update(token, { email });
    await service.admin.query('update auth.users set email = null where id = $1', [user.id]);
    const whole = readFragment(await follow(service, linkMailedTo(service, email)));
    expect(whole['type']).toBe('email_change');
    expect((await call(service, 'GET /user', { token })).body).toMatchObject({ email });
  });

  it('changes nothing when it is the same one in other letters', async () => {
    const { access_token: token, user } = await newSession();
    const before = service.mails.length;
    expect((await update(token, { email: user.email.toUpperCase() })).status).toBe(200);
    expect(service.mails).toHaveLength(before);
  });

  it('does not fill a mailbox for whoever owns many accounts, nor by having its mails sent again', async () => {
    const careful = await startAuthService({
      settings: { mailFrequency: 60, mailsPerReceiver: { points: 3, seconds: 86_400 } },
    });
    try {
      const victim = newEmail();
      const statuses: number[] = [];
      for (let account = 0; account < 6; account += 1) {
        const { email } = await createPerson(careful);
        const { access_token: token } = await signIn(careful, email);
        const ip = `10.8.0.${account}`;
        statuses.push((await call(careful, 'PUT /user', { token, body: { email: victim }, ip })).status);
        careful.clock.advance(61);
        const again = { body: { type: 'email_change', email }, ip };
        expect((await call(careful, 'POST /resend', again)).status).toBe(200);
        careful.clock.advance(61);
      }
      expect(statuses).toEqual([200, 200, 429, 429, 429, 429]);
      expect(careful.mails.filter(({ to }) => to === victim)).toHaveLength(3);
    } finally {
      await careful.stop();
    }
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
