import { eventually } from '@linkoteca/test-kit/eventually';
import { afterEach, describe, expect, test } from 'vitest';
import { openSocket, type TestSocket } from '../test-support/open-socket.ts';
import {
  type StartedRealtime,
  type StartRealtimeOptions,
  startRealtime,
} from '../test-support/start-realtime.ts';
import { SOCKET_LIMITS, type SocketLimits } from './socket-limits.ts';
import { createSocketPlaces } from './socket-places.ts';

/** Undefined in tests of the places alone. */
let server: StartedRealtime;
const open: TestSocket[] = [];
afterEach(async () => {
  for (const socket of open.splice(0)) socket.close();
  await server?.app.close();
});

async function start(options: StartRealtimeOptions) {
  server = await startRealtime(options);
}
async function connect(
  ...options: Parameters<typeof openSocket> extends [unknown, ...infer Rest] ? Rest : never
) {
  const socket = await openSocket(server, ...options);
  open.push(socket);
  return socket;
}
const tryConnect = (...options: Parameters<typeof connect>) =>
  connect(...options).then(
    () => 'open',
    (error: Error) => error.message,
  );
const FULL = 'Unexpected server response: 429';

test('one address fills its part of the sockets, and another still gets in', async () => {
  await start({ limits: { sockets: 8, socketsPerNetwork: 2 } });
  const first = await connect();
  await connect();
  expect(await tryConnect()).toBe(FULL);
  expect(await tryConnect({ headers: { 'x-forwarded-for': '198.51.100.7' } })).toBe(FULL);
  expect(await tryConnect({ from: '127.0.0.2' })).toBe('open');
  // Whoever leaves makes room.
  first.close();
  await eventually(async () => expect(await tryConnect()).toBe('open'));
});

test('behind a proxy the address is the one that the proxy saw, a /64 of IPv6 being one', async () => {
  await start({ trustProxy: true, limits: { socketsPerNetwork: 1 } });
  const from = (address: string) => tryConnect({ headers: { 'x-forwarded-for': address } });
  expect(await from('203.0.113.1, 198.51.100.7')).toBe('open');
  expect(await from('203.0.113.2, 198.51.100.7')).toBe(FULL);
  expect(await from('198.51.100.8')).toBe('open');
  expect(await from('2001:db8:1:2::1')).toBe('open');
  expect(await from('2001:db8:1:2:ffff::9')).toBe(FULL);
  expect(await from('2001:db8:1:3::1')).toBe('open');
});

test('one person uses so many sockets, wherever they are opened and however the token comes', async () => {
  await start({ limits: { socketsPerPerson: 1 } });
  const [maria, joana] = [await server.signIn('maria'), await server.signIn('joana')];
  const first = await connect();
  expect((await first.join('realtime:a', {}, { access_token: maria })).payload.status).toBe('ok');
  expect((await first.join('realtime:b', {}, { access_token: maria })).payload.status).toBe('ok');
  const second = await connect({ from: '127.0.0.2' });
  const refused = await second.join('realtime:a', {}, { access_token: maria });
  expect(refused.payload).toEqual({
    status: 'error',
    response: { reason: 'ConnectionRateLimitReached: Too many connected users' },
  });
  expect((await second.join('realtime:a', {}, { access_token: joana })).payload.status).toBe('ok');
  const byKey = await connect({ key: maria });
  expect((await byKey.join('realtime:a')).payload.status).toBe('error');
  const later = await connect();
  await later.join('realtime:a');
  later.send('realtime:a', 'access_token', { access_token: maria });
  expect((await later.event('system')).payload.message).toContain('Too many connected users');
  first.close();
  await eventually(async () => expect((await byKey.join('realtime:a')).payload.status).toBe('ok'));
});

test('visitors who fill their part make room, the oldest first; people who signed in stay', async () => {
  await start({ limits: { visitors: 2, visitorMs: 0 } });
  const maria = await connect();
  await maria.join('realtime:a', {}, { access_token: await server.signIn('maria') });
  const operator = await connect({ key: server.keyring.serviceRoleKey });
  await operator.join('realtime:a');
  const [first, second] = [await connect(), await connect()];
  const joana = await connect();
  expect((await first.closed()).code).toBe(1006);
  await joana.join('realtime:a', {}, { access_token: await server.signIn('joana') });
  await connect();
  for (const { ws } of [maria, operator, second, joana]) expect(ws.readyState).toBe(ws.OPEN);
  expect(await server.metrics.metrics()).toContain('linkoteca_realtime_cut_off_total{reason="crowd"} 1');
});

