import { createHash, randomUUID } from 'node:crypto';
import {
  type OpenIdProvider,
  startOpenIdProvider,
  visitOpenIdProvider,
} from '@linkoteca/server-process/start-openid-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addApp } from '../test-support/authenticator-app.ts';
import { call, type Reply } from '../test-support/call-service.ts';
import { ask, consent, look, registerProgram } from '../test-support/let-programs-in.ts';
import { addPasskey, signInByPasskey } from '../test-support/passkeys.ts';
import { newPhone } from '../test-support/phones.ts';
import {
  createPerson,
  endSessionsDuring,
  follow,
  linkMailedTo,
  newEmail,
  readFragment,
  signIn,
  type Tokens,
  waitForLocks,
} from '../test-support/sign-people-in.ts';
import {
  PASSWORD,
  SITE_URL,
  startAuthService,
  type TestService,
} from '../test-support/start-auth-service.ts';

let service: TestService;
let google: OpenIdProvider;
const offered = () => {
  const { issuer, clientId, clientSecret } = google;
  return { google: { issuer, clientId, clientSecret } };
};

beforeAll(async () => {
  google = await startOpenIdProvider(`${SITE_URL}/auth/v1/callback`);
  service = await startAuthService({
    settings: {
      signInProviders: offered(),
      notices: ['identity_linked', 'identity_unlinked'],
      anonymousSignInsEnabled: true,
      anonymousSignInsPerAddress: { points: 0, seconds: 0 },
    },
  });
});
afterAll(async () => {
  await service.stop();
  await google.stop();
});

const VERIFIER = 'v'.repeat(64);
const PKCE = {
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 's256',
};

function newPerson(more: { email?: string; emailVerified?: boolean } = {}) {
  const person = {
    subject: randomUUID(),
    email: newEmail(),
    name: 'Ana Conceição',
    picture: 'https://fotos.exemplo/ana.png',
    ...more,
  };
  google.setPerson(person);
  return person;
}

/** Through Google's pages, as far as the way back. */
async function goAway(token: string, subject: string, at = service, challenge: object = PKCE): Promise<URL> {
  const query = new URLSearchParams({
    provider: 'google',
    skip_http_redirect: 'true',
    login_hint: subject,
    ...challenge,
  });
  const away = await call(at, `GET /user/identities/authorize?${query}`, { token });
  expect(away.status).toBe(200);
  return visitOpenIdProvider((away.body as { url: string }).url);
}
async function comeBack(back: URL, at = service): Promise<URL> {
  const reply = await call(at, `GET /callback${back.search}`);
  expect(reply.status).toBe(302);
  return new URL(String(reply.headers['location']));
}
const link = async (token: string, subject: string, at = service) =>
  comeBack(await goAway(token, subject, at), at);
const codeOf = (to: URL) => to.searchParams.get('error_code');

function exchange(to: URL): Promise<Reply> {
  const body = { auth_code: to.searchParams.get('code'), code_verifier: VERIFIER };
  return call(service, 'POST /token?grant_type=pkce', { body });
}

/** Signs in by Google as far as the code. */
async function fetchCode(subject: string): Promise<URL> {
  const query = new URLSearchParams({ provider: 'google', login_hint: subject, ...PKCE });
  const away = await call(service, `GET /authorize?${query}`);
  return comeBack(await visitOpenIdProvider(String(away.headers['location'])));
}
const signInAs = async (subject: string) => (await exchange(await fetchCode(subject))).body as Tokens;

type Me = {
  readonly id: string;
  readonly email: string;
  readonly identities: { identity_id: string; provider: string }[];
};
const readMe = async (token: string, at = service) => (await call(at, 'GET /user', { token })).body as Me;
const unlink = (token: string, id: string | undefined, at = service) =>
  call(at, `DELETE /user/identities/${id}`, { token });

it('is not for an organisation’s person: the way in would stay open when the organisation lets go of them', async () => {
  const { id, email } = await createPerson(service);
  const { access_token: token } = await signIn(service, email);
  await service.admin.query('update auth.users set is_sso_user = true where id = $1', [id]);
  const { subject } = newPerson();
  const back = await link(token, subject);
  expect(back.searchParams.get('error_code')).toBe('user_sso_managed');
  const { rows } = await service.admin.query('select provider from auth.identities where user_id = $1', [id]);
  expect(rows).toEqual([{ provider: 'email' }]);
});

