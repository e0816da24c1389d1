import { AuthRetryableFetchError, AuthSessionMissingError } from '@supabase/auth-js';
import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  authFailure,
  createFakeAuth,
  fakeFactor,
  fakeKey,
  fakeSession,
  withLevel,
} from '../../test/create-fake-auth.ts';
import { createFakeConnection } from '../../test/create-fake-connection.ts';
import { createAuthClient } from '../supabase/create-auth-client.ts';
import { createSessionStore } from './create-session-store.ts';

const key = 'sb-localhost-auth-token';

function start(session: ReturnType<typeof fakeSession> | null | 'unknown' = fakeSession()) {
  const auth = createFakeAuth(session === 'unknown' ? undefined : session);
  const store = createSessionStore({ auth: auth.client, storage: localStorage });
  return { auth, store };
}

beforeEach(() => localStorage.clear());

test('loading until the saved session is known', async () => {
  const { store } = start('unknown');
  await Promise.resolve();
  expect(store.getState()).toEqual({ status: 'loading' });
});

test('a saved session signs in, its absence signs out', async () => {
  const inside = start().store;
  const outside = start(null).store;
  await Promise.resolve();
  expect(inside.getState()).toMatchObject({ status: 'signed-in', person: { name: 'Ana de Souza' } });
  expect(outside.getState()).toEqual({ status: 'signed-out', onPurpose: false });
});

test('a renewed token does not render the screens again', async () => {
  const { auth, store } = start();
  await Promise.resolve();
  const before = store.getState();
  const listener = vi.fn();
  store.subscribe(listener);
  auth.announce('TOKEN_REFRESHED', fakeSession());
  expect(store.getState()).toBe(before);
  expect(listener).not.toHaveBeenCalled();
});

test('of second factors that are to be proven, only other ones or other names render them', async () => {
  const { auth, store } = start(withLevel('aal1', [fakeFactor]));
  await Promise.resolve();
  const before = store.getState();
  expect(before).toMatchObject({ pending: [{ id: fakeFactor.id }] });
  auth.announce('TOKEN_REFRESHED', withLevel('aal1', [fakeFactor]));
  expect(store.getState()).toBe(before);
  for (const factors of [[{ ...fakeFactor, friendly_name: 'Outro' }], [fakeKey], [fakeKey, fakeFactor], []]) {
    const last = store.getState();
    auth.announce('TOKEN_REFRESHED', withLevel('aal1', factors));
    expect(store.getState()).not.toBe(last);
    expect(store.getState()).toMatchObject({ pending: factors.map(({ id }) => ({ id })) });
  }
});

test('a changed name does', async () => {
  const { auth, store } = start();
  await Promise.resolve();
  auth.announce('USER_UPDATED', fakeSession({ firstName: 'Bia', lastName: 'Lima' }));
  expect(store.getState()).toMatchObject({ person: { name: 'Bia Lima' } });
});

test('a recovery link asks for a new password until one is set', async () => {
  const { auth, store } = start(null);
  await Promise.resolve();
  auth.announce('PASSWORD_RECOVERY', fakeSession());
  expect(store.getState()).toMatchObject({ status: 'signed-in', recovering: true });
  auth.announce('TOKEN_REFRESHED', fakeSession());
  expect(store.getState()).toMatchObject({ recovering: true });
  auth.announce('USER_UPDATED', fakeSession());
  expect(store.getState()).toMatchObject({ recovering: false });
});

test('whoever signs in by another tab meanwhile has not come by that link', async () => {
  const { auth, store } = start(null);
  await Promise.resolve();
  const ana = fakeSession();
  const bia = '22222222-2222-4222-8222-222222222222';
  auth.announce('PASSWORD_RECOVERY', ana);
  auth.announce('SIGNED_IN', { ...ana, user: { ...ana.user, id: bia } });
  expect(store.getState()).toMatchObject({ person: { id: bia }, recovering: false });
});

