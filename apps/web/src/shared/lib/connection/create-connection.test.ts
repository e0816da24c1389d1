import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createConnection } from './create-connection.ts';
import { holdWhileOffline } from './hold-while-offline.ts';

let stop = () => {};
beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  stop();
  vi.useRealTimers();
});

function setUp({ deviceOnline = true, answered = true } = {}) {
  const probe = vi.fn(async () => answered);
  const request = vi.fn<typeof fetch>(async () => new Response('[]'));
  const connection = createConnection({ request, probe, deviceOnline });
  const heard = vi.fn();
  connection.subscribe(heard);
  stop = connection.stop;
  return { connection, probe, request, heard };
}

const unreachable = new TypeError('Failed to fetch');
const settle = () => vi.advanceTimersByTimeAsync(0);

test('a request that fails makes us look; silence means offline, an answer later means online', async () => {
  const { connection, probe, request, heard } = setUp();
  probe.mockResolvedValue(false);
  request.mockRejectedValueOnce(unreachable);
  await expect(connection.request('http://x')).rejects.toBe(unreachable);
  await settle();
  expect(connection.isOnline()).toBe(false);
  probe.mockResolvedValue(true);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(connection.isOnline()).toBe(true);
  expect(heard).toHaveBeenCalledTimes(2);
});

test('one request that fails while the services answer changes nothing', async () => {
  const { connection, probe, request, heard } = setUp();
  request.mockRejectedValueOnce(unreachable);
  await expect(connection.request('http://x')).rejects.toBe(unreachable);
  await settle();
  expect(probe).toHaveBeenCalledTimes(1);
  expect(heard).not.toHaveBeenCalled();
});

test('a request that was called off is no sign', async () => {
  const { connection, probe, request } = setUp();
  request.mockRejectedValueOnce(new DOMException('', 'AbortError'));
  await expect(connection.request('http://x', { signal: AbortSignal.abort() })).rejects.toThrow();
  expect(probe).not.toHaveBeenCalled();
});

test.each([502, 503, 504])('a proxy that answers %i for a server that is away is a sign', async (status) => {
  const { connection, probe, request } = setUp({ answered: false });
  request.mockResolvedValueOnce(new Response('', { status }));
  expect((await connection.request('http://x')).status).toBe(status);
  await settle();
  expect(probe).toHaveBeenCalledTimes(1);
  expect(connection.isOnline()).toBe(false);
});

test('so is a request that takes long', async () => {
  const { connection, request } = setUp({ answered: false });
  request.mockReturnValueOnce(new Promise(() => undefined));
  void connection.request('http://x');
  await vi.advanceTimersByTimeAsync(7_000);
  expect(connection.isOnline()).toBe(true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(connection.isOnline()).toBe(false);
});

test('the browser is not believed when it calls itself offline and the services answer', async () => {
  const { connection } = setUp({ deviceOnline: false });
  expect(connection.isOnline()).toBe(false);
  await settle();
  expect(connection.isOnline()).toBe(true);
  window.dispatchEvent(new Event('offline'));
  await settle();
  expect(connection.isOnline()).toBe(true);
});

test('it looks ever less often, and at once when the browser sees a network or the person comes back', async () => {
  const { probe } = setUp({ deviceOnline: false, answered: false });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(probe.mock.calls.length).toBeGreaterThanOrEqual(6);
  expect(probe.mock.calls.length).toBeLessThanOrEqual(7);
  const before = probe.mock.calls.length;
  window.dispatchEvent(new Event('online'));
  await settle();
  window.dispatchEvent(new Event('focus'));
  await settle();
  expect(probe).toHaveBeenCalledTimes(before + 2);
});

test('renewing the session waits for the network, signing in does not', async () => {
  const { connection, probe, request } = setUp({ deviceOnline: false, answered: false });
  await settle();
  const send = holdWhileOffline(connection);
  const renewal = send('http://x/auth/v1/token?grant_type=refresh_token');
  request.mockRejectedValueOnce(unreachable);
  await expect(send('http://x/auth/v1/token?grant_type=password')).rejects.toBe(unreachable);
  expect(request).toHaveBeenCalledTimes(1);
  probe.mockResolvedValue(true);
  await connection.check();
  expect((await renewal).status).toBe(200);
});
