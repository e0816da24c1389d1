import type { AuthChangeEvent, Session } from '@supabase/auth-js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFakeAuth, fakeSession } from '../../test/create-fake-auth.ts';
import { createFakeConnection } from '../../test/create-fake-connection.ts';
import { createFakeSocket } from '../../test/create-fake-socket.ts';
import { createRealtimeSource } from './create-realtime-source.ts';
import type { RealtimeSource, TableSubscription } from './realtime-source.ts';

const FOLDERS: TableSubscription = {
  name: 'folders',
  table: 'folders',
  event: '*',
  filter: 'user_id=eq.1',
};
const LINKS: TableSubscription = { ...FOLDERS, name: 'links', table: 'links' };

let source: RealtimeSource;
let socket: ReturnType<typeof createFakeSocket>;

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  source.stop();
  vi.useRealTimers();
});

function setUp() {
  socket = createFakeSocket();
  const auth = createFakeAuth(fakeSession());
  const connection = createFakeConnection();
  source = createRealtimeSource({
    config: { supabaseUrl: 'https://servico.exemplo', supabaseAnonKey: 'anon-key' },
    auth: auth.client,
    connection,
    transport: socket.transport,
  });
  const listener = { onChange: vi.fn(), onLive: vi.fn() };
  const renew = (token: string, event: AuthChangeEvent = 'TOKEN_REFRESHED') => {
    const session: Session = { ...fakeSession(), access_token: token };
    auth.getSession.mockResolvedValue({ data: { session }, error: null });
    auth.announce(event, session);
  };
  return { auth, connection, listener, renew };
}

const pass = (ms = 10) => vi.advanceTimersByTimeAsync(ms);

test('one socket, a channel a subscription, joined with the token of the session; live once the service says so', async () => {
  const { listener } = setUp();
  expect(source.getState()).toBe('stopped');
  source.subscribe(FOLDERS, listener);
  source.subscribe(LINKS, listener);
  expect(source.getState()).toBe('connecting');
  await pass();
  expect(source.getState()).toBe('live');
  expect(listener.onLive).toHaveBeenCalledTimes(2);
  expect(socket.sockets).toHaveLength(1);
  const [{ url } = { url: '' }] = socket.sockets;
  expect(url).toMatch(/^wss:\/\/servico\.exemplo\/realtime\/v1\/websocket\?/);
  expect(url).toContain('apikey=anon-key');
  expect(url).toContain('eventsPerSecond=10');
  expect(socket.sentOf('phx_join').map(([, , , , payload]) => payload)).toMatchObject([
    {
      access_token: 'access-token',
      config: {
        private: false,
        postgres_changes: [{ event: '*', schema: 'public', table: 'folders', filter: 'user_id=eq.1' }],
      },
    },
    { access_token: 'access-token' },
  ]);
});

test('a change arrives with its row; what names no row does not', async () => {
  const { listener } = setUp();
  source.subscribe(FOLDERS, listener);
  await pass();
  const topic = socket.sentOf('phx_join')[0]?.[2] ?? '';
  const data = {
    schema: 'public',
    table: 'folders',
    commit_timestamp: '2025-05-11T12:00:00Z',
    columns: [],
    errors: null,
  };
  const row = { id: 'a', name: 'Viagens', updated_at: '2025-05-11 12:00:00.5+00' };
  socket.say(topic, 'postgres_changes', { ids: [1], data: { ...data, type: 'INSERT', record: row } });
  socket.say(topic, 'postgres_changes', { ids: [1], data: { ...data, type: 'INSERT', record: {} } });
  await pass();
  expect(listener.onChange).toHaveBeenCalledTimes(1);
  expect(listener.onChange).toHaveBeenCalledWith({
    table: 'folders',
    operation: 'INSERT',
    id: 'a',
    row: { ...row, updated_at: '2025-05-11T12:00:00.5+00:00' },
    before: {},
    committedAt: '2025-05-11T12:00:00Z',
  });
});

test('a lost socket is tried again after 1, 2, 5, 10 and then always 10 seconds; back again, it is live anew', async () => {
  const { listener, connection } = setUp();
  source.subscribe(FOLDERS, listener);
  await pass();
  socket.service.reachable = false;
  socket.sockets[0]?.hangUp();
  expect(source.getState()).toBe('interrupted');
  expect(connection.check).toHaveBeenCalled();
  const lostAt = Date.now();
  await pass(39_000);
  const calls = [lostAt, ...socket.sockets.slice(1).map(({ calledAt }) => calledAt)];
  const delays = calls.slice(1).map((at, index) => Math.round((at - (calls[index] ?? 0)) / 100) / 10);
  expect(delays).toEqual([1, 2, 5, 10, 10, 10]);
  socket.service.reachable = true;
  await pass(11_000);
  expect(source.getState()).toBe('live');
  expect(listener.onLive).toHaveBeenCalledTimes(2);
});

