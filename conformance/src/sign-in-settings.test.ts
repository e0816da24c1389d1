import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitForMail } from '@linkoteca/server-process/read-mails';
import { visitOpenIdProvider } from '@linkoteca/server-process/start-openid-provider';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { confirmByMail, createPerson } from './support/create-person.ts';
import { createVisitor } from './support/create-visitor.ts';
import { required } from './support/required.ts';
import { type Deployment, type RunningDeployment, startDeployment } from './support/start-deployment.ts';

let running: RunningDeployment;
let deployment: Deployment;
let mails: string;
beforeAll(async () => {
  mails = await mkdtemp(join(tmpdir(), 'linkoteca-mails-'));
  const place = join(mails, 'magic_link.html');
  await writeFile(
    place,
    '<p>Olá, {{ .Email }}. Código: {{ .Token }}</p><a href="{{ .ConfirmationURL }}">Entrar</a>',
  );
  running = await startDeployment({
    SUPABASE_AUTH_EMAIL_TEMPLATE_MAGIC_LINK_SUBJECT: 'Entre com {{ .Token }}',
    SUPABASE_AUTH_EMAIL_TEMPLATE_MAGIC_LINK_CONTENT_PATH: place,
    SUPABASE_AUTH_ENABLE_ANONYMOUS_SIGN_INS: 'true',
    SUPABASE_AUTH_EMAIL_OTP_LENGTH: '8',
  });
  deployment = running.deployment;
});
afterAll(async () => {
  await running.remove();
  await rm(mails, { recursive: true });
});

const newAddress = () => `bia-${randomUUID()}@example.com`;

describe('a visitor who does not say who he is', () => {
  test('has a library of his own, and keeps it with an address and a password', async () => {
    const visitor = createVisitor(deployment);
    const { data, error } = await visitor.auth.signInAnonymously({ options: { data: { name: 'Visita' } } });
    const user = required(data.user, error);
    expect(user).toMatchObject({ is_anonymous: true, user_metadata: { name: 'Visita' } });
    expect((await visitor.from('profiles').select('id, name, plan')).data).toEqual([
      { id: user.id, name: 'Visita', plan: 'free' },
    ]);
    const folder = await visitor.from('folders').insert({ name: 'Minha' }).select('id').single();
    const { id } = required<{ id: string }>(folder.data, folder.error);

    const email = newAddress();
    expect((await visitor.auth.updateUser({ email })).data.user).toMatchObject({
      id: user.id,
      is_anonymous: true,
    });
    expect((await confirmByMail(deployment, email)).status).toBe(303);
    const refreshed = await visitor.auth.refreshSession();
    expect(refreshed.data.user).toMatchObject({ id: user.id, email, is_anonymous: false });
    const password = `senha-${randomUUID()}`;
    expect((await visitor.auth.updateUser({ password })).error).toBeNull();

    const elsewhere = createVisitor(deployment);
    await elsewhere.auth.signInWithPassword({ email, password });
    expect((await elsewhere.from('folders').select('id')).data).toEqual([{ id }]);
  });

  test('sees nothing of others, nor they of him, and functions do nothing for him', async () => {
    const [visitor, another] = [createVisitor(deployment), createVisitor(deployment)];
    await visitor.auth.signInAnonymously();
    await another.auth.signInAnonymously();
    const { client: person } = await createPerson(deployment);
    const folder = await visitor.from('folders').insert({ name: 'Minha' }).select('id').single();
    const { id } = required<{ id: string }>(folder.data, folder.error);
    for (const stranger of [another, person, createVisitor(deployment)]) {
      const seen = await stranger.from('folders').select('id').eq('id', id);
      expect(seen.data ?? []).toEqual([]);
      await stranger.from('folders').delete().eq('id', id);
      await stranger.from('folders').update({ name: 'Sua' }).eq('id', id);
    }
    expect((await visitor.from('folders').select('name')).data).toEqual([{ name: 'Minha' }]);
    const preview = await visitor.functions.invoke('link-preview', { body: { url: 'https://example.com' } });
    expect(preview.error).toMatchObject({ context: { status: 401 } });
    expect((await visitor.rpc('is_admin')).data).toBe(false);
    expect((await visitor.rpc('get_all_user_emails')).data ?? []).toEqual([]);
  });

  test('is refused by an installation that does not offer it', async () => {
    const { error } = await createVisitor(inject('deployment')).auth.signInAnonymously();
    expect(error).toMatchObject({ code: 'anonymous_provider_disabled', status: 422 });
  });
});

describe('linking a further way in', () => {
  const follow = async (email: string, address: string | undefined): Promise<URL> => {
    const back = await visitOpenIdProvider(`${address}&login_hint=${encodeURIComponent(email)}`);
    const home = await fetch(back, { redirect: 'manual' });
    expect(home.status).toBe(302);
    return new URL(home.headers.get('location') ?? '');
  };
  const options = { skipBrowserRedirect: true };

  test('keeps what a visitor collected, under the address that Google vouches for', async () => {
    const visitor = createVisitor(deployment);
    await visitor.auth.signInAnonymously();
    await visitor.from('folders').insert({ name: 'Minha' });
    const linking = await visitor.auth.linkIdentity({ provider: 'google', options });
    const email = newAddress();
    await follow(email, required(linking.data.url, linking.error));
    const { data } = await visitor.auth.refreshSession();
    expect(data.user).toMatchObject({ email, is_anonymous: false });
    expect((await visitor.from('folders').select('name')).data).toEqual([{ name: 'Minha' }]);
    const { data: mine } = await visitor.auth.getUserIdentities();
    const only = required(mine?.identities[0]);
    expect((await visitor.auth.unlinkIdentity(only)).error).toMatchObject({
      code: 'single_identity_not_deletable',
      status: 422,
    });
  });

  test('leaves a person of somebody else where he is', async () => {
    const [owner, thief] = [await createPerson(deployment), await createPerson(deployment)];
    const first = await owner.client.auth.linkIdentity({ provider: 'google', options });
    const email = newAddress();
    await follow(email, required(first.data.url, first.error));
    const second = await thief.client.auth.linkIdentity({ provider: 'google', options });
    const end = await follow(email, required(second.data.url, second.error));
    expect(end.hash + end.search).toContain('identity_already_exists');
    expect((await thief.client.auth.getUserIdentities()).data?.identities).toHaveLength(1);
    expect((await owner.client.auth.getUserIdentities()).data?.identities).toHaveLength(2);
  });
});