describe('linking while signed in', () => {
  it('adds Google under another address, and takes it away again, but never the last way in', async () => {
    const known = await createPerson(service);
    const { access_token: token } = await signIn(service, known.email);
    const person = newPerson();
    expect((await exchange(await link(token, person.subject))).status).toBe(200);
    expect((await signInAs(person.subject)).user).toMatchObject({ id: known.id, email: known.email });
    expect(codeOf(await link(token, person.subject))).toBe('identity_already_exists');
    const told = () => service.mails.filter(({ to }) => to === known.email).map(({ text }) => text);
    await expect.poll(told).toEqual([expect.stringContaining('por Google')]);

    const { identities } = await readMe(token);
    const idOf = (provider: string) => identities.find((one) => one.provider === provider)?.identity_id;
    expect((await unlink(token, randomUUID())).body).toMatchObject({ code: 'identity_not_found' });
    expect(await unlink(token, '7')).toMatchObject({ status: 404, body: { code: 'validation_failed' } });
    expect(await unlink(token, idOf('google'))).toMatchObject({ status: 200, body: {} });
    expect(await unlink(token, idOf('email'))).toMatchObject({
      status: 422,
      body: { code: 'single_identity_not_deletable' },
    });
    expect(await readMe(token)).toMatchObject({ app_metadata: { provider: 'email', providers: ['email'] } });
    expect((await signInAs(person.subject)).user.id).not.toBe(known.id);
    const { rows } = await service.admin.query(
      `select payload ->> 'action' as action, payload #>> '{traits,provider}' as provider from auth.audit_log_entries
       where payload ->> 'actor_id' = $1 and payload ->> 'action' like 'identity%' order by created_at`,
      [known.id],
    );
    expect(rows).toEqual([
      { action: 'identity_linked', provider: 'google' },
      { action: 'identity_unlinked', provider: 'google' },
    ]);
  });

  it('of two ways that are given up at once, one is kept', async () => {
    const known = await createPerson(service);
    const { access_token: token } = await signIn(service, known.email);
    expect((await exchange(await link(token, newPerson().subject))).status).toBe(200);
    const { identities } = await readMe(token);
    const other = await service.admin.connect();
    await other.query('begin');
    await other.query('select from auth.users where id = $1 for update', [known.id]);
    const asked = identities.map(({ identity_id: id }) => unlink(token, id));
    await waitForLocks(service, 2);
    await other.query('commit');
    other.release();
    const replies = await Promise.all(asked);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    expect((await readMe(token)).identities).toHaveLength(1);
  });

  it('nothing is taken away for a session that ends while it is under way', async () => {
    const known = await createPerson(service);
    const { access_token: token } = await signIn(service, known.email);
    expect((await exchange(await link(token, newPerson().subject))).status).toBe(200);
    const google = (await readMe(token)).identities.find(({ provider }) => provider === 'google');
    const late = await endSessionsDuring(service, known.id, () => unlink(token, google?.identity_id));
    expect(late).toMatchObject({ status: 403, body: { code: 'session_not_found' } });
    const { access_token: again } = await signIn(service, known.email);
    expect((await readMe(again)).identities).toHaveLength(2);
  });

  it('a stranger cannot take an identity away, nor link one that is somebody else’s', async () => {
    const owner = newPerson();
    const session = await signInAs(owner.subject);
    const wanted = (await readMe(session.access_token)).identities[0]?.identity_id;
    const { access_token: token } = await signIn(service, (await createPerson(service)).email);
    expect((await unlink(token, wanted)).body).toMatchObject({ code: 'single_identity_not_deletable' });
    await exchange(await link(token, newPerson().subject));
    expect((await unlink(token, wanted)).body).toMatchObject({ code: 'identity_not_found' });
    expect(codeOf(await link(token, owner.subject))).toBe('identity_already_exists');
    expect((await readMe(session.access_token)).identities[0]?.identity_id).toBe(wanted);
    expect((await call(service, 'GET /user/identities/authorize?provider=google')).status).toBe(401);
    expect((await call(service, `DELETE /user/identities/${wanted}`)).status).toBe(401);
  });

  it('of two accounts that link one person at once, one gets it', async () => {
    const tokens = await Promise.all(
      [0, 1].map(async () => (await signIn(service, (await createPerson(service)).email)).access_token),
    );
    const { subject } = newPerson();
    const backs: URL[] = [];
    for (const token of tokens) backs.push(await goAway(token, subject));
    const ends = await Promise.all(backs.map((back) => comeBack(back)));
    expect(ends.map(codeOf).toSorted()).toEqual(['identity_already_exists', null]);
    const mine = await Promise.all(tokens.map((token) => readMe(token)));
    expect(mine.map(({ identities }) => identities.length).toSorted()).toEqual([1, 2]);
  });

  it('is not for whoever knows only the password of an account with a second factor', async () => {
    const { email } = await createPerson(service);
    const { tokens } = await addApp(service, await signIn(service, email));
    const { access_token: token } = await signIn(service, email);
    const refusal = { status: 403, body: { code: 'insufficient_aal' } };
    const away = 'GET /user/identities/authorize?provider=google&skip_http_redirect=true';
    const body = { provider: 'google', id_token: 'x', link_identity: true };
    expect(await call(service, away, { token })).toMatchObject(refusal);
    expect(await call(service, 'POST /token?grant_type=id_token', { token, body })).toMatchObject(refusal);
    const { subject } = newPerson();
    expect(codeOf(await link(tokens.access_token, subject))).toBeNull();
    expect((await readMe(token)).identities.map(({ provider }) => provider).sort()).toEqual([
      'email',
      'google',
    ]);
  });

  it.each([
    ['PUT /user', { password: 'another long password' }],
    ['POST /logout?scope=others', undefined],
    ['POST /logout?scope=global', undefined],
  ] as const)('adds nothing for a thief who had begun it before the owner’s %s', async (change, body) => {
    const { email } = await createPerson(service);
    const { access_token: thief } = await signIn(service, email);
    const back = await goAway(thief, newPerson().subject);
    const { access_token: token } = await signIn(service, email);
    expect((await call(service, change, { token, body })).status).toBeLessThan(300);
    expect(codeOf(await comeBack(back))).toBe('bad_oauth_state');
    const { access_token: owner } = await signIn(service, email, body?.password);
    expect((await readMe(owner)).identities.map(({ provider }) => provider)).toEqual(['email']);
  });

  it.each([
    ['a code', PKCE],
    ['a session', {}],
  ])('adds nothing for a thief who is on the way back to %s at that moment', async (_what, challenge) => {
    const { id, email } = await createPerson(service);
    const { access_token: thief } = await signIn(service, email);
    const back = await goAway(thief, newPerson().subject, service, challenge);
    const { access_token: token } = await signIn(service, email);
    const other = await service.admin.connect();
    await other.query('begin');
    await other.query('select from auth.users where id = $1 for update', [id]);
    const coming = comeBack(back);
    await waitForLocks(service, 1);
    const leaving = call(service, 'POST /logout?scope=others', { token });
    // The sign-out has ended what it found, and looks for what else is being begun.
    await waitForLocks(service, 2);
    await other.query('commit');
    other.release();
    expect((await leaving).status).toBe(204);
    expect(codeOf(await coming)).toBe('bad_oauth_state');
    expect((await readMe(token)).identities.map(({ provider }) => provider)).toEqual(['email']);
  });

  it('adds nothing from a browser that did not leave for it', async () => {
    const { email } = await createPerson(service);
    const { access_token: token } = await signIn(service, email);
    const back = await goAway(token, newPerson().subject);
    const headers = { 'sec-fetch-mode': 'navigate' };
    const reply = await call(service, `GET /callback${back.search}`, { headers });
    expect(codeOf(new URL(String(reply.headers['location'])))).toBe('bad_oauth_state');
    expect((await readMe(token)).identities.map(({ provider }) => provider)).toEqual(['email']);
  });

  it('goes on when another session alone ends', async () => {
    const { email } = await createPerson(service);
    const [mine, other] = [await signIn(service, email), await signIn(service, email)];
    const back = await goAway(mine.access_token, newPerson().subject);
    await call(service, 'POST /logout?scope=local', { token: other.access_token });
    expect(codeOf(await comeBack(back))).toBeNull();
  });

  it('is refused in every way where the installation does not want it, and signing in is not', async () => {
    const closed = await startAuthService({
      settings: { signInProviders: offered(), manualLinkingEnabled: false },
    });
    try {
      const { email } = await createPerson(closed);
      const { access_token: token } = await signIn(closed, email);
      const refusal = { status: 404, body: { code: 'manual_linking_disabled' } };
      const body = { provider: 'google', id_token: 'x', link_identity: true };
      expect(await call(closed, 'GET /user/identities/authorize?provider=google', { token })).toMatchObject(
        refusal,
      );
      expect(await call(closed, `DELETE /user/identities/${randomUUID()}`, { token })).toMatchObject(refusal);
      expect(await call(closed, 'POST /token?grant_type=id_token', { token, body })).toMatchObject(refusal);
      expect((await call(closed, 'GET /authorize?provider=google')).status).toBe(302);
    } finally {
      await closed.stop();
    }
  });
});