test('when the services are back it does not wait for its turn', async () => {
  const { listener, connection } = setUp();
  source.subscribe(FOLDERS, listener);
  await pass();
  socket.service.reachable = false;
  socket.sockets[0]?.hangUp();
  await pass(20_000);
  const tries = socket.sockets.length;
  connection.set(false);
  socket.service.reachable = true;
  connection.set(true);
  await pass(200);
  expect(socket.sockets).toHaveLength(tries + 1);
  expect(source.getState()).toBe('live');
});

test('a heartbeat goes out every 30 seconds, and silence is a lost socket', async () => {
  const { listener } = setUp();
  source.subscribe(FOLDERS, listener);
  await pass();
  await pass(29_900);
  expect(socket.sentOf('heartbeat')).toHaveLength(0);
  await pass(200);
  expect(socket.sentOf('heartbeat')).toHaveLength(1);
});

test('a renewed token is handed over at once, and every later join carries it', async () => {
  const { listener, renew } = setUp();
  source.subscribe(FOLDERS, listener);
  await pass();
  renew('new-token');
  await pass();
  expect(socket.sentOf('access_token').map(([, , , , payload]) => payload)).toMatchObject([
    { access_token: 'new-token' },
  ]);
  source.subscribe(LINKS, listener);
  await pass();
  expect(socket.sentOf('phx_join').at(-1)?.[4]).toMatchObject({ access_token: 'new-token' });
});

test('a channel that the service closes is opened anew, with the newest token', async () => {
  const { listener, auth } = setUp();
  source.subscribe(FOLDERS, listener);
  await pass();
  const [joinRef, , topic] = socket.sentOf('phx_join')[0] ?? [];
  auth.getSession.mockResolvedValue({
    data: { session: { ...fakeSession(), access_token: 'fresh' } },
    error: null,
  });
  socket.sockets[0]?.say([joinRef, joinRef, topic, 'phx_close', {}]);
  await pass(100);
  expect(source.getState()).toBe('interrupted');
  await pass(1_100);
  expect(source.getState()).toBe('live');
  expect(socket.sentOf('phx_join')).toHaveLength(2);
  expect(socket.sentOf('phx_join')[1]?.[4]).toMatchObject({ access_token: 'fresh' });
});

test('a refused join is tried again, and is not live meanwhile', async () => {
  const { listener } = setUp();
  socket.service.refuse = 'InvalidJWTToken: Token has expired';
  source.subscribe(FOLDERS, listener);
  await pass(500);
  expect(source.getState()).toBe('connecting');
  expect(listener.onLive).not.toHaveBeenCalled();
  socket.service.refuse = null;
  await pass(3_000);
  expect(source.getState()).toBe('live');
});

test('the service may stop delivering, and say so', async () => {
  const { listener } = setUp();
  source.subscribe(FOLDERS, listener);
  await pass();
  const topic = socket.sentOf('phx_join')[0]?.[2] ?? '';
  const word = (status: string) => ({ extension: 'postgres_changes', status, message: '', channel: 'x' });
  socket.say(topic, 'system', word('error'));
  await pass();
  expect(source.getState()).toBe('interrupted');
  socket.say(topic, 'system', word('ok'));
  await pass();
  expect(source.getState()).toBe('live');
  // Said once more, as after a new token, it is nothing new.
  socket.say(topic, 'system', word('ok'));
  await pass();
  expect(listener.onLive).toHaveBeenCalledTimes(2);
});

test('each subscription is cancelled alone, and may come back', async () => {
  const { listener } = setUp();
  const cancelFolders = source.subscribe(FOLDERS, listener);
  const cancelLinks = source.subscribe(LINKS, listener);
  await pass();
  cancelFolders();
  await pass();
  expect(socket.sentOf('phx_leave').map(([, , topic]) => topic)).toEqual(['realtime:folders-1']);
  expect(source.isLive('links')).toBe(true);
  const cancelAgain = source.subscribe(FOLDERS, listener);
  await pass();
  expect(source.isLive('folders')).toBe(true);
  cancelAgain();
  cancelLinks();
  await pass();
  expect(source.getState()).toBe('stopped');
  expect(socket.sentOf('phx_leave')).toHaveLength(3);
});

test('stopped, it hangs up and stays quiet', async () => {
  const { listener, renew } = setUp();
  source.subscribe(FOLDERS, listener);
  await pass();
  source.stop();
  await pass(60_000);
  expect(socket.sockets).toHaveLength(1);
  expect(socket.sockets[0]?.readyState).toBe(3);
  const before = socket.sent.length;
  renew('later');
  await pass(60_000);
  expect(socket.sent).toHaveLength(before);
  expect(() => source.subscribe(LINKS, listener)).toThrow(/cannot subscribe/);
});

