import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createMailer, type Mailer } from '../../kernel/mail.ts';
import { newEmail } from './test-support/sign-people-in.ts';
import { PASSWORD, SITE_URL, startAuthService, type TestService } from './test-support/start-auth-service.ts';

/** The published client against a listening server, with the mails on their way over real SMTP and as files. */
const received: Email[] = [];
let smtp: SMTPServer;
let mailFolder = '';
let mailer: Mailer;
let service: TestService;
let url = '';

beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: async (stream, _session, done) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      received.push(await PostalMime.parse(Buffer.concat(chunks)));
      done();
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  mailFolder = await mkdtemp(join(tmpdir(), 'linkoteca-auth-'));
  const smtpUrl = `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`;
  mailer = createMailer({ smtpUrl, from: 'Linkoteca <nao-responda@linkoteca.test>', mailFolder });
  service = await startAuthService({ mailer });
  url = await service.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await service.stop();
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
  await rm(mailFolder, { recursive: true, force: true });
});

/** A browser's storage, in memory. */
function createStorage() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

function openClient(flowType: 'pkce' | 'implicit' = 'pkce', key = service.keyring.anonKey): SupabaseClient {
  return createClient(url, key, {
    auth: { flowType, autoRefreshToken: false, detectSessionInUrl: false, storage: createStorage() },
  });
}

function findMail(email: string): Email {
  const mail = received.findLast(({ to }) => to?.some(({ address }) => address === email));
  if (!mail) throw new Error(`no mail to ${email}`);
  return mail;
}

/** Clicks the newest mail's button: the link goes to the site's public address, which this test's port stands in for. */
async function clickMailTo(email: string): Promise<URL> {
  const [link = ''] = /https:\/\/\S+/.exec(findMail(email).text ?? '') ?? [];
  const response = await fetch(link.replace(SITE_URL, url), { redirect: 'manual' });
  expect(response.status).toBe(303);
  return new URL(response.headers.get('location') ?? '');
}

async function signUpAndConfirm(client: SupabaseClient): Promise<string> {
  const email = newEmail();
  const { data, error } = await client.auth.signUp({
    email,
    password: PASSWORD,
    options: { data: { name: 'Ana Conceição' }, emailRedirectTo: `${SITE_URL}/login` },
  });
  expect(error).toBeNull();
  expect(data.session).toBeNull();
  expect(data.user?.identities).toHaveLength(1);
  const arrival = await clickMailTo(email);
  expect(arrival.href.startsWith(`${SITE_URL}/login?code=`)).toBe(true);
  return email;
}

async function signInAs(email: string, password = PASSWORD): Promise<SupabaseClient> {
  const client = openClient();
  const { error } = await client.auth.signInWithPassword({ email, password });
  expect(error).toBeNull();
  return client;
}