describe('an account that came by Google alone and has another address by now', () => {
  async function changeAddress(how: 'its owner' | 'an operator') {
    const person = newPerson();
    const { user, access_token: token } = await signInAs(person.subject);
    const email = newEmail();
    if (how === 'an operator') {
      const operator = { token: service.keyring.serviceRoleKey, body: { email } };
      expect((await call(service, `PUT /admin/users/${user.id}`, operator)).status).toBe(200);
    } else {
      expect((await call(service, 'PUT /user', { token, body: { email } })).status).toBe(200);
      for (const to of [person.email, email]) await follow(service, linkMailedTo(service, to));
    }
    return { token, email };
  }

  it.each([
    ['its owner', true],
    ['an operator', false],
  ] as const)('by %s has an identity of that, and keeps it when others go', async (how, isProven) => {
    const { token, email } = await changeAddress(how);
    const other = newPerson();
    await link(token, other.subject);
    const { identities } = await readMe(token);
    expect(identities.map(({ provider }) => provider).toSorted()).toEqual(['email', 'google', 'google']);
    expect(identities.find(({ provider }) => provider === 'email')).toMatchObject({
      identity_data: { email, email_verified: isProven },
    });
    for (const { provider, identity_id: id } of identities)
      if (provider === 'google') expect((await unlink(token, id)).status).toBe(200);
    expect(await readMe(token)).toMatchObject({
      email,
      email_confirmed_at: expect.any(String),
      app_metadata: { provider: 'email', providers: ['email'] },
    });
  });

  it('by an operator has none while nobody has confirmed the address before: a link would give the account away with it', async () => {
    const { id, email: old } = await createPerson(service);
    const parked = newPerson({ emailVerified: false });
    const { access_token: token } = await signIn(service, old);
    await link(token, parked.subject);
    const own = (await readMe(token)).identities.find(({ provider }) => provider === 'email');
    expect((await unlink(token, own?.identity_id)).status).toBe(200);
    const operator = { token: service.keyring.serviceRoleKey, body: { email: newEmail() } };
    expect((await call(service, `PUT /admin/users/${id}`, operator)).status).toBe(200);
    expect((await readMe(token)).identities.map(({ provider }) => provider)).toEqual(['google']);
  });

  it('by an operator has none where it is an organisation’s', async () => {
    const { subject } = newPerson();
    const { user } = await signInAs(subject);
    await service.admin.query('update auth.users set is_sso_user = true where id = $1', [user.id]);
    const operator = { token: service.keyring.serviceRoleKey, body: { email: newEmail() } };
    const changed = await call(service, `PUT /admin/users/${user.id}`, operator);
    expect(changed).toMatchObject({ status: 200, body: { identities: [{ provider: 'google' }] } });
    expect((changed.body as Me).identities).toHaveLength(1);
  });
});