test('signed out elsewhere while keys remain: the session is recovered and stays', async () => {
  const { auth, store } = start();
  await Promise.resolve();
  const states: string[] = [];
  store.subscribe(() => states.push(store.getState().status));
  localStorage.setItem(key, '{}');
  auth.announce('SIGNED_OUT', null);
  // Another tab has renewed it, and knows a new name: that it is here tells that the recovery is through.
  const renewed = fakeSession({ name: 'Ana Lima' });
  auth.getSession.mockResolvedValue({ data: { session: renewed }, error: null });
  await waitFor(() => expect(store.getState()).toMatchObject({ person: { name: 'Ana Lima' } }));
  expect(states).toEqual(['signed-in']);
});

test('signed out elsewhere while a revoked session can still be read: signed out', async () => {
  const { auth, store } = start();
  await Promise.resolve();
  localStorage.setItem(key, 'left behind');
  auth.getUser.mockResolvedValueOnce({ data: { user: null }, error: { status: 403 } });
  auth.announce('SIGNED_OUT', null);
  await waitFor(() => expect(store.getState()).toMatchObject({ status: 'signed-out' }));
});

describe('signed out elsewhere during a password recovery, and the network goes', () => {
  const unreachable = new AuthRetryableFetchError('Failed to fetch', 0);

  async function startRecovering() {
    const begun = start(null);
    await Promise.resolve();
    localStorage.setItem(key, JSON.stringify(fakeSession()));
    begun.auth.announce('PASSWORD_RECOVERY', fakeSession());
    const states: string[] = [];
    begun.store.subscribe(() => states.push(begun.store.getState().status));
    return { ...begun, states };
  }
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => vi.useRealTimers());

  test('before the service could say whether the session counts: the person stays', async () => {
    const { auth, store, states } = await startRecovering();
    auth.getUser.mockResolvedValueOnce({ data: { user: null }, error: unreachable });
    auth.announce('SIGNED_OUT', null);
    auth.getSession.mockResolvedValueOnce({ data: { session: fakeSession() }, error: null });
    await vi.runAllTimersAsync();
    expect(auth.getUser).toHaveBeenCalledExactlyOnceWith('access-token');
    expect(store.getState()).toMatchObject({ status: 'signed-in', recovering: true });
    expect(states).toEqual([]);
  });

  test('before the saved session, which has run out, could be renewed: the person stays', async () => {
    const { auth, store, states } = await startRecovering();
    auth.announce('SIGNED_OUT', null);
    auth.getSession.mockResolvedValueOnce({ data: { session: null }, error: unreachable });
    await vi.runAllTimersAsync();
    expect(store.getState()).toMatchObject({ status: 'signed-in', recovering: true });
    expect(states).toEqual([]);
  });

  test('a renewal that is refused signs them out all the same', async () => {
    const { auth, store } = await startRecovering();
    auth.announce('SIGNED_OUT', null);
    const refused = authFailure('refresh_token_not_found');
    auth.getSession.mockResolvedValueOnce({ data: { session: null }, error: refused });
    await vi.runAllTimersAsync();
    expect(store.getState()).toEqual({ status: 'signed-out', onPurpose: false });
  });
});

test('signed out elsewhere and nothing to recover: signed out', async () => {
  const { auth, store } = start();
  await Promise.resolve();
  localStorage.setItem(key, '{}');
  auth.announce('SIGNED_OUT', null);
  await waitFor(() => expect(store.getState()).toEqual({ status: 'signed-out', onPurpose: false }));
});

test('another tab removes the saved session: signed out, even when its word was lost', async () => {
  const { store } = start();
  await Promise.resolve();
  localStorage.setItem(key, '{}');
  window.dispatchEvent(new StorageEvent('storage', { key, newValue: '{}' }));
  window.dispatchEvent(new StorageEvent('storage', { key: 'linkoteca-theme', newValue: null }));
  expect(store.getState()).toMatchObject({ status: 'signed-in' });
  localStorage.removeItem(key);
  window.dispatchEvent(new StorageEvent('storage', { key, newValue: null }));
  expect(store.getState()).toEqual({ status: 'signed-out', onPurpose: false });
});

