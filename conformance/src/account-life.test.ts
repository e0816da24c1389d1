import { randomUUID } from 'node:crypto';
import { findLink, readMails, waitForMail } from '@linkoteca/server-process/read-mails';
import { createClient } from '@supabase/supabase-js';
import { describe, expect, inject, test } from 'vitest';
import { confirmByMail, createPerson } from './support/create-person.ts';
import { createVisitor } from './support/create-visitor.ts';
import { required } from './support/required.ts';

const deployment = inject('deployment');
const newAddress = () => `bia-${randomUUID()}@example.com`;

/** The client as the app uses it: PKCE, with a storage for the code verifier. */
function createPkceVisitor() {
  const kept = new Map<string, string>();
  return createClient(deployment.url, deployment.anonKey, {
    auth: {
      flowType: 'pkce',
      persistSession: true,
      autoRefreshToken: false,
      detectSessionInUrl: false,
      storage: {
        getItem: (key) => kept.get(key) ?? null,
        setItem: (key, value) => void kept.set(key, value),
        removeItem: (key) => void kept.delete(key),
      },
    },
  });
}

describe('signing up', () => {
  test('gives no session before the mail is confirmed, and one afterwards', async () => {
    const visitor = createVisitor(deployment);
    const credentials = { email: newAddress(), password: 'segredo-de-bia' };

    const signedUp = await visitor.auth.signUp({ ...credentials, options: { data: { name: 'Bia Lima' } } });
    expect(signedUp.error).toBeNull();
    expect(signedUp.data.session).toBeNull();
    expect(signedUp.data.user).toMatchObject({
      email: credentials.email,
      user_metadata: { name: 'Bia Lima' },
    });

    const early = await visitor.auth.signInWithPassword(credentials);
    expect(early.error).toMatchObject({ code: 'email_not_confirmed', status: 400 });

    const opened = await confirmByMail(deployment, credentials.email);
    expect(opened.status).toBe(303);
    expect(opened.headers.get('location')).toMatch(new RegExp(`^${deployment.url}`));

    const signedIn = await visitor.auth.signInWithPassword(credentials);
    expect(signedIn.error).toBeNull();
    expect(signedIn.data.session).toMatchObject({ token_type: 'bearer' });
    expect(signedIn.data.session?.expires_in).toBeGreaterThan(90);
  });

  test('with an address that has an account sends no new confirmation and reveals nothing', async () => {
    const person = await createPerson(deployment);
    const again = await createVisitor(deployment).auth.signUp({
      email: person.email,
      password: 'outra-senha-qualquer',
    });
    expect(again.error).toBeNull();
    expect(again.data.session).toBeNull();
    expect(again.data.user?.identities).toHaveLength(1);
    expect(again.data.user?.id).not.toBe(person.id);

    const mails = await readMails(deployment.dataFolder, person.email);
    expect(mails.filter((mail) => mail.text?.includes('/auth/v1/verify'))).toHaveLength(1);
    const stillOld = await createVisitor(deployment).auth.signInWithPassword(person);
    expect(stillOld.error).toBeNull();
  });

  test('refuses a password of five characters and an address that is none', async () => {
    const visitor = createVisitor(deployment);
    const weak = await visitor.auth.signUp({ email: newAddress(), password: '12345' });
    expect(weak.error).toMatchObject({ code: 'weak_password', status: 422 });
    const noAddress = await visitor.auth.signUp({ email: 'isto não é um email', password: 'segredo-de-bia' });
    expect(noAddress.error).toMatchObject({ code: 'validation_failed', status: 400 });
  });

  test('the mail is Portuguese, with a text part and an HTML part', async () => {
    const visitor = createVisitor(deployment);
    const email = newAddress();
    await visitor.auth.signUp({ email, password: 'segredo-de-bia' });
    const mail = await waitForMail(deployment.dataFolder, email);
    expect(mail.subject).toMatch(/confirm/i);
    expect(mail.text).toMatch(/Linkoteca/);
    expect(mail.html).toContain('lang="pt-BR"');
    expect(mail.html).toContain('/auth/v1/verify');
  });
});