test('visitors who have just come are not sent away for the next', async () => {
  await start({ limits: { visitors: 1 } });
  await connect();
  expect(await tryConnect({ from: '127.0.0.2' })).toBe(FULL);
});

describe('the places alone', () => {
  const NETWORK = '203.0.113.7';
  const MARIA = { role: 'authenticated', claims: { sub: 'maria' } } as const;
  const VISITOR = { role: 'anon', claims: {} } as const;

  /** Sockets with a name; `sentAway` are those who had to make room. */
  function openPlaces(limits: Partial<SocketLimits>) {
    let time = 50_000;
    const sentAway: string[] = [];
    const places = createSocketPlaces({ ...SOCKET_LIMITS, ...limits }, () => time);
    const enter = (name: string, network = NETWORK) => {
      const room = places.hasRoom(network);
      const socket = {
        openedAt: time,
        cutOff: (why: string) => void sentAway.push(`${name}, ${why}`),
      } as unknown as Parameters<typeof places.open>[0];
      if (room) places.open(socket, network);
      return { room, socket };
    };
    const pass = (ms: number) => {
      time += ms;
    };
    return { places, enter, pass, sentAway };
  }

  test('a visitor of ten seconds makes room, one that is younger does not, and each once', () => {
    const { enter, pass, sentAway } = openPlaces({ visitors: 2 });
    enter('first');
    pass(1);
    enter('second');
    pass(9_998);
    expect(enter('early').room).toBe(false);
    pass(1);
    expect(enter('third').room).toBe(true);
    expect(enter('fourth').room).toBe(false);
    pass(1);
    expect(enter('fourth').room).toBe(true);
    expect(sentAway).toEqual(['first, crowd', 'second, crowd']);
  });

  test('who has signed in makes no room, even where all sockets are taken', () => {
    const { places, enter, pass, sentAway } = openPlaces({ sockets: 2 });
    places.signIn(enter('maria').socket, MARIA);
    const visitor = enter('visitor').socket;
    places.signIn(visitor, VISITOR);
    pass(60_000);
    expect(enter('next').room).toBe(true);
    expect(sentAway).toEqual(['visitor, crowd']);
    places.close(visitor);
    pass(60_000);
    places.signIn(enter('next but one').socket, { role: 'service_role', claims: {} });
    expect(enter('last').room).toBe(false);
    expect(sentAway).toHaveLength(2);
  });

  test('each socket that closes gives one place of its network and of its people back, once', () => {
    const { places, enter } = openPlaces({ socketsPerNetwork: 3, socketsPerPerson: 3 });
    const [first, second, third] = ['a', 'b', 'c'].map((name) => enter(name).socket);
    if (!first || !second || !third) throw new Error('three were opened');
    for (const socket of [first, first, second, third]) expect(places.signIn(socket, MARIA)).toBe(true);
    const elsewhere = enter('d', '198.51.100.7').socket;
    expect([enter('e').room, places.signIn(elsewhere, MARIA)]).toEqual([false, false]);
    places.close(first);
    places.close(first);
    const fourth = enter('f').socket;
    expect(places.signIn(elsewhere, MARIA)).toBe(true);
    expect([enter('g').room, places.signIn(fourth, MARIA)]).toEqual([false, false]);
    for (const socket of [second, third, fourth, elsewhere]) places.close(socket);
    expect(['h', 'i', 'j', 'k'].map((name) => enter(name).room)).toEqual([true, true, true, false]);
  });

  test('a socket that is closed already signs nobody in', () => {
    const { places, enter } = openPlaces({ socketsPerPerson: 1 });
    const { socket } = enter('a');
    places.close(socket);
    expect(places.signIn(socket, MARIA)).toBe(true);
    expect(places.signIn(enter('b').socket, MARIA)).toBe(true);
  });
});