test('a private topic is joined by its own name, without a person too, and its event heard until it is left', async () => {
  const { auth } = setUp();
  auth.getSession.mockResolvedValue({ data: { session: null }, error: null });
  const visitor = { onEvent: vi.fn(), onLive: vi.fn() };
  const leave = source.listen('shared:1', 'changed', visitor);
  await pass();
  expect(source.getState()).toBe('live');
  expect(visitor.onLive).toHaveBeenCalledTimes(1);
  const [, , topic, , joined] = socket.sentOf('phx_join')[0] ?? [];
  expect(topic).toBe('realtime:shared:1');
  expect(joined).toMatchObject({ config: { private: true, postgres_changes: [] } });
  expect(joined?.['access_token']).toBeUndefined();
  socket.say('realtime:shared:1', 'broadcast', { event: 'changed', type: 'broadcast', payload: {} });
  socket.say('realtime:shared:1', 'broadcast', { event: 'other', type: 'broadcast', payload: {} });
  await pass();
  expect(visitor.onEvent).toHaveBeenCalledTimes(1);
  leave();
  await pass();
  expect(socket.sentOf('phx_leave').map(([, , left]) => left)).toEqual(['realtime:shared:1']);
});

test('a topic that the service ends is asked about, and joined again; one that was left is not', async () => {
  setUp();
  const page = { onEvent: vi.fn(), onLive: vi.fn() };
  const leave = source.listen('session:1', 'ended', page);
  await pass();
  socket.say('realtime:session:1', 'phx_close', {});
  await pass();
  expect(page.onEvent).toHaveBeenCalledTimes(1);
  await pass(1_000);
  expect(socket.sentOf('phx_join')).toHaveLength(2);
  leave();
  await pass(1_000);
  expect(page.onEvent).toHaveBeenCalledTimes(1);
});

test('a topic that is entered again while it is still being left is joined all the same', async () => {
  setUp();
  const page = { onEvent: vi.fn(), onLive: vi.fn() };
  source.listen('shared:1', 'changed', page)();
  source.listen('shared:1', 'changed', page);
  await pass();
  const leave = source.listen('shared:2', 'changed', page);
  await pass();
  leave();
  source.listen('shared:2', 'changed', page);
  await pass(1_100);
  expect(source.getState()).toBe('live');
  expect(page.onLive).toHaveBeenCalledTimes(3);
});

test('whoever meets others shows themselves, sees who is there until they leave, and is no part of the state', async () => {
  setUp();
  const keys: (readonly string[])[] = [];
  const leave = source.meet('category:1', 'ana', (there) => keys.push(there));
  await pass();
  expect(source.getState()).toBe('stopped');
  const [joinRef, , topic, , joined] = socket.sentOf('phx_join')[0] ?? [];
  expect(topic).toBe('realtime:category:1');
  expect(joined).toMatchObject({ config: { private: true, presence: { key: 'ana', enabled: true } } });
  expect(socket.sentOf('presence').map(([, , , , payload]) => payload)).toMatchObject([
    { type: 'presence', event: 'track', payload: {} },
  ]);
  socket.say('realtime:category:1', 'presence_state', {
    ana: { metas: [{ phx_ref: '1' }] },
    bia: { metas: [{ phx_ref: '2' }] },
  });
  await pass();
  expect(keys.at(-1)).toEqual(['ana', 'bia']);
  socket.say('realtime:category:1', 'presence_diff', {
    joins: {},
    leaves: { bia: { metas: [{ phx_ref: '2' }] } },
  });
  await pass();
  expect(keys.at(-1)).toEqual(['ana']);
  // Lost: nobody knows who is there.
  socket.service.reachable = false;
  socket.sockets[0]?.hangUp();
  await pass();
  expect(keys.at(-1)).toEqual([]);
  socket.service.reachable = true;
  await pass(3_000);
  expect(socket.sentOf('presence')).toHaveLength(2);
  leave();
  await pass(3_000);
  expect(socket.sentOf('phx_leave').map(([, , left]) => left)).toEqual(['realtime:category:1']);
  expect(joinRef).toBeTruthy();
});

test('a topic that one may not enter is tried again, until it is left', async () => {
  setUp();
  socket.service.refuse = 'Unauthorized';
  const keys: (readonly string[])[] = [];
  const leave = source.meet('category:1', 'ana', (there) => keys.push(there));
  await pass();
  expect(socket.sentOf('presence')).toEqual([]);
  socket.service.refuse = null;
  await pass(3_000);
  expect(socket.sentOf('presence')).toHaveLength(1);
  leave();
  await pass(20_000);
  expect(keys).toEqual([]);
  expect(socket.sentOf('phx_join')).toHaveLength(2);
});
