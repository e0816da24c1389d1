import { waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { authFailure, createFakeAuth, fakeSession } from '../../shared/test/create-fake-auth.ts';
import { createFakeRealtime } from '../../shared/test/create-fake-realtime.ts';
import { letPass } from '../../shared/test/let-pass.ts';
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
  await waitFor(() => expect(auth.getUser).toHaveBeenCalled());
  auth.getUser.mockClear();
  return stop;
}

/** The service no longer knows the person, as it says when it is asked. */
const forgetAtService = () =>
  auth.getUser.mockResolvedValue({ data: { user: null }, error: authFailure('user_not_found') });

async function isSignedIn() {
  await letPass(0);
  const { data } = (await auth.getSession()) as { data: { session: unknown } };
  return data.session !== null;
}

test('looks when it is told that its own session has ended, and not for another one', async () => {
  const stop = await watch();
  forgetAtService();
  realtime.send('session:two', 'ended');
  expect(await isSignedIn()).toBe(true);
  realtime.send('session:one', 'ended');
  expect(await isSignedIn()).toBe(false);
  expect(auth.getUser).toHaveBeenCalledTimes(1);
  stop();
});

test('looks at nothing any more once it is over', async () => {
  const stop = await watch();
  forgetAtService();
  stop();
  realtime.send('session:one', 'ended');
  expect(await isSignedIn()).toBe(true);
});

test('follows to the session of a new sign-in', async () => {
  const stop = await watch();
  auth.announce('SIGNED_IN', sessionOf('two'));
  await waitFor(() => expect(auth.getUser).toHaveBeenCalledTimes(1));
  forgetAtService();
  realtime.send('session:one', 'ended');
  expect(await isSignedIn()).toBe(true);
  realtime.send('session:two', 'ended');
  expect(await isSignedIn()).toBe(false);
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

test('looks when somebody comes back after the clock was set back', async () => {
  vi.useFakeTimers();
  try {
    const stop = watchOwnSession({ auth: auth.client, source: realtime.source });
    await vi.advanceTimersByTimeAsync(20_000);
    window.dispatchEvent(new Event('focus'));
    auth.getUser.mockClear();
    vi.setSystemTime(Date.now() - 6 * 3_600_000);
    window.dispatchEvent(new Event('focus'));
    expect(auth.getUser).toHaveBeenCalledTimes(1);
    stop();
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ['user_not_found', 'forgotten'],
  ['user_banned', 'forgotten'],
  ['unexpected_failure', 'kept'],
])('after %s the session is %s', async (code, end) => {
  const stop = await watch();
  auth.getUser.mockResolvedValue({ data: { user: null }, error: authFailure(code) });
  realtime.send('session:one', 'ended');
  expect((await isSignedIn()) ? 'kept' : 'forgotten').toBe(end);
  stop();
});