test('signing out clears every saved key and only those', async () => {
  const { auth, store } = start();
  await Promise.resolve();
  localStorage.setItem(key, '{}');
  localStorage.setItem('outra-auth-token', '1');
  localStorage.setItem('sb-outro', '1');
  localStorage.setItem('sb-localhost-auth-token-code-verifier', '1');
  localStorage.setItem('linkoteca-theme', 'dark');
  expect(await store.signOut()).toBeNull();
  expect(auth.signOut).toHaveBeenCalledExactlyOnceWith({ scope: 'local' });
  expect(Object.keys(localStorage)).toEqual(['linkoteca-theme']);
  expect(store.getState()).toEqual({ status: 'signed-out', onPurpose: true });
});

test('signing out here is one step, although service and storage tell of it on the way', async () => {
  const { auth, store } = start();
  await Promise.resolve();
  const seen: unknown[] = [];
  store.subscribe(() => seen.push(store.getState()));
  auth.signOut.mockImplementation(async () => {
    auth.announce('SIGNED_OUT', null);
    window.dispatchEvent(new StorageEvent('storage', { key: null, newValue: null }));
    return { error: null };
  });
  await store.signOut();
  expect(seen).toEqual([{ status: 'signed-out', onPurpose: true }]);
});

test('a refused sign-out leaves the person in, with their keys', async () => {
  const { auth, store } = start();
  await Promise.resolve();
  localStorage.setItem(key, '{}');
  auth.admin.signOut.mockResolvedValue({ error: new Error('unreachable') });
  expect(await store.signOut()).toBeInstanceOf(Error);
  expect(auth.signOut).not.toHaveBeenCalled();
  expect(localStorage.getItem(key)).toBe('{}');
  expect(store.getState()).toMatchObject({ status: 'signed-in' });
});

test.each([
  ['that stands before the service, knows no such page', authFailure('unexpected_failure', 'x', 404)],
  ['asks for credentials', authFailure('no_authorization', 'x', 401)],
])('what %s has revoked nothing: the person stays', async (_what, error) => {
  const { auth, store } = start();
  await Promise.resolve();
  localStorage.setItem(key, '{}');
  auth.admin.signOut.mockResolvedValue({ error });
  expect(await store.signOut()).toBe(error);
  expect(localStorage.getItem(key)).toBe('{}');
  expect(store.getState()).toMatchObject({ status: 'signed-in' });
});

test.each([
  ['knows no such session', new AuthSessionMissingError()],
  ['knows no such account', authFailure('user_not_found', 'x', 403)],
])('a service that %s has nothing left to revoke: signed out', async (_what, error) => {
  const { auth, store } = start();
  await Promise.resolve();
  localStorage.setItem(key, '{}');
  auth.admin.signOut.mockResolvedValue({ error });
  expect(await store.signOut()).toBeNull();
  expect(localStorage.getItem(key)).toBeNull();
  expect(store.getState()).toEqual({ status: 'signed-out', onPurpose: true });
});