describe('signing in', () => {
  test('answers a wrong password and an unknown address alike', async () => {
    const person = await createPerson(deployment);
    const visitor = createVisitor(deployment);
    const wrong = await visitor.auth.signInWithPassword({ email: person.email, password: 'não é esta' });
    const unknown = await visitor.auth.signInWithPassword({ email: newAddress(), password: 'não é esta' });
    expect(wrong.error).toMatchObject({ code: 'invalid_credentials', status: 400 });
    expect(unknown.error).toMatchObject({
      code: 'invalid_credentials',
      status: 400,
      message: wrong.error?.message,
    });
  });

  test('gives a token that verifies against the published keys alone', async () => {
    const { client, id, email } = await createPerson(deployment);
    const { data, error } = await client.auth.getClaims();
    expect(error).toBeNull();
    expect(data?.header).toMatchObject({ alg: 'ES256', kid: expect.any(String) });
    expect(data?.claims).toMatchObject({ sub: id, email, role: 'authenticated', aud: 'authenticated' });

    const keys = (await (await fetch(`${deployment.url}/auth/v1/.well-known/jwks.json`)).json()) as {
      keys: Record<string, unknown>[];
    };
    expect(keys.keys.map((key) => key['kid'])).toContain(data?.header.kid);
    expect(keys.keys.every((key) => !('d' in key) && !('k' in key))).toBe(true);
  });
});

describe('a session', () => {
  test('is refreshed with a new refresh token each time', async () => {
    const { client } = await createPerson(deployment);
    const first = required((await client.auth.getSession()).data.session);
    const second = await client.auth.refreshSession();
    expect(second.error).toBeNull();
    expect(second.data.session?.refresh_token).not.toBe(first.refresh_token);
    const user = await client.auth.getUser();
    expect(user.error).toBeNull();
  });

  test('survives the lost answer to a refresh, but not a token that was stolen long ago', async () => {
    const { client } = await createPerson(deployment);
    const first = required((await client.auth.getSession()).data.session);
    const thief = createVisitor(deployment);
    const second = required((await client.auth.refreshSession()).data.session);

    const lostAnswer = await createVisitor(deployment).auth.refreshSession(first);
    expect(lostAnswer.error).toBeNull();
    expect(lostAnswer.data.session?.refresh_token).toBe(second.refresh_token);

    const stranger = await thief.auth.refreshSession({ refresh_token: 'nunca-existiu' });
    expect(stranger.error).toMatchObject({ code: 'refresh_token_not_found', status: 400 });
  });

  test('ends everywhere, here or elsewhere, as the scope says', async () => {
    const person = await createPerson(deployment);
    const enter = async () => {
      const client = createVisitor(deployment);
      required((await client.auth.signInWithPassword(person)).data.session);
      return client;
    };
    const [laptop, phone, tablet] = [await enter(), await enter(), await enter()];
    const isAlive = async (client: typeof laptop, token: string) =>
      (await client.auth.getUser(token)).error === null;
    const tokenOf = async (client: typeof laptop) =>
      required((await client.auth.getSession()).data.session).access_token;
    const [laptopToken, phoneToken, tabletToken] = [
      await tokenOf(laptop),
      await tokenOf(phone),
      await tokenOf(tablet),
    ];

    expect((await phone.auth.signOut({ scope: 'local' })).error).toBeNull();
    expect(await isAlive(phone, phoneToken)).toBe(false);
    expect(await isAlive(laptop, laptopToken)).toBe(true);

    expect((await laptop.auth.signOut({ scope: 'others' })).error).toBeNull();
    expect(await isAlive(tablet, tabletToken)).toBe(false);
    expect(await isAlive(laptop, laptopToken)).toBe(true);

    expect((await laptop.auth.signOut({ scope: 'global' })).error).toBeNull();
    expect(await isAlive(laptop, laptopToken)).toBe(false);
  });
});

