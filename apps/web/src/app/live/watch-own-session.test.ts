import { beforeEach, expect, test, vi } from 'vitest';
import { authFailure, createFakeAuth, fakeSession } from '../../shared/test/create-fake-auth.ts';
import { createFakeRealtime } from '../../shared/test/create-fake-realtime.ts';
import { watchOwnSession } from './watch-own-session.ts';

const sessionOf = (id: string) => ({
  ...fakeSession(),
  access_token: `x.${btoa(JSON.stringify({ session_id: id }))}.y`,
});

let auth: ReturnType<typeof createFakeAuth>;
let realtime: ReturnType<typeof createFakeRealtime>;

beforeEach(() => {
  auth = createFakeAuth(sessionOf('one'));
  realtime = createFakeRealtime();
});

async function watch() {
  const stop = watchOwnSession({ auth: auth.client, source: realtime.source });
  await vi.waitFor(() => expect(auth.getUser).toHaveBeenCalled());
  auth.getUser.mockClear();
  return stop;
}

test('looks when it is told that its own session has ended, and not for another one', async () => {
  const stop = await watch();
  realtime.send('session:two', 'ended');
  expect(auth.getUser).not.toHaveBeenCalled();
  realtime.send('session:one', 'ended');
  expect(auth.getUser).toHaveBeenCalledTimes(1);
  stop();
  realtime.send('session:one', 'ended');
  expect(auth.getUser).toHaveBeenCalledTimes(1);
});

test('follows to the session of a new sign-in', async () => {
  const stop = await watch();
  auth.announce('SIGNED_IN', sessionOf('two'));
  await vi.waitFor(() => expect(auth.getUser).toHaveBeenCalledTimes(1));
  realtime.send('session:one', 'ended');
  expect(auth.getUser).toHaveBeenCalledTimes(1);
  realtime.send('session:two', 'ended');
  expect(auth.getUser).toHaveBeenCalledTimes(2);
  stop();
});

test('looks when somebody comes back to the page, but not at every glance', async () => {
  vi.useFakeTimers();
  try {
    const stop = watchOwnSession({ auth: auth.client, source: realtime.source });
    await vi.advanceTimersByTimeAsync(20_000);
    auth.getUser.mockClear();
    window.dispatchEvent(new Event('focus'));
    window.dispatchEvent(new Event('focus'));
    expect(auth.getUser).toHaveBeenCalledTimes(1);
    stop();
    await vi.advanceTimersByTimeAsync(20_000);
    window.dispatchEvent(new Event('focus'));
    expect(auth.getUser).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ['user_not_found', 1],
  ['user_banned', 1],
  ['unexpected_failure', 0],
])('after %s the session is forgotten %i times', async (code, times) => {
  const stop = await watch();
  auth.getUser.mockResolvedValue({ data: { user: null }, error: authFailure(code) });
  realtime.send('session:one', 'ended');
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(auth.signOut).toHaveBeenCalledTimes(times);
  stop();
});