describe('an account that gives up the identity of its address', () => {
  /** @returns its token, after the identity of its own address has gone */
  async function giveUpAddress(
    email: string,
    others: readonly ReturnType<typeof newPerson>[],
    at: TestService = service,
  ): Promise<string> {
    const { access_token: token } = await signIn(at, email);
    for (const { subject } of others) await link(token, subject, at);
    const own = (await readMe(token, at)).identities.find(({ provider }) => provider === 'email');
    expect((await unlink(token, own?.identity_id, at)).status).toBe(200);
    return token;
  }

  it('goes on confirmed only under an address that the provider vouches for', async () => {
    for (const emailVerified of [true, false]) {
      const { email } = await createPerson(service);
      const person = newPerson({ emailVerified });
      const me = await readMe(await giveUpAddress(email, [person]));
      expect(me.email).toBe(person.email);
      expect('email_confirmed_at' in me).toBe(emailVerified);
    }
  });

  it('prefers such an address to an older one', async () => {
    const { email } = await createPerson(service);
    const [older, vouched] = [newPerson({ emailVerified: false }), newPerson({ emailVerified: true })];
    const me = await readMe(await giveUpAddress(email, [older, vouched]));
    expect(me).toMatchObject({ email: vouched.email, email_confirmed_at: expect.any(String) });
  });

  it('passes over an address that is somebody’s', async () => {
    const { email } = await createPerson(service);
    const [taken, free] = [newPerson({ emailVerified: true }), newPerson({ emailVerified: true })];
    const { access_token: token } = await signIn(service, email);
    await link(token, taken.subject);
    await createPerson(service, { email: taken.email });
    const me = await readMe(await giveUpAddress(email, [free]));
    expect(me.email).toBe(free.email);
  });

  it('is told so at the old address, and what was mailed there is void', async () => {
    const { email } = await createPerson(service);
    await call(service, 'POST /recover', { body: { email } });
    const person = newPerson({ emailVerified: true });
    const token = await giveUpAddress(email, [person]);
    const told = () => service.mails.filter(({ to }) => to === email).map(({ text }) => text);
    await expect.poll(told).toContainEqual(expect.stringContaining('Não se entra mais'));
    expect(service.mails.filter(({ to }) => to === person.email)).toEqual([]);
    const { rows } = await service.admin.query('select from auth.mailed_tokens where user_id = $1', [
      (await readMe(token)).id,
    ]);
    expect(rows).toEqual([]);
  });

  it('keeps it when its number goes, whatever the provider calls it by now', async () => {
    const person = newPerson();
    const { user, access_token: token } = await signInAs(person.subject);
    const changed = await call(service, `PUT /admin/users/${user.id}`, {
      token: service.keyring.serviceRoleKey,
      body: { phone: '+5511987650000', phone_confirm: true },
    });
    expect(changed.status).toBe(200);
    google.setPerson({ ...person, email: newEmail() });
    await signInAs(person.subject);
    const number = (await readMe(token)).identities.find(({ provider }) => provider === 'phone');
    expect((await unlink(token, number?.identity_id)).status).toBe(200);
    expect(await readMe(token)).toMatchObject({ email: person.email, phone: '' });
  });

  it('stays confirmed in any case where nobody is asked to confirm', async () => {
    const trusting = await startAuthService({
      settings: { signInProviders: offered(), confirmEmail: false },
    });
    try {
      const { email } = await createPerson(trusting);
      const person = newPerson({ emailVerified: false });
      const token = await giveUpAddress(email, [person], trusting);
      expect(await readMe(token, trusting)).toMatchObject({
        email: person.email,
        email_confirmed_at: expect.any(String),
      });
    } finally {
      await trusting.stop();
    }
  });

  it('is left with nothing of a stranger’s once a link proves the address that he parked it on', async () => {
    const { id, email } = await createPerson(service);
    const person = newPerson({ emailVerified: false });
    const stranger = await giveUpAddress(email, [person]);
    const refused = { status: 400, body: { code: 'invalid_credentials' } };
    const byPassword = (body: object) => call(service, 'POST /token?grant_type=password', { body });
    expect(await byPassword({ email: person.email, password: PASSWORD })).toMatchObject(refused);
    expect((await signInAs(person.subject)).user.id).toBe(id);
    const parked = { password: 'a password of his own', data: { name: 'Outro' } };
    expect((await call(service, 'PUT /user', { token: stranger, body: parked })).status).toBe(200);
    const code = await fetchCode(person.subject);

    expect((await call(service, 'POST /otp', { body: { email: person.email } })).status).toBe(200);
    const { access_token: victim = '' } = readFragment(
      await follow(service, linkMailedTo(service, person.email)),
    );
    expect(await readMe(victim)).toMatchObject({
      id,
      email: person.email,
      email_confirmed_at: expect.any(String),
      identities: [{ provider: 'email', identity_data: { email: person.email, email_verified: true } }],
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: {},
    });
    expect((await call(service, 'GET /user', { token: stranger })).status).toBe(403);
    expect(await byPassword({ email: person.email, password: parked.password })).toMatchObject(refused);
    expect(await exchange(code)).toMatchObject({ status: 404, body: { code: 'flow_state_not_found' } });
    expect(codeOf(await fetchCode(person.subject))).toBe('provider_email_needs_verification');
  });

  it('is left so to whoever signs up, too, with the password and data of that sign-up', async () => {
    const { id, email } = await createPerson(service);
    const person = newPerson({ emailVerified: false });
    const stranger = await giveUpAddress(email, [person]);
    const body = { email: person.email, password: 'what the victim wants', data: { name: 'Vítima' } };
    const query = new URLSearchParams({ redirect_to: SITE_URL });
    const wanted = { ...body, ...PKCE };
    expect((await call(service, `POST /signup?${query}`, { body: wanted })).status).toBe(200);
    const signedUp = await exchange(await follow(service, linkMailedTo(service, person.email)));
    expect(signedUp.body).toMatchObject({
      user: { id, user_metadata: { name: 'Vítima' }, identities: [{ provider: 'email' }] },
    });
    expect((await signIn(service, person.email, body.password)).user.id).toBe(id);
    expect((await call(service, 'GET /user', { token: stranger })).status).toBe(403);
  });

  it('is left so, too, to whoever recovers it, with the stranger’s proven number gone', async () => {
    const { id, email } = await createPerson(service);
    const person = newPerson({ emailVerified: false });
    const stranger = await giveUpAddress(email, [person]);
    const changed = await call(service, `PUT /admin/users/${id}`, {
      token: service.keyring.serviceRoleKey,
      body: { phone: newPhone(), phone_confirm: true },
    });
    expect(changed.status).toBe(200);
    await call(service, 'POST /recover', { body: { email: person.email } });
    const { access_token: victim = '' } = readFragment(
      await follow(service, linkMailedTo(service, person.email)),
    );
    expect(await readMe(victim)).toMatchObject({ id, phone: '', identities: [{ provider: 'email' }] });
    expect((await call(service, 'GET /user', { token: stranger })).status).toBe(403);
  });

  it('is left so, too, to whom a provider vouches for the address: no passkey, factor or program stays', async () => {
    const { id, email } = await createPerson(service);
    const person = newPerson({ emailVerified: false });
    const parked = await signIn(service, email);
    const passkey = await addPasskey(service, parked);
    expect((await signInByPasskey(service, passkey)).status).toBe(200);
    const stranger = await giveUpAddress(email, [person]);
    await addApp(service, { access_token: stranger });
    const program = await registerProgram(service);
    await consent(service, program, {}, { person: { id, email }, token: stranger });
    const owner = newPerson({ email: person.email });
    const { user, access_token: token } = await signInAs(owner.subject);
    expect(user.id).toBe(id);
    const me = await readMe(token);
    expect(me.identities).toMatchObject([{ provider: 'google', identity_data: { sub: owner.subject } }]);
    expect(me).not.toHaveProperty('factors');
    for (const one of [parked.access_token, stranger])
      expect((await call(service, 'GET /user', { token: one })).status).toBe(403);
    expect((await signInByPasskey(service, passkey)).status).toBe(400);
    const asked = await ask(service, { client_id: program.client_id });
    expect((await look(service, asked, token)).body).not.toHaveProperty('redirect_url');
  });
});

