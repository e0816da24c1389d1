import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addApp } from './test-support/authenticator-app.ts';
import { addPasskey } from './test-support/passkeys.ts';
import { createPerson, follow, linkMailedTo, newEmail, signIn } from './test-support/sign-people-in.ts';
import { PASSWORD, SITE_URL, startAuthService, type TestService } from './test-support/start-auth-service.ts';

let service: TestService;
let url = '';
beforeAll(async () => {
  service = await startAuthService({ settings: { passkeysEnabled: true } });
  url = await service.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => service.stop());

const options = {
  auth: {
    autoRefreshToken: false,
    persistSession: false,
    detectSessionInUrl: false,
    experimental: { passkey: true },
  },
};
const asOperator = () => createClient(url, service.keyring.serviceRoleKey, options).auth.admin;
async function asPerson(email: string, password = PASSWORD) {
  const { auth } = createClient(url, service.keyring.anonKey, options);
  expect((await auth.signInWithPassword({ email, password })).error).toBeNull();
  return auth;
}
const REFUSED = { code: 'not_admin', status: 403 };

describe('an operator with the published client', () => {
  it('invites somebody, who comes in by the mail, and nobody who has an account', async () => {
    const email = newEmail();
    const invited = await asOperator().inviteUserByEmail(email, {
      data: { name: 'Bia' },
      redirectTo: `${SITE_URL}/bem-vinda`,
    });
    expect(invited).toMatchObject({ error: null, data: { user: { email, invited_at: expect.any(String) } } });
    expect((await follow(service, linkMailedTo(service, email))).hash).toContain('access_token=');
    expect((await asOperator().inviteUserByEmail(email)).error).toMatchObject({ code: 'email_exists' });
    const stranger = await asPerson((await createPerson(service)).email);
    expect((await stranger.admin.inviteUserByEmail(newEmail())).error).toMatchObject(REFUSED);
  });

  it('sees somebody’s factors and takes one away; others do not', async () => {
    const { id: userId, email } = await createPerson(service);
    const { app } = await addApp(service, await signIn(service, email), 'Celular');
    const stranger = (await asPerson((await createPerson(service)).email)).admin.mfa;
    expect((await stranger.listFactors({ userId })).error).toMatchObject(REFUSED);
    expect((await stranger.deleteFactor({ userId, id: app.factorId })).error).toMatchObject(REFUSED);
    const { mfa } = asOperator();
    const { data } = await mfa.listFactors({ userId });
    expect(data?.factors).toMatchObject([{ id: app.factorId, friendly_name: 'Celular', status: 'verified' }]);
    expect((await mfa.deleteFactor({ userId, id: app.factorId })).error).toBeNull();
    expect((await mfa.listFactors({ userId })).data?.factors).toEqual([]);
  });

  it('takes a passkey away; others do not', async () => {
    const { id: userId, email } = await createPerson(service);
    const { id: passkeyId } = await addPasskey(service, await signIn(service, email));
    const stranger = (await asPerson((await createPerson(service)).email)).admin.passkey;
    expect((await stranger.deletePasskey({ userId, passkeyId })).error).toMatchObject(REFUSED);
    const { passkey } = asOperator();
    expect((await passkey.listPasskeys({ userId })).data).toMatchObject([{ id: passkeyId }]);
    expect((await passkey.deletePasskey({ userId, passkeyId })).error).toBeNull();
    expect((await passkey.listPasskeys({ userId })).data).toEqual([]);
  });
});

describe('a person with the published client', () => {
  it('proves who they are again, for another password', async () => {
    const { email } = await createPerson(service);
    const auth = await asPerson(email);
    await service.admin.query(`update auth.sessions set created_at = created_at - interval '1 day'`);
    await service.admin.query(
      `update auth.mfa_amr_claims set created_at = created_at - interval '1 day', updated_at = updated_at - interval '1 day'`,
    );
    const password = 'outra senha boa';
    expect((await auth.updateUser({ password })).error).toMatchObject({ code: 'reauthentication_needed' });
    expect((await auth.reauthenticate()).error).toBeNull();
    const mail = service.mails.findLast(({ to }) => to === email);
    const [nonce = ''] = /\b\d{6}\b/.exec(mail?.text ?? '') ?? [];
    expect(
      (await auth.updateUser({ password, nonce: nonce === '000000' ? '111111' : '000000' })).error,
    ).toMatchObject({
      code: 'reauthentication_not_valid',
    });
    expect((await auth.updateUser({ password, nonce })).error).toBeNull();
    await asPerson(email, password);
  });

  it('asks for a confirmation once more, and signs out what refreshes itself', async () => {
    const email = newEmail();
    const { auth } = createClient(url, service.keyring.anonKey, options);
    await auth.signUp({ email, password: PASSWORD });
    const first = linkMailedTo(service, email).href;
    expect((await auth.resend({ type: 'signup', email })).error).toBeNull();
    const second = linkMailedTo(service, email);
    expect(second.href).not.toBe(first);
    await follow(service, second);
    expect((await auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
    await auth.startAutoRefresh();
    await auth.stopAutoRefresh();
    expect((await auth.signOut()).error).toBeNull();
    expect((await auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' });
  });
});