describe('the auth client itself', () => {
  const config = { supabaseUrl: 'http://localhost', supabaseAnonKey: 'anon' } as Parameters<
    typeof createAuthClient
  >[0];
  const away = () => Response.json({ message: 'away' }, { status: 503 });
  const done = () => new Response(null, { status: 204 });
  let asked: string[];
  let answer: (address: string) => Response;
  let client: ReturnType<typeof createAuthClient>;
  let store: ReturnType<typeof createSessionStore>;

  /** In a browser in which this session is saved. */
  async function open(
    session: ReturnType<typeof fakeSession>,
    storage: Pick<Storage, 'getItem' | 'removeItem'>,
  ) {
    localStorage.setItem(key, JSON.stringify(session));
    client = createAuthClient(config, async (input, init) => {
      asked.push(`${new Headers(init?.headers).get('authorization')} ${new URL(String(input)).search}`);
      return answer(String(input));
    });
    store = createSessionStore({ auth: client, storage });
    await waitFor(() => expect(store.getState()).toMatchObject({ status: 'signed-in' }));
  }
  beforeEach(() => {
    asked = [];
    answer = done;
  });
  afterEach(async () => {
    vi.useRealTimers();
    store.stop();
    await client.stopAutoRefresh();
  });

  test.each(['local', 'global'] as const)(
    'keeps a session (%s) while the service cannot be told, which the next attempt tells',
    async (scope) => {
      await open(fakeSession(), localStorage);
      answer = away;
      expect(await store.signOut(scope)).toBeInstanceOf(Error);
      expect(store.getState()).toMatchObject({ status: 'signed-in' });
      expect((await client.getSession()).data.session?.access_token).toBe('access-token');
      answer = done;
      expect(await store.signOut(scope)).toBeNull();
      expect(asked).toEqual(Array(2).fill(`Bearer access-token ?scope=${scope}`));
      expect(store.getState()).toEqual({ status: 'signed-out', onPurpose: true });
      expect(localStorage.getItem(key)).toBeNull();
    },
  );

  test('tells the other tabs of a sign-out', async () => {
    await open(fakeSession(), localStorage);
    const told = vi.fn();
    const tab = new BroadcastChannel(key);
    tab.onmessage = ({ data }) => told(data);
    await store.signOut();
    await waitFor(() => expect(told).toHaveBeenCalledWith(expect.objectContaining({ event: 'SIGNED_OUT' })));
    tab.close();
  });

  test('keeps a session that has run out while the service cannot be reached', async () => {
    await open(fakeSession(), localStorage);
    vi.useFakeTimers();
    localStorage.setItem(key, JSON.stringify({ ...fakeSession(), expires_at: 1 }));
    answer = away;
    const error = store.signOut();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await error).toBeInstanceOf(AuthRetryableFetchError);
    expect(localStorage.getItem(key)).toContain('refresh-token');
    expect(store.getState()).toMatchObject({ status: 'signed-in' });
    expect(new Set(asked)).toEqual(new Set(['Bearer anon ?grant_type=refresh_token']));
  });

  describe('with a token that has run out by the clock of the service alone', () => {
    const refused = (code: string, status: number) => () => Response.json({ error_code: code }, { status });
    const expired = refused('bad_jwt', 403);

    test.each(['local', 'global'] as const)('renews it, and has its session revoked (%s)', async (scope) => {
      await open(fakeSession(), localStorage);
      const renewed = { ...fakeSession(), access_token: 'renewed' };
      answer = (address) => {
        if (address.includes('/token')) return Response.json(renewed);
        return asked.length === 1 ? expired() : done();
      };
      expect(await store.signOut(scope)).toBeNull();
      expect(asked).toEqual([
        `Bearer access-token ?scope=${scope}`,
        'Bearer anon ?grant_type=refresh_token',
        `Bearer renewed ?scope=${scope}`,
      ]);
      expect(store.getState()).toEqual({ status: 'signed-out', onPurpose: true });
      expect(localStorage.getItem(key)).toBeNull();
    });

    test('is signed out where the renewal says that it is over', async () => {
      await open(fakeSession(), localStorage);
      const gone = refused('refresh_token_not_found', 400);
      answer = (address) => (address.includes('/token') ? gone() : expired());
      expect(await store.signOut()).toBeNull();
      expect(asked).toHaveLength(2);
      expect(store.getState()).toEqual({ status: 'signed-out', onPurpose: true });
      expect(localStorage.getItem(key)).toBeNull();
    });

    test('stays signed in where the renewal is refused for now', async () => {
      await open(fakeSession(), localStorage);
      const limited = refused('over_request_rate_limit', 429);
      answer = (address) => (address.includes('/token') ? limited() : expired());
      expect(await store.signOut()).toBeInstanceOf(Error);
      expect(store.getState()).toMatchObject({ status: 'signed-in' });
      expect(localStorage.getItem(key)).toContain('refresh-token');
    });
  });

  test('has no session any more whose renewal is refused: signed out', async () => {
    await open(fakeSession(), localStorage);
    localStorage.setItem(key, JSON.stringify({ ...fakeSession(), expires_at: 1 }));
    answer = () => Response.json({ error_code: 'refresh_token_not_found' }, { status: 400 });
    expect(await store.signOut()).toBeNull();
    expect(asked).toEqual(['Bearer anon ?grant_type=refresh_token']);
    expect(store.getState()).toEqual({ status: 'signed-out', onPurpose: true });
  });

  test.each(['local', 'global'] as const)(
    'forgets a session (%s) that the browser does not keep, also where its second request is lost',
    async (scope) => {
      await open(fakeSession(), { getItem: () => null, removeItem: () => undefined });
      answer = () => {
        answer = away;
        return done();
      };
      expect(await store.signOut(scope)).toBeNull();
      expect(store.getState()).toEqual({ status: 'signed-out', onPurpose: true });
      expect((await client.getSession()).data.session).toBeNull();
      expect(asked[0]).toBe(`Bearer access-token ?scope=${scope}`);
    },
  );
});

