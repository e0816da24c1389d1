import { AuthRetryableFetchError } from '@supabase/auth-js';
import { act } from '@testing-library/react';
import { createElement } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { createFakeAuth, fakeSession } from '../../test/create-fake-auth.ts';
import { renderWithProviders } from '../../test/render-with-providers.tsx';
import { createAuthorizedFetch } from './create-authorized-fetch.ts';
import { useAuthorizedFetch } from './use-authorized-fetch.ts';

const expired = () =>
  new Response(JSON.stringify({ code: 'PGRST303', message: 'JWT expired' }), { status: 401 });

function setUp(
  answers: (() => Response)[],
  session: ReturnType<typeof fakeSession> | null = fakeSession(),
  userId?: string,
) {
  const auth = createFakeAuth(session);
  auth.refreshSession.mockResolvedValue({
    data: { session: { ...fakeSession(), access_token: 'new-token' } },
    error: null,
  });
  const request = vi.fn(async (_input: unknown, _init?: RequestInit) =>
    (answers.shift() ?? (() => new Response('[]')))(),
  );
  const send = createAuthorizedFetch({ auth: auth.client, anonKey: 'anon-key', request, userId });
  const tokens = () => request.mock.calls.map(([, init]) => new Headers(init?.headers).get('authorization'));
  return { auth, send, request, tokens };
}

test('sends the key and the access token, and keeps the headers of the call', async () => {
  const { send, request } = setUp([]);
  await send('http://x/rest/v1/links', { headers: { prefer: 'count=exact' } });
  const headers = new Headers(request.mock.calls[0]?.[1]?.headers);
  expect(Object.fromEntries(headers)).toEqual({
    apikey: 'anon-key',
    authorization: 'Bearer access-token',
    prefer: 'count=exact',
  });
});

test.each([200, 403])(
  'an answer of %i is the answer, whatever it says: it is not asked again',
  async (status) => {
    const { auth, send, request } = setUp([() => new Response('JWT expired', { status })]);
    expect((await send('http://x')).status).toBe(status);
    expect(request).toHaveBeenCalledTimes(1);
    expect(auth.refreshSession).not.toHaveBeenCalled();
  },
);

test('without a session the anonymous key speaks, and nothing is refreshed', async () => {
  const { auth, send, tokens } = setUp([expired], null);
  expect((await send('http://x')).status).toBe(401);
  expect(tokens()).toEqual(['Bearer anon-key']);
  expect(auth.refreshSession).not.toHaveBeenCalled();
});

test("on 'JWT expired' it refreshes once and repeats once", async () => {
  const { auth, send, tokens } = setUp([expired]);
  expect((await send('http://x', { method: 'POST', body: '{}' })).status).toBe(200);
  expect(tokens()).toEqual(['Bearer access-token', 'Bearer new-token']);
  expect(auth.refreshSession).toHaveBeenCalledTimes(1);
});

test('a second refusal is the answer: no endless round', async () => {
  const { send, request } = setUp([expired, expired]);
  expect((await send('http://x')).status).toBe(401);
  expect(request).toHaveBeenCalledTimes(2);
});

test('calls refused together share one refresh', async () => {
  const { auth, send } = setUp([expired, expired, expired]);
  await Promise.all([send('http://x/1'), send('http://x/2'), send('http://x/3')]);
  expect(auth.refreshSession).toHaveBeenCalledTimes(1);
});

test('a token that expires again is refreshed again', async () => {
  const { auth, send, tokens } = setUp([expired, () => new Response('[]'), expired]);
  await send('http://x/1');
  auth.refreshSession.mockResolvedValueOnce({
    data: { session: { ...fakeSession(), access_token: 'newer-token' } },
    error: null,
  });
  expect((await send('http://x/2')).status).toBe(200);
  expect(auth.refreshSession).toHaveBeenCalledTimes(2);
  expect(tokens().filter((token) => token !== 'Bearer access-token')).toEqual([
    'Bearer new-token',
    'Bearer newer-token',
  ]);
});

