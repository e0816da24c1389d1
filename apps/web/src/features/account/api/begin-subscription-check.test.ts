import { focusManager } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '../../../shared/lib/create-query-client.ts';
import { createFakeAuth, fakeSession } from '../../../shared/test/create-fake-auth.ts';
import type { FakeAnswer } from '../../../shared/test/create-fake-database.ts';
import { createFakeDatabase } from '../../../shared/test/create-fake-database.ts';
import { fakeConfig } from '../../../shared/test/render-with-providers.tsx';
import { beginSubscriptionCheck } from './begin-subscription-check.ts';

let end: () => void;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  focusManager.setFocused(undefined);
});

/** Begins the check for somebody who is the administrator or not, and tells what was sent. */
function begin(administers: FakeAnswer, answer: () => Promise<Response> = async () => Response.json({})) {
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (input: unknown, init?: RequestInit) => {
    sent.push(`${init?.method ?? 'GET'} ${String(input)} ${new Headers(init?.headers).get('authorization')}`);
    return answer();
  });
  const queryClient = createQueryClient();
  queryClient.mount();
  const over = new AbortController();
  end = () => {
    over.abort();
    queryClient.unmount();
  };
  beginSubscriptionCheck({
    queryClient,
    database: createFakeDatabase(() => administers),
    config: fakeConfig,
    auth: createFakeAuth(fakeSession()).client,
    userId: fakeSession().user.id,
    over: over.signal,
  });
  return sent;
}

const returnToWindow = async () => {
  focusManager.setFocused(false);
  focusManager.setFocused(true);
  await vi.advanceTimersByTimeAsync(0);
};
const call = 'GET http://servico.exemplo/functions/v1/check-subscription Bearer access-token';

test('a person is checked at once, and again when they come back after a minute', async () => {
  const sent = begin({ body: false });
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual([call]);
  await vi.advanceTimersByTimeAsync(50_000);
  await returnToWindow();
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(11_000);
  await returnToWindow();
  expect(sent).toEqual([call, call]);
  end();
  await vi.advanceTimersByTimeAsync(61_000);
  await returnToWindow();
  expect(sent).toHaveLength(2);
});

test('the administrator is not checked', async () => {
  const sent = begin({ body: true });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent).toEqual([]);
});

test('who cannot be told from the administrator is checked', async () => {
  const sent = begin({ status: 500, body: { code: 'XX000', message: 'interno', details: null, hint: null } });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent).toEqual([call]);
});

test.each([
  ['refused', async () => new Response(null, { status: 500 })],
  ['lost', () => Promise.reject(new TypeError('Failed to fetch'))],
])('a check that is %s is nobody’s trouble and is not repeated at once', async (_name, answer) => {
  const sent = begin({ body: false }, answer);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent).toEqual([call]);
});
