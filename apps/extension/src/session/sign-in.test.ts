import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Installation } from './session-store.ts';
import { NoClient, NotAllowed, signInByConsent } from './sign-in.ts';

const ORIGIN = 'https://a.example';
const ISSUER = `${ORIGIN}/auth/v1`;
const INSTALLATION: Installation = {
  origin: ORIGIN,
  servicesUrl: ORIGIN,
  anonKey: 'anon',
  clientId: 'b1f1c8ce',
};
/** What each browser says that sign-ins come back to. */
const REDIRECTS = {
  chromium: 'https://lpfkbphmocfbdngciheiojkcmmenilph.chromiumapp.org/',
  firefox: 'https://73360d8ac8dfc4420eed3068dba0ef725e0a9fab.extensions.allizom.org/',
} as const;

type Person = (asked: URLSearchParams) => Record<string, string>;

/** A browser: the window that it opens, and how the person in it answers; `null` where they close it. */
function browse(redirect: string, person: Person | null) {
  const opened: URL[] = [];
  const identity = {
    getRedirectURL: () => redirect,
    launchWebAuthFlow: async ({ url }: { url: string }) => {
      opened.push(new URL(url));
      if (person === null) throw new Error('User cancelled or denied access.');
      return `${redirect}?${new URLSearchParams(person(new URL(url).searchParams))}`;
    },
  };
  return { opened, chrome: { identity } as unknown as Pick<typeof chrome, 'identity'> };
}

/** The installation's services, and what its OAuth server was sent. */
function serve({ registers = false, refusal }: { registers?: boolean; refusal?: object } = {}) {
  const exchanged: URLSearchParams[] = [];
  const registered: unknown[] = [];
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const { pathname } = new URL(String(input));
    if (pathname.includes('/.well-known/'))
      return Response.json({
        issuer: ISSUER,
        authorization_endpoint: `${ISSUER}/oauth/authorize`,
        token_endpoint: `${ISSUER}/oauth/token`,
        authorization_response_iss_parameter_supported: true,
        ...(registers ? { registration_endpoint: `${ISSUER}/oauth/clients/register` } : {}),
      });
    if (pathname.endsWith('/oauth/clients/register')) {
      registered.push(JSON.parse(String(init?.body)));
      return Response.json({ client_id: 'feita-agora' }, { status: 201 });
    }
    if (pathname.endsWith('/library_counts')) return Response.json([{ user_id: 'ana' }]);
    exchanged.push(new URLSearchParams(String(init?.body)));
    return refusal === undefined
      ? Response.json({ access_token: 'acesso', refresh_token: 'outro', token_type: 'bearer' })
      : Response.json(refusal, { status: 400 });
  });
  return { exchanged, registered };
}

const allow: Person = (asked) => ({ code: 'codigo', state: asked.get('state') ?? '', iss: ISSUER });

afterEach(() => {
  vi.unstubAllGlobals();
});

describe.each(Object.entries(REDIRECTS))('in %s', (_browser, redirect) => {
  test('a person who allows it is signed in, and the code is good with its secret alone', async () => {
    const { exchanged } = serve();
    const { opened, chrome } = browse(redirect, allow);
    expect(await signInByConsent(INSTALLATION, null, chrome)).toEqual({
      kind: 'oauth',
      userId: 'ana',
      clientId: 'b1f1c8ce',
      accessToken: 'acesso',
      refreshToken: 'outro',
    });
    const asked = Object.fromEntries(opened[0]?.searchParams ?? []);
    expect(`${opened[0]?.origin}${opened[0]?.pathname}`).toBe(`${ISSUER}/oauth/authorize`);
    expect(asked).toMatchObject({
      client_id: 'b1f1c8ce',
      redirect_uri: redirect,
      scope: 'links:read links:write',
      code_challenge_method: 'S256',
    });
    const sent = Object.fromEntries(exchanged[0] ?? []);
    expect(sent).toMatchObject({ code: 'codigo', redirect_uri: redirect, client_id: 'b1f1c8ce' });
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(sent['code_verifier']));
    expect(Buffer.from(digest).toString('base64url')).toBe(asked['code_challenge']);
  });

  test('the extension registers itself with the address of this browser, where it may', async () => {
    const { registered } = serve({ registers: true });
    const { opened, chrome } = browse(redirect, allow);
    await signInByConsent({ ...INSTALLATION, clientId: null }, null, chrome);
    expect(registered).toMatchObject([{ redirect_uris: [redirect], token_endpoint_auth_method: 'none' }]);
    expect(opened[0]?.searchParams.get('client_id')).toBe('feita-agora');
  });

  test('nobody is signed in who closes the window or says no', async () => {
    const { exchanged } = serve();
    const refuse: Person = (asked) => ({
      error: 'access_denied',
      state: asked.get('state') ?? '',
      iss: ISSUER,
    });
    for (const person of [null, refuse])
      await expect(signInByConsent(INSTALLATION, null, browse(redirect, person).chrome)).rejects.toThrow(
        NotAllowed,
      );
    expect(exchanged).toEqual([]);
  });
});

describe('nobody is signed in by', () => {
  test.each<[string, Person]>([
    ['an answer to another question', () => ({ code: 'codigo', state: 'outro', iss: ISSUER })],
    ['the answer of another server', (asked) => ({ ...allow(asked), iss: 'https://ladrao.example/auth/v1' })],
    ['an answer that names no server', (asked) => ({ code: 'codigo', state: asked.get('state') ?? '' })],
  ])('%s', async (_name, person) => {
    const { exchanged } = serve();
    const { chrome } = browse(REDIRECTS.firefox, person);
    await expect(signInByConsent(INSTALLATION, null, chrome)).rejects.toThrow();
    expect(exchanged).toEqual([]);
  });

  test('a code that the server does not take', async () => {
    serve({ refusal: { error: 'invalid_grant' } });
    await expect(
      signInByConsent(INSTALLATION, null, browse(REDIRECTS.firefox, allow).chrome),
    ).rejects.toThrow();
  });
});

test('without an id, and where programs do not register themselves, no window is opened', async () => {
  serve();
  const { opened, chrome } = browse(REDIRECTS.firefox, allow);
  await expect(signInByConsent({ ...INSTALLATION, clientId: null }, null, chrome)).rejects.toThrow(NoClient);
  expect(opened).toEqual([]);
});