describe('without network', () => {
  const save = (session: unknown) => localStorage.setItem(key, JSON.stringify(session));
  const expired = { ...fakeSession(), expires_at: 1 };

  function startWith(connection: ReturnType<typeof createFakeConnection>) {
    const auth = createFakeAuth(undefined);
    return { auth, store: createSessionStore({ auth: auth.client, storage: localStorage, connection }) };
  }

  test('a saved session that has run out still says who is here', () => {
    save(expired);
    const { store } = startWith(createFakeConnection(false));
    expect(store.getState()).toMatchObject({ status: 'signed-in', person: { name: 'Ana de Souza' } });
  });

  test('also when the network goes while the session is being renewed', () => {
    save(expired);
    const connection = createFakeConnection();
    const { store } = startWith(connection);
    expect(store.getState()).toEqual({ status: 'loading' });
    connection.set(false);
    expect(store.getState()).toMatchObject({ status: 'signed-in' });
  });

  test('a store that was stopped follows nothing any more', () => {
    save(expired);
    const connection = createFakeConnection();
    const { auth, store } = startWith(connection);
    store.stop();
    connection.set(false);
    auth.announce('INITIAL_SESSION', null);
    expect(store.getState()).toEqual({ status: 'loading' });
  });

  test('also when the client gives up renewing', () => {
    save(expired);
    const { auth, store } = startWith(createFakeConnection());
    auth.announce('INITIAL_SESSION', null);
    expect(store.getState()).toMatchObject({ status: 'signed-in' });
  });

  test('a renewal that the service refuses ends it all the same', () => {
    save(expired);
    const { auth, store } = startWith(createFakeConnection(false));
    localStorage.removeItem(key);
    auth.announce('SIGNED_OUT', null);
    expect(store.getState()).toEqual({ status: 'signed-out', onPurpose: false });
  });

  test.each(['null', 'no json', '{"refresh_token":""}', '"text"'])('%s is no session', async (saved) => {
    localStorage.setItem(key, saved);
    const { auth, store } = startWith(createFakeConnection(false));
    expect(store.getState()).toEqual({ status: 'loading' });
    auth.announce('INITIAL_SESSION', null);
    expect(store.getState()).toEqual({ status: 'signed-out', onPurpose: false });
  });

  test('nobody can sign out: the service could not be told', async () => {
    save(expired);
    const { auth, store } = startWith(createFakeConnection(false));
    expect(await store.signOut()).toBeInstanceOf(Error);
    expect(auth.signOut).not.toHaveBeenCalled();
    expect(localStorage.getItem(key)).not.toBeNull();
  });
});
