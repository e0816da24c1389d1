import { eventually } from '@linkoteca/test-kit/eventually';
import { afterEach, expect, test } from 'vitest';
import { openSocket, type TestSocket } from '../test-support/open-socket.ts';
import {
  type StartedRealtime,
  type StartRealtimeOptions,
  startRealtime,
} from '../test-support/start-realtime.ts';

let server: StartedRealtime;
const open: TestSocket[] = [];
afterEach(async () => {
  for (const socket of open.splice(0)) socket.close();
  await server.app.close();
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