describe('the published client', () => {
  it('signs up, confirms by the mail that SMTP delivered, signs in and keeps its data', async () => {
    const client = openClient();
    const email = newEmail();
    await client.auth.signUp({ email, password: PASSWORD, options: { data: { name: 'Ana' } } });
    const mail = findMail(email);
    expect(mail).toMatchObject({ subject: 'Confirme seu e-mail', from: { name: 'Linkoteca' } });
    expect(mail.html).toContain('Confirmar e-mail');
    expect(await readdir(mailFolder)).toEqual([]);

    const early = await client.auth.signInWithPassword({ email, password: PASSWORD });
    expect(early.error).toMatchObject({ code: 'email_not_confirmed', status: 400 });
    const code = (await clickMailTo(email)).searchParams.get('code') ?? '';
    const { data: exchanged, error } = await client.auth.exchangeCodeForSession(code);
    expect(error).toBeNull();
    expect(exchanged.user?.email).toBe(email);

    const fresh = await signInAs(email);
    const { data } = await fresh.auth.getUser();
    expect(data.user).toMatchObject({ email, user_metadata: { name: 'Ana' } });
    const updated = await fresh.auth.updateUser({ data: { name: 'Ana Lúcia 🦜' } });
    expect(updated.data.user?.user_metadata).toEqual({ name: 'Ana Lúcia 🦜' });
  });

  it('confirms by the mail that it asked for again, and changes its address by one', async () => {
    const client = openClient();
    const email = newEmail();
    const options = { emailRedirectTo: `${SITE_URL}/login` };
    await client.auth.signUp({ email, password: PASSWORD, options });
    const again = async (type: 'signup' | 'email_change', to: string) => {
      expect((await client.auth.resend({ type, email, options })).error).toBeNull();
      return exchange(await clickMailTo(to));
    };
    const exchange = (arrival: URL) =>
      client.auth.exchangeCodeForSession(arrival.searchParams.get('code') ?? '');
    expect(await again('signup', email)).toMatchObject({ error: null, data: { user: { email } } });

    const next = newEmail();
    expect((await client.auth.updateUser({ email: next }, options)).error).toBeNull();
    // The old address agrees, then the new one ends the flow.
    expect((await client.auth.resend({ type: 'email_change', email, options })).error).toBeNull();
    expect((await clickMailTo(email)).searchParams.get('code')).toBeNull();
    expect(await exchange(await clickMailTo(next))).toMatchObject({
      error: null,
      data: { user: { email: next } },
    });
  });

  it('reads its claims with the published keys, without asking the server who it is', async () => {
    const client = await signInAs(await signUpAndConfirm(openClient()));
    const { data, error } = await client.auth.getClaims();
    expect(error).toBeNull();
    expect(data?.header.alg).toBe('ES256');
    expect(data?.claims).toMatchObject({ role: 'authenticated', aal: 'aal1', aud: 'authenticated' });
  });

  it('refreshes its session, and a stolen old token ends it', async () => {
    const client = await signInAs(await signUpAndConfirm(openClient()));
    const first = (await client.auth.getSession()).data.session?.refresh_token ?? '';
    const second = (await client.auth.refreshSession()).data.session?.refresh_token ?? '';
    const third = (await client.auth.refreshSession()).data.session?.refresh_token ?? '';
    expect(new Set([first, second, third]).size).toBe(3);
    service.clock.advance(11);
    const thief = await openClient().auth.refreshSession({ refresh_token: first });
    expect(thief.error).toMatchObject({ code: 'refresh_token_already_used' });
    const victim = await client.auth.refreshSession();
    expect(victim.error).toMatchObject({ code: 'refresh_token_already_used' });
  });

  it('recovers a forgotten password through PKCE, telling the application so', async () => {
    const email = await signUpAndConfirm(openClient());
    const client = openClient();
    const events: string[] = [];
    client.auth.onAuthStateChange((event) => void events.push(event));
    const { error } = await client.auth.resetPasswordForEmail(email, {
      redirectTo: `${SITE_URL}/change-password`,
    });
    expect(error).toBeNull();
    const arrival = await clickMailTo(email);
    expect(arrival.pathname).toBe('/change-password');
    await client.auth.exchangeCodeForSession(arrival.searchParams.get('code') ?? '');
    expect(events).toContain('PASSWORD_RECOVERY');
    expect((await client.auth.updateUser({ password: 'nova senha' })).error).toBeNull();
    const old = await openClient().auth.signInWithPassword({ email, password: PASSWORD });
    expect(old.error).toMatchObject({ code: 'invalid_credentials', message: 'Invalid login credentials' });
    await signInAs(email, 'nova senha');

    const nobody = await client.auth.resetPasswordForEmail(newEmail());
    expect(nobody.error).toBeNull();
  });

  it('signs out of this browser, of the others, of all', async () => {
    const email = await signUpAndConfirm(openClient());
    const isIn = async (client: SupabaseClient) => (await client.auth.getUser()).error === null;
    const [here, there, third] = [await signInAs(email), await signInAs(email), await signInAs(email)];
    expect((await third.auth.signOut({ scope: 'local' })).error).toBeNull();
    expect([await isIn(here), await isIn(there), await isIn(third)]).toEqual([true, true, false]);
    expect((await here.auth.signOut({ scope: 'others' })).error).toBeNull();
    expect([await isIn(here), await isIn(there)]).toEqual([true, false]);
    const again = await signInAs(email);
    expect((await again.auth.signOut()).error).toBeNull();
    expect(await isIn(here)).toBe(false);
  });

  it('signs in by a mailed code, and by an implicit link', async () => {
    const email = newEmail();
    const client = openClient('implicit');
    expect((await client.auth.signInWithOtp({ email })).error).toBeNull();
    const [, token = ''] = /Código: (\d{6})/.exec(findMail(email).text ?? '') ?? [];
    const { data, error } = await client.auth.verifyOtp({ email, token, type: 'email' });
    expect(error).toBeNull();
    expect(data.user?.email).toBe(email);

    await client.auth.signInWithOtp({ email });
    const fragment = new URLSearchParams((await clickMailTo(email)).hash.slice(1));
    const session = await client.auth.setSession({
      access_token: fragment.get('access_token') ?? '',
      refresh_token: fragment.get('refresh_token') ?? '',
    });
    expect(session.error).toBeNull();
  });

  it('is told what is wrong in errors it understands', async () => {
    const client = openClient();
    const weak = await client.auth.signUp({ email: newEmail(), password: '123' });
    expect(weak.error).toMatchObject({ name: 'AuthWeakPasswordError', reasons: ['length'], status: 422 });
    const anonymous = await client.auth.signInAnonymously();
    expect(anonymous.error).toMatchObject({ code: 'anonymous_provider_disabled' });
    const google = await client.auth.signInWithIdToken({ provider: 'google', token: 'x' });
    expect(google.error).toMatchObject({ code: 'provider_disabled' });
    const sso = await client.auth.signInWithSSO({ domain: 'exemplo.test' });
    expect(sso.error).toMatchObject({ code: 'saml_provider_disabled' });
    const signedIn = await signInAs(await signUpAndConfirm(openClient()));
    expect((await signedIn.auth.mfa.enroll({ factorType: 'webauthn' })).error).toMatchObject({
      code: 'mfa_webauthn_enroll_not_enabled',
    });
    expect((await signedIn.auth.updateUser({ password: PASSWORD })).error).toMatchObject({
      code: 'same_password',
    });
  });

  it('manages accounts with the service key, and only with it', async () => {
    const { admin } = openClient('implicit', service.keyring.serviceRoleKey).auth;
    const email = newEmail();
    const created = await admin.createUser({ email, password: PASSWORD, email_confirm: true });
    const id = created.data.user?.id ?? '';
    expect((await admin.getUserById(id)).data.user?.email).toBe(email);
    await admin.createUser({ email: newEmail(), password: PASSWORD, email_confirm: true });
    expect((await admin.listUsers({ page: 1, perPage: 1 })).data).toMatchObject({
      total: expect.any(Number),
      nextPage: 2,
    });
    expect((await admin.updateUserById(id, { user_metadata: { a: 1 } })).data.user?.user_metadata).toEqual({
      a: 1,
    });
    const link = await admin.generateLink({ type: 'magiclink', email });
    expect(link.data.properties?.action_link).toContain(`${SITE_URL}/auth/v1/verify?token=`);
    const verified = await openClient().auth.verifyOtp({
      type: 'magiclink',
      token_hash: link.data.properties?.hashed_token ?? '',
    });
    expect(verified.data.user?.id).toBe(id);
    expect((await admin.signOut(verified.data.session?.access_token ?? '')).error).toBeNull();
    expect((await admin.deleteUser(id)).error).toBeNull();
    expect((await openClient().auth.admin.listUsers()).error).toMatchObject({
      code: 'not_admin',
      status: 403,
    });
  });

  it('finds its mails as files where there is no SMTP server', async () => {
    const files = createMailer({ from: 'Linkoteca <nao-responda@linkoteca.test>', mailFolder });
    service.setMailer((mail) => files.send(mail));
    onTestFinished(async () => {
      service.setMailer((mail) => mailer.send(mail));
      for (const file of await readdir(mailFolder)) await rm(join(mailFolder, file));
    });
    const email = newEmail();
    await openClient().auth.signUp({ email, password: PASSWORD });
    const [name = ''] = await readdir(mailFolder);
    const mail = await PostalMime.parse(await readFile(join(mailFolder, name)));
    expect(mail).toMatchObject({ subject: 'Confirme seu e-mail', to: [{ address: email }] });
  });
});