test('a refresh that failed is tried again by the next call', async () => {
  const { auth, send } = setUp([expired, expired]);
  auth.refreshSession.mockResolvedValueOnce({
    data: { session: null },
    error: new AuthRetryableFetchError('Failed to fetch', 0),
  });
  await expect(send('http://x')).rejects.toThrow('Failed to fetch');
  expect((await send('http://x')).status).toBe(200);
  expect(auth.refreshSession).toHaveBeenCalledTimes(2);
});

test('another 401 is not a reason to refresh, and its body is still readable', async () => {
  const { auth, send } = setUp([() => new Response('{"message":"permission denied"}', { status: 401 })]);
  const response = await send('http://x');
  expect(await response.json()).toEqual({ message: 'permission denied' });
  expect(auth.refreshSession).not.toHaveBeenCalled();
});

test("'Invalid Refresh Token' while reading the session refreshes once", async () => {
  const { auth, send, tokens } = setUp([]);
  auth.getSession.mockResolvedValue({
    data: { session: null },
    error: new Error('Invalid Refresh Token: Already Used'),
  });
  await send('http://x');
  expect(tokens()).toEqual(['Bearer new-token']);
  expect(auth.refreshSession).toHaveBeenCalledTimes(1);
});

test('a session that cannot be renewed without network is no reason to ask as nobody', async () => {
  const { auth, send, request } = setUp([]);
  const unreachable = new AuthRetryableFetchError('Failed to fetch', 0);
  auth.getSession.mockResolvedValue({ data: { session: null }, error: unreachable });
  await expect(send('http://x')).rejects.toThrow('Failed to fetch');
  expect(request).not.toHaveBeenCalled();
});

test('neither is one that the service calls expired when it cannot be renewed', async () => {
  const { auth, send, tokens } = setUp([expired]);
  auth.refreshSession.mockResolvedValue({
    data: { session: null },
    error: new AuthRetryableFetchError('Failed to fetch', 0),
  });
  await expect(send('http://x')).rejects.toThrow('Failed to fetch');
  expect(tokens()).toEqual(['Bearer access-token']);
});

function Component({ tell }: { readonly tell: (send: typeof fetch) => void }) {
  tell(useAuthorizedFetch());
  return null;
}

describe('of one person', () => {
  const ana = fakeSession();
  const bia = { ...ana, access_token: 'de bia', user: { ...ana.user, id: 'bia' } };

  test('goes on with the token that the person has renewed, here or in another tab', async () => {
    const { auth, send, tokens } = setUp([expired], ana, ana.user.id);
    await send('http://x');
    auth.announce('TOKEN_REFRESHED', { ...ana, access_token: 'newest-token' });
    await send('http://x');
    expect(tokens()).toEqual(['Bearer access-token', 'Bearer new-token', 'Bearer newest-token']);
  });

  test('sends nothing with the token of whoever signs in meanwhile, and goes on when the person is back', async () => {
    const { auth, send, tokens } = setUp([expired], ana, ana.user.id);
    auth.refreshSession.mockResolvedValue({ data: { session: bia }, error: null });
    await expect(send('http://x')).rejects.toThrow('Failed to fetch');
    auth.announce('SIGNED_IN', bia);
    await expect(send('http://x')).rejects.toThrow('Failed to fetch');
    auth.announce('SIGNED_IN', ana);
    await send('http://x');
    expect(tokens()).toEqual(['Bearer access-token', 'Bearer access-token']);
  });

  test('is what a component has, which goes on as whoever it is shown to then', async () => {
    const auth = createFakeAuth(ana);
    const request = vi.fn(async (_input: unknown, _init?: RequestInit) => new Response('[]'));
    vi.stubGlobal('fetch', request);
    let send: typeof fetch = request;
    const tell = (own: typeof fetch) => {
      send = own;
    };
    await renderWithProviders(createElement(Component, { tell }), { auth });
    auth.getSession.mockResolvedValueOnce({ data: { session: bia }, error: null });
    await expect(send('http://x')).rejects.toThrow('Failed to fetch');
    act(() => auth.announce('SIGNED_IN', bia));
    await send('http://x');
    act(() => auth.announce('SIGNED_OUT', null));
    await send('http://x');
    const tokens = request.mock.calls.map(([, init]) => new Headers(init?.headers).get('authorization'));
    expect(tokens).toEqual(['Bearer de bia', 'Bearer anon-key']);
  });
});
