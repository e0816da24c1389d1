import { describe, expect, test, vi } from 'vitest';
import { ACCOUNT_LIFE_REFUSALS } from '../../../packages/domain/src/messages/account-life-messages.ts';
import { openStripe } from '../_shared/open-stripe.ts';
import { createDeleteAccount } from './create-delete-account.ts';

const ANA = '5f0c1d6e-3f0a-4a0e-9f4e-0d6a3c1b2a10';
const NOW = Date.parse('2027-03-01T12:00:00Z');
const UNTIL = '2027-03-31T12:00:00+00:00';

const bearer = (claims: object) => `Bearer h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;
const proven = (method: string, secondsAgo: number) => ({ method, timestamp: NOW / 1000 - secondsAgo });
const signedIn = (secondsAgo: number, ...since: readonly object[]) =>
  bearer({
    role: 'authenticated',
    sub: ANA,
    iat: NOW / 1000,
    amr: [...since, proven('password', secondsAgo)],
  });

/** What is asked by the person's own token, before the service key does anything. */
const PROVEN = ['user', 'profiles', 'subscribers'];

type Call = { readonly name: string; readonly authorization: string | null; readonly body: unknown };

/** An installation with one account. `answers` overrides what an address or the payment provider answers. */
function install(
  answers: Record<string, () => Response | Promise<Response>> = {},
  customer: string | null = 'cus_1',
) {
  const calls: Call[] = [];
  const onClosed = vi.fn();
  const usual: Record<string, () => Response> = {
    user: () => Response.json({ id: ANA }),
    profiles: () => Response.json([{ id: ANA }]),
    subscribers: () => Response.json([]),
    find_account_to_close: () =>
      Response.json([{ email: 'ana@a.br', closed_at: null, stripe_customer_id: customer }]),
    is_admin: () => Response.json(false),
    close_account: () => Response.json(UNTIL),
    sessions: () => Response.json({ object: 'list', data: [], has_more: false }),
    subscriptions: () => Response.json({ object: 'list', data: [{ id: 'sub_1', status: 'active' }] }),
    sub_1: () => Response.json({ id: 'sub_1', status: 'canceled' }),
  };
  const fake: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    const name = pathname.slice(pathname.lastIndexOf('/') + 1);
    const headers = new Headers(init?.headers);
    calls.push({
      name,
      authorization: headers.get('authorization'),
      body:
        headers.get('content-type') === 'application/json' ? JSON.parse(String(init?.body)) : init?.method,
    });
    return await (answers[name] ?? usual[name] ?? (() => new Response(null, { status: 500 })))();
  };
  const handle = createDeleteAccount({
    fetch: fake,
    supabaseUrl: 'https://p.supabase.test',
    anonKey: 'anon',
    serviceRoleKey: 'service',
    openStripe: () => openStripe({ fetch: fake, secretKey: 'sk_test_x', retries: 0 }),
    now: () => NOW,
    onClosed,
  });
  const ask = async (
    body: unknown = { confirmation: 'EXCLUIR' },
    authorization: string | null = signedIn(30),
  ) => {
    const response = await handle(
      new Request('https://p.supabase.test/functions/v1/delete-account', {
        method: 'POST',
        headers: authorization === null ? {} : { authorization },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    );
    return { status: response.status, body: await response.json() };
  };
  return { ask, calls, onClosed, names: () => calls.map(({ name }) => name) };
}

test('ends the subscription, then closes the account, in this order, and says until when it can be had back', async () => {
  const { ask, names, calls, onClosed } = install();
  expect(await ask()).toEqual({ status: 200, body: { closed: true, restorableUntil: UNTIL } });
  expect(names()).toEqual([
    ...PROVEN,
    'find_account_to_close',
    'is_admin',
    'sessions',
    'subscriptions',
    'sub_1',
    'close_account',
  ]);
  expect(calls.at(-1)).toMatchObject({ authorization: 'Bearer service', body: { user_id: ANA } });
  expect(
    new Set(
      calls.filter(({ name }) => [...PROVEN, 'is_admin'].includes(name)).map((call) => call.authorization),
    ),
  ).toEqual(new Set([signedIn(30)]));
  expect(onClosed).toHaveBeenCalledOnce();
});

test('whoever proved a second factor when they signed in is let through as well', async () => {
  const { ask } = install({}, null);
  expect((await ask(undefined, signedIn(30, proven('totp', 5)))).status).toBe(200);
});

test('who never bought anything is not asked for at the payment provider', async () => {
  const { ask, names } = install({}, null);
  expect((await ask()).status).toBe(200);
  expect(names()).toEqual([...PROVEN, 'find_account_to_close', 'close_account']);
});

test('an account named in the body is not looked at: it is the caller’s that goes', async () => {
  const { ask, calls } = install({}, null);
  expect((await ask({ confirmation: 'EXCLUIR', userId: 'another', user_id: 'another' })).status).toBe(200);
  expect(calls.at(-1)?.body).toEqual({ user_id: ANA });
});

describe('closes nothing', () => {
  test.each([
    ['when the provider is away', () => Promise.reject(new TypeError('fetch failed'))],
    ['when the provider is broken', () => new Response('{}', { status: 500 })],
    [
      'when the key is wrong',
      () => Response.json({ error: { type: 'invalid_request_error' } }, { status: 401 }),
    ],
  ])('%s: nobody is charged after leaving', async (_what, answer) => {
    const { ask, names, onClosed } = install({ subscriptions: answer });
    expect(await ask()).toEqual({
      status: 503,
      body: { error: expect.stringContaining('Não foi possível cancelar sua assinatura agora') },
    });
    expect(names()).not.toContain('close_account');
    expect(onClosed).not.toHaveBeenCalled();
  });

  test.each([
    ['without the word', {}],
    ['with the word in small letters', { confirmation: 'excluir' }],
    ['with a word of another type', { confirmation: ['EXCLUIR'] }],
    ['with no JSON', 'EXCLUIR'],
    ['with null', 'null'],
  ])('%s', async (_what, body) => {
    const { ask, calls } = install();
    expect((await ask(body)).status).toBe(400);
    expect(calls).toEqual([]);
  });

  test.each([
    ['signed in eleven minutes ago', signedIn(660)],
    ['who has proven an app since', signedIn(660, proven('totp', 5))],
    ['who has proven a phone since', signedIn(660, proven('mfa/phone', 5))],
    ['who has proven a key since', signedIn(660, proven('mfa/webauthn', 5))],
    ['who has typed a recovery code since', signedIn(660, proven('mfa/recovery_code', 5))],
    ['signed in tomorrow', signedIn(-86_400)],
    ['whose token does not say when', bearer({ role: 'authenticated', sub: ANA })],
    [
      'whose token says nonsense',
      bearer({ role: 'authenticated', sub: ANA, amr: [null, { timestamp: 'x' }] }),
    ],
  ])('for somebody %s: they prove who they are first', async (_what, authorization) => {
    const { ask, calls } = install();
    expect(await ask(undefined, authorization)).toEqual({
      status: 403,
      body: { error: expect.stringMatching(/\S/), code: 'reauthentication_needed' },
    });
    expect(calls).toEqual([]);
  });

  test.each([
    ['a visitor', null],
    ['an API key', bearer({ role: 'anon' })],
    ['the operator', bearer({ role: 'service_role' })],
    ['an account without a name', bearer({ role: 'authenticated', sub: ANA, is_anonymous: true })],
  ])('for %s', async (_what, authorization) => {
    const { ask, calls } = install();
    expect((await ask(undefined, authorization)).status).toBe(401);
    expect(calls).toEqual([]);
  });

  test.each([
    ['ended', () => Response.json({ code: 'session_not_found' }, { status: 403 })],
    ['is somebody else’s', () => Response.json({ id: 'another' })],
  ])('for a token whose session %s', async (_what, user) => {
    const { ask, names } = install({ user });
    expect((await ask()).status).toBe(401);
    expect(names()).toEqual(['user']);
  });

  test('for a token that the database gives nothing, such as a password alone where there is a second factor', async () => {
    const { ask, names, onClosed } = install({ profiles: () => Response.json([]) });
    expect(await ask()).toEqual({ status: 401, body: { error: ACCOUNT_LIFE_REFUSALS.signIn } });
    expect(names()).toEqual(PROVEN);
    expect(onClosed).not.toHaveBeenCalled();
  });

  test('for the administrator, in the database’s own words, and their subscription goes on', async () => {
    const { ask, names, onClosed } = install({
      is_admin: () => Response.json(true),
      close_account: () =>
        Response.json({ code: 'PT409', message: 'A conta que administra' }, { status: 409 }),
    });
    expect(await ask()).toEqual({ status: 409, body: { error: 'A conta que administra' } });
    expect(names()).toEqual([...PROVEN, 'find_account_to_close', 'is_admin', 'close_account']);
    expect(onClosed).not.toHaveBeenCalled();
  });

  test.each([...PROVEN, 'find_account_to_close', 'close_account'])(
    'while %s does not answer',
    async (name) => {
      const { ask } = install({ [name]: () => Promise.reject(new TypeError('fetch failed')) });
      expect((await ask()).status).toBe(503);
    },
  );
});

test('an answer of the database that was lost is asked for once more', async () => {
  let times = 0;
  const close_account = () => {
    times += 1;
    return times === 1 ? Promise.reject(new TypeError('fetch failed')) : Response.json(UNTIL);
  };
  const { ask, onClosed } = install({ close_account });
  expect(await ask()).toMatchObject({ status: 200, body: { restorableUntil: UNTIL } });
  expect(onClosed).toHaveBeenCalledOnce();
});

test.each([
  ['user', { error: ACCOUNT_LIFE_REFUSALS.unavailable }],
  ['profiles', { error: ACCOUNT_LIFE_REFUSALS.unavailable }],
  ['find_account_to_close', { error: ACCOUNT_LIFE_REFUSALS.unavailable }],
  ['close_account', {}],
])(
  'while %s does not answer nobody hears of payments, nor of a deletion that failed where it may be done',
  async (name, body) => {
    const noAnswer = () => Promise.reject(new TypeError('fetch failed'));
    const answerOfAProxy = () => new Response('<html>', { status: 504 });
    for (const answer of [noAnswer, answerOfAProxy])
      expect(await install({ [name]: answer }, null).ask()).toEqual({ status: 503, body });
  },
);

test('a customer whom the provider does not know has nothing to cancel', async () => {
  const missing = () =>
    Response.json({ error: { type: 'invalid_request_error', code: 'resource_missing' } }, { status: 404 });
  expect((await install({ sessions: missing, subscriptions: missing }).ask()).status).toBe(200);
});