describe('an account', () => {
  test('changes its data by merging, and never its own role', async () => {
    const { client } = await createPerson(deployment, { name: 'Ana' });
    const updated = await client.auth.updateUser({ data: { firstName: 'Ana', lastName: 'Souza' } });
    expect(updated.error).toBeNull();
    expect(updated.data.user?.user_metadata).toMatchObject({
      name: 'Ana',
      firstName: 'Ana',
      lastName: 'Souza',
    });

    const { access_token } = required((await client.auth.getSession()).data.session);
    const raised = await fetch(`${deployment.url}/auth/v1/user`, {
      method: 'PUT',
      headers: {
        apikey: deployment.anonKey,
        authorization: `Bearer ${access_token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ role: 'service_role', app_metadata: { role: 'service_role' } }),
    });
    expect(raised.status).toBe(403);
    const after = required((await client.auth.getUser()).data.user);
    expect(after.role).toBe('authenticated');
    expect(after.app_metadata).not.toHaveProperty('role');
  });

  test('changes its password: the new one opens, the old one does not, other sessions end', async () => {
    const person = await createPerson(deployment);
    const elsewhere = createVisitor(deployment);
    required((await elsewhere.auth.signInWithPassword(person)).data.session);

    const same = await person.client.auth.updateUser({ password: person.password });
    expect(same.error).toMatchObject({ code: 'same_password', status: 422 });
    const changed = await person.client.auth.updateUser({ password: 'uma senha bem nova' });
    expect(changed.error).toBeNull();

    expect((await elsewhere.auth.getUser()).error).not.toBeNull();
    const visitor = createVisitor(deployment);
    expect((await visitor.auth.signInWithPassword(person)).error).toMatchObject({
      code: 'invalid_credentials',
    });
    const entered = await visitor.auth.signInWithPassword({
      email: person.email,
      password: 'uma senha bem nova',
    });
    expect(entered.error).toBeNull();
  });

  test('comes back through the mail for a forgotten password, once', async () => {
    const person = await createPerson(deployment);
    const visitor = createPkceVisitor();
    const redirectTo = `${deployment.url}/change-password`;
    expect((await visitor.auth.resetPasswordForEmail(person.email, { redirectTo })).error).toBeNull();

    const mail = await waitForMail(deployment.dataFolder, person.email, 2);
    const link = findLink(mail, '/auth/v1/verify');
    const opened = await fetch(link, { redirect: 'manual' });
    expect(opened.status).toBe(303);
    const landing = new URL(required(opened.headers.get('location')));
    expect(landing.href.startsWith(redirectTo)).toBe(true);

    const exchanged = await visitor.auth.exchangeCodeForSession(required(landing.searchParams.get('code')));
    expect(exchanged.error).toBeNull();
    expect((await visitor.auth.updateUser({ password: 'lembrei desta vez' })).error).toBeNull();
    const entered = await createVisitor(deployment).auth.signInWithPassword({
      email: person.email,
      password: 'lembrei desta vez',
    });
    expect(entered.error).toBeNull();

    const twice = await fetch(link, { redirect: 'manual' });
    expect(twice.headers.get('location')).toMatch(/error_code=otp_expired/);
  });

  test('a reset for an unknown address answers as for a known one and sends nothing', async () => {
    const email = newAddress();
    const asked = await createVisitor(deployment).auth.resetPasswordForEmail(email);
    expect(asked.error).toBeNull();
    expect(await readMails(deployment.dataFolder, email)).toEqual([]);
  });

  test('a link that asks to be sent to a foreign site comes back to ours', async () => {
    const email = newAddress();
    const visitor = createVisitor(deployment);
    await visitor.auth.signUp({
      email,
      password: 'segredo-de-bia',
      options: { emailRedirectTo: 'https://malvado.example/pegar' },
    });
    const opened = await confirmByMail(deployment, email);
    expect(opened.headers.get('location')).not.toContain('malvado');
    expect(opened.headers.get('location')?.startsWith(deployment.url)).toBe(true);
  });
});

describe('the service', () => {
  test('says what it offers', async () => {
    const settings = await fetch(`${deployment.url}/auth/v1/settings`, {
      headers: { apikey: deployment.anonKey },
    });
    expect(await settings.json()).toMatchObject({
      external: { email: true, phone: false },
      disable_signup: false,
      mailer_autoconfirm: false,
    });
    const health = await fetch(`${deployment.url}/auth/v1/health`);
    expect(await health.json()).toMatchObject({ name: 'GoTrue', version: expect.any(String) });
  });
});
