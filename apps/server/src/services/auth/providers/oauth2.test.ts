import { createHash, createHmac, randomInt } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../test-support/call-service.ts';
import { createPerson, newEmail, type Tokens } from '../test-support/sign-people-in.ts';
import { SITE_URL, startAuthService, type TestService } from '../test-support/start-auth-service.ts';
import {
  OAUTH2_CLIENT,
  type OAuth2Provider,
  startOAuth2Provider,
} from '../test-support/start-oauth2-provider.ts';

const VERIFIER = 'v'.repeat(64);
const PKCE = {
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 's256',
};

let service: TestService;
let places: Record<Name, OAuth2Provider>;
type Name = 'github' | 'facebook' | 'discord';
const NAMES: readonly Name[] = ['github', 'facebook', 'discord'];

beforeAll(async () => {
  const [github, facebook, discord] = await Promise.all([
    startOAuth2Provider('/login/oauth/access_token', '/api/v3'),
    startOAuth2Provider('/oauth/access_token', ''),
    startOAuth2Provider('/api/oauth2/token', '/api'),
  ]);
  places = { github, facebook, discord };
  const register = ({ url }: OAuth2Provider) => ({ issuer: url, ...OAUTH2_CLIENT });
  service = await startAuthService({
    settings: {
      signInProviders: {
        github: { ...register(github), redirectUri: `${SITE_URL}/auth/v1/callback` },
        facebook: register(facebook),
        discord: register(discord),
      },
    },
  });
});
afterAll(async () => {
  await service.stop();
  await Promise.all(Object.values(places).map((place) => place.stop()));
});
beforeEach(() => {
  for (const { answers, asked } of Object.values(places)) {
    answers.clear();
    asked.length = 0;
  }
});

async function leave(name: Name): Promise<URL> {
  const away = await call(service, `GET /authorize?${new URLSearchParams({ provider: name, ...PKCE })}`);
  expect(away.status).toBe(302);
  return new URL(String(away.headers['location']));
}

async function open(back: URL): Promise<URL> {
  const reply = await call(service, `GET /callback${back.search}`);
  expect(reply.status).toBe(302);
  return new URL(String(reply.headers['location']));
}

async function signInBy(name: Name): Promise<Tokens> {
  const to = await open(places[name].agree((await leave(name)).href));
  const body = { auth_code: to.searchParams.get('code'), code_verifier: VERIFIER };
  const reply = await call(service, 'POST /token?grant_type=pkce', { body });
  expect(reply, to.href).toMatchObject({ status: 200 });
  return reply.body as Tokens;
}

/** How a sign-in that is refused is told, on the way back. */
async function fail(name: Name): Promise<string | null> {
  const to = await open(places[name].agree((await leave(name)).href));
  expect(to.searchParams.has('code')).toBe(false);
  return to.searchParams.get('error_code');
}

type Person = { readonly id: string; readonly email: string; readonly verified: boolean };
const newPerson = (): Person => ({ id: String(randomInt(2 ** 40)), email: newEmail(), verified: true });

/** What each provider's service says of a person. */
const SAY: Readonly<Record<Name, (person: Person) => void>> = {
  github: ({ id, email, verified }) => {
    const avatar_url = 'https://avatars.githubusercontent.com/u/1';
    places.github.answers.set('/user', {
      id: Number(id),
      login: 'rita',
      name: 'Rita Paes',
      avatar_url,
      email: 'public@elsewhere.example',
    });
    places.github.answers.set('/user/emails', [
      { email: 'old@elsewhere.example', primary: false, verified: true },
      { email, primary: true, verified },
    ]);
  },
  facebook: ({ id, email, verified }) =>
    void places.facebook.answers.set('/me', {
      id,
      name: 'Rita Paes',
      // It tells no address that is not confirmed.
      ...(verified ? { email } : {}),
      picture: { data: { url: 'https://platform-lookaside.fbsbx.com/1' } },
    }),
  discord: ({ id, email, verified }) =>
    void places.discord.answers.set('/users/@me', {
      id,
      username: 'rita',
      global_name: 'Rita Paes',
      avatar: 'a1b2',
      email,
      verified,
    }),
};