describe('linking an account without an address', () => {
  const visit = async () => (await call(service, 'POST /signup', { body: {} })).body as Tokens;

  it('gives it the address that Google vouches for, and makes it permanent', async () => {
    const { access_token: token, user } = await visit();
    const person = newPerson();
    expect((await exchange(await link(token, person.subject))).body).toMatchObject({
      user: {
        id: user.id,
        email: person.email,
        email_confirmed_at: expect.any(String),
        is_anonymous: false,
        identities: [{ provider: 'google' }],
        app_metadata: { provider: 'google', providers: ['google'] },
        user_metadata: { name: 'Ana Conceição' },
      },
    });
    expect((await signInAs(person.subject)).user.id).toBe(user.id);
  });

  it.each([
    ['is somebody’s', async () => newPerson({ email: (await createPerson(service)).email }), 'email_exists'],
    [
      'Google does not vouch for',
      async () => newPerson({ emailVerified: false }),
      'provider_email_needs_verification',
    ],
  ])('changes nothing with an address that %s', async (_what, makePerson, code) => {
    const { access_token: token } = await visit();
    const { subject } = await makePerson();
    expect(codeOf(await link(token, subject))).toBe(code);
    expect(await readMe(token)).toMatchObject({ email: '', is_anonymous: true, identities: [] });
  });

  it('takes an address that a stranger has only claimed', async () => {
    const email = newEmail();
    await call(service, 'POST /signup', { body: { email, password: PASSWORD } });
    const { access_token: token, user } = await visit();
    await link(token, newPerson({ email }).subject);
    expect(await readMe(token)).toMatchObject({ id: user.id, email, is_anonymous: false });
    const { rows } = await service.admin.query('select id from auth.users where email = $1', [email]);
    expect(rows).toEqual([{ id: user.id }]);
  });

  it('has no way in that it could give up', async () => {
    const { access_token: token } = await visit();
    expect((await unlink(token, randomUUID())).body).toMatchObject({ code: 'single_identity_not_deletable' });
  });
});