test('codes are as long as the installation says, and sign in by being typed', async () => {
  const { email, id } = await createPerson(deployment);
  const visitor = createVisitor(deployment);
  expect((await visitor.auth.signInWithOtp({ email })).error).toBeNull();
  const mail = await waitForMail(deployment.dataFolder, email, 2);
  const [, token = ''] = /Código: (\d+)/.exec(mail.text ?? '') ?? [];
  expect(token).toHaveLength(8);
  const cut = await visitor.auth.verifyOtp({ email, token: token.slice(0, 6), type: 'email' });
  expect(cut.error).toMatchObject({ code: 'otp_expired', status: 403 });
  const { data } = await visitor.auth.verifyOtp({ email, token, type: 'email' });
  expect(data.user?.id).toBe(id);
});

test('mails have the words that the operator wrote, and the operator sees every kind', async () => {
  const { email } = await createPerson(deployment);
  await createVisitor(deployment).auth.signInWithOtp({ email });
  const mail = await waitForMail(deployment.dataFolder, email, 2);
  const [, token] = /Código: (\d{8})/.exec(mail.text ?? '') ?? [];
  expect(mail.subject).toBe(`Entre com ${token}`);
  expect(mail.html).toContain(`<p>Olá, ${email}. Código: ${token}</p>`);
  const opened = await fetch(/Entrar: (\S+)/.exec(mail.text ?? '')?.[1] ?? '', { redirect: 'manual' });
  expect(opened.headers.get('location')).toContain('access_token=');

  const preview = await (await fetch(`${deployment.url}/dev/mail/preview`)).text();
  expect(preview).toContain('Entre com 01234567');
  expect(preview.match(/<iframe/g)).toHaveLength(26);
});

describe('a session with a time box of a millisecond', () => {
  let short: RunningDeployment;
  beforeAll(async () => {
    short = await startDeployment({ SUPABASE_AUTH_SESSIONS_TIMEBOX: '1ms' });
  });
  afterAll(() => short.remove());

  test('is refreshed by nobody, and its own page is told that it is over', async () => {
    const { client, email, password } = await createPerson(short.deployment);
    expect((await client.auth.getSession()).data.session).not.toBeNull();
    expect((await client.auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' });
    const another = createVisitor(short.deployment);
    await another.auth.signInWithPassword({ email, password });
    expect((await another.auth.refreshSession()).error).toMatchObject({
      code: 'session_expired',
      status: 400,
    });
    // From the refusal on, the database knows it as well.
    expect((await another.from('profiles').select('id')).data).toEqual([]);
  });
});

describe('a hook of the operator’s', () => {
  let hooked: RunningDeployment;
  let receiver: Server;
  const bodies: string[] = [];
  beforeAll(async () => {
    receiver = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      bodies.push(body);
      const { claims, user } = JSON.parse(body);
      const isRefused = user?.email.startsWith('fora-');
      const answer = claims ? { claims: { ...claims, equipe: 'azul' } } : {};
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(isRefused ? { error: { http_code: 403, message: 'Só da casa' } } : answer));
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const uri = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const secrets = `v1,whsec_${randomBytes(32).toString('base64')}`;
    hooked = await startDeployment(
      Object.fromEntries(
        ['CUSTOM_ACCESS_TOKEN', 'BEFORE_USER_CREATED', 'SEND_EMAIL'].flatMap((name) => [
          [`GOTRUE_HOOK_${name}_ENABLED`, 'true'],
          [`GOTRUE_HOOK_${name}_URI`, uri],
          [`GOTRUE_HOOK_${name}_SECRETS`, secrets],
        ]),
      ),
    );
  });
  afterAll(async () => {
    await hooked.remove();
    receiver.close();
  });

  test('says who may have an account, mails the way in, and says what is in a token that all services take', async () => {
    const client = createVisitor(hooked.deployment);
    const { data: signedUp } = await client.auth.signUp({
      email: newAddress(),
      password: `senha-${randomUUID()}`,
    });
    const { id } = required(signedUp.user);
    const { email_data: mail } = JSON.parse(bodies.at(-1) ?? '');
    expect(mail).toMatchObject({ email_action_type: 'signup' });
    const opened = await client.auth.verifyOtp({ token_hash: mail.token_hash, type: 'signup' });
    expect(opened.error).toBeNull();
    const { data } = await client.auth.getClaims();
    expect(data?.claims).toMatchObject({ sub: id, equipe: 'azul' });
    expect((await client.from('profiles').select('id')).data).toEqual([{ id }]);
    const refused = await createVisitor(hooked.deployment).auth.signUp({
      email: `fora-${newAddress()}`,
      password: `senha-${randomUUID()}`,
    });
    expect(refused.error).toMatchObject({ status: 403, message: 'Só da casa' });
    expect(bodies.join()).not.toMatch(/senha-/);
  });
});