describe.each(NAMES)('%s', (name) => {
  it('signs in, and finds the same account again by its own id', async () => {
    const person = newPerson();
    SAY[name](person);
    const { user } = await signInBy(name);
    expect(user).toMatchObject({
      email: person.email,
      app_metadata: { provider: name, providers: [name] },
      user_metadata: { name: 'Rita Paes', avatar_url: expect.stringMatching(/^https:/) },
      identities: [{ provider: name, id: person.id, email: person.email }],
    });
    SAY[name]({ ...person, email: newEmail() });
    expect((await signInBy(name)).user).toMatchObject({ id: user.id, email: person.email });
  });

  it('joins the account of an address that it vouches for', async () => {
    const known = await createPerson(service);
    SAY[name]({ ...newPerson(), email: known.email });
    expect((await signInBy(name)).user).toMatchObject({
      id: known.id,
      app_metadata: { providers: ['email', name] },
    });
  });

  it('with an address that it does not vouch for leads into no account, and opens none', async () => {
    const known = await createPerson(service);
    SAY[name]({ ...newPerson(), email: known.email, verified: false });
    expect(await fail(name)).toBe(
      name === 'facebook' ? 'validation_failed' : 'provider_email_needs_verification',
    );
    const { rows } = await service.admin.query(
      'select from auth.identities where provider = $1 and user_id = $2',
      [name, known.id],
    );
    expect(rows).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['that it does not know them', null],
    ['nothing of use', {}],
    ['an id that is none', { id: { evil: true }, email: 'a@b.example', verified: true }],
    ['an id with more in it', { id: '1 or 1=1', email: 'a@b.example', verified: true }],
    ['a failure', (response: ServerResponse) => response.writeHead(500).end()],
    ['a page', (response: ServerResponse) => response.end('<html>')],
    [
      'more than it should',
      (response: ServerResponse) => response.end(JSON.stringify({ id: '1', name: 'x'.repeat(300_000) })),
    ],
    [
      'that they are elsewhere',
      (response: ServerResponse) => response.writeHead(302, { location: '/' }).end(),
    ],
  ])('signs nobody in where its service says %s', async (_name, answer) => {
    for (const path of ['/user', '/user/emails', '/me', '/users/@me']) places[name].answers.set(path, answer);
    expect(await fail(name)).toBe('unexpected_failure');
  });

  it('a code of another flow, or one that was used, signs nobody in', async () => {
    SAY[name](newPerson());
    const [mine, other] = [await leave(name), await leave(name)];
    const back = places[name].agree(other.href);
    const swapped = new URL(back);
    swapped.searchParams.set('state', mine.searchParams.get('state') ?? '');
    if (mine.searchParams.has('code_challenge'))
      expect((await open(swapped)).searchParams.has('code')).toBe(false);
    const once = places[name].agree((await leave(name)).href);
    expect((await open(once)).searchParams.has('code')).toBe(true);
    expect((await open(once)).searchParams.has('code')).toBe(false);
  });

  it('has no ID tokens that a client could bring', async () => {
    const body = { provider: name, id_token: 'x.y.z' };
    expect(await call(service, 'POST /token?grant_type=id_token', { body })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  });
});

it('GitHub and Discord are sent a challenge of ours, Facebook none, all of them a state and no nonce', async () => {
  const [github, facebook, discord] = await Promise.all(NAMES.map(leave));
  expect(github?.searchParams.get('scope')).toBe('user:email');
  expect(facebook?.pathname).toBe('/dialog/oauth');
  for (const away of [github, discord]) expect(away?.searchParams.get('code_challenge_method')).toBe('S256');
  expect(facebook?.searchParams.has('code_challenge')).toBe(false);
  for (const away of [github, facebook, discord]) {
    expect(away?.searchParams.get('state')).toMatch(/^[0-9a-f-]{36}$/);
    expect(away?.searchParams.has('nonce')).toBe(false);
    expect(away?.searchParams.get('redirect_uri')).toBe(`${SITE_URL}/auth/v1/callback`);
  }
});

it('Facebook is shown that our secret is known', async () => {
  SAY.facebook(newPerson());
  const { provider_token: token = '' } = (await signInBy('facebook')) as Tokens & { provider_token?: string };
  const proof = createHmac('sha256', OAUTH2_CLIENT.clientSecret).update(token).digest('hex');
  expect(places.facebook.asked[0]).toContain(`appsecret_proof=${proof}`);
});
