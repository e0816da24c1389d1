import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CHANGE_OPERATIONS } from '../../shared/lib/realtime/table-change.ts';
import { pendingWritesOf } from '../../shared/lib/writes/pending-writes.ts';
import { listSubscriptions } from './begin-live-updates.ts';
import { createInvalidationBus, type InvalidationBus } from './invalidation-bus.ts';
import { findOutdatedReads } from './outdated-reads.ts';
import { refetchAfterGap } from './refetch-after-gap.ts';

/** The last moment at which clients that come back together ask. */
const LATEST_MS = 2_100;

let queryClient: QueryClient;
let bus: InvalidationBus;
let gap: ReturnType<typeof refetchAfterGap>;
let leave: () => void;
/** What the service holds; what is on the screen is `shown()`. */
let stored: string;
const read = vi.fn(async (): Promise<string> => stored);
const shown = () => queryClient.getQueryData(['folders', 'ana']);

beforeEach(() => {
  vi.useFakeTimers();
  queryClient = new QueryClient();
  queryClient.mount();
  queryClient.setQueryData(['folders', 'ana'], 'antes');
  stored = 'novo';
  const options = { queryKey: ['folders', 'ana'], queryFn: read, staleTime: Infinity };
  leave = new QueryObserver(queryClient, options).subscribe(() => undefined);
  bus = createInvalidationBus(queryClient);
  gap = refetchAfterGap({ queryClient, bus, random: () => 1 });
  vi.advanceTimersByTime(60_000);
});
afterEach(() => {
  gap.stop();
  bus.stop();
  queryClient.unmount();
  leave();
  read.mockReset().mockImplementation(async () => stored);
  vi.useRealTimers();
});
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('who comes for the first time catches up soon, who comes back with all others spread over a while', async () => {
  gap.end(false);
  await pass(110);
  expect(shown()).toBe('novo');
  expect(read).toHaveBeenCalledTimes(1);
  stored = 'mais novo';
  gap.end(true);
  await pass(LATEST_MS - 1);
  expect(shown()).toBe('novo');
  await pass(2);
  expect(shown()).toBe('mais novo');
  expect(read).toHaveBeenCalledTimes(2);
});

test('a write that is under way is waited for, and then all is read once', async () => {
  const write = pendingWritesOf(queryClient).begin({ table: 'folders', kind: 'change', ids: ['1'] });
  gap.end(true);
  await pass(60_000);
  expect(read).not.toHaveBeenCalled();
  write.settle();
  await pass(60_000);
  expect(shown()).toBe('novo');
  expect(read).toHaveBeenCalledTimes(1);
});

test('a read that began before the gap was over is waited for, and made once more', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  read.mockImplementationOnce(() => promise);
  void queryClient.refetchQueries({ queryKey: ['folders'] });
  gap.end(true);
  // What is shown ahead of the answer says nothing about it.
  queryClient.setQueryData(['folders', 'ana'], 'depois');
  await pass(60_000);
  expect(read).toHaveBeenCalledTimes(1);
  resolve('velho');
  await pass(60_000);
  expect(read).toHaveBeenCalledTimes(2);
  expect(shown()).toBe('novo');
});

test('a read that began before the gap was over, and ended before it is caught up with, is made once more', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  read.mockImplementationOnce(() => promise);
  void queryClient.refetchQueries({ queryKey: ['folders'] });
  gap.end(true);
  await pass(1);
  resolve('velho');
  await pass(1);
  expect(shown()).toBe('velho');
  await pass(60_000);
  expect(shown()).toBe('novo');
  expect(read).toHaveBeenCalledTimes(2);
});

test('a change that is told right after the gap does not stand for those that were not told', async () => {
  gap.end(true);
  await pass(1);
  queryClient.setQueryData(['folders', 'ana'], 'antes, com o que foi contado');
  await pass(60_000);
  expect(shown()).toBe('novo');
});

test('what is read for the first time after the gap is not read again, nor what the feed does not keep true', async () => {
  queryClient.setQueryData(['plans'], 'antes');
  const readLate = vi.fn(async () => 'lido depois');
  await pass(1);
  gap.end(true);
  await pass(1);
  await queryClient.fetchQuery({ queryKey: ['links', 'categoria'], queryFn: readLate, staleTime: Infinity });
  await pass(60_000);
  expect(queryClient.getQueryState(['links', 'categoria'])?.isInvalidated).toBe(false);
  expect(readLate).toHaveBeenCalledTimes(1);
  expect(queryClient.getQueryState(['plans'])?.isInvalidated).toBe(false);
});

test('all that the feed keeps true is outdated by a gap', async () => {
  const scope = { queryClient, userId: 'ana', email: 'ana@exemplo.com' };
  const changes = listSubscriptions(scope).flatMap(({ table }) =>
    CHANGE_OPERATIONS.map((operation) => ({
      table,
      operation,
      id: '1',
      row: {},
      before: {},
      committedAt: '',
    })),
  );
  const names = new Set(changes.flatMap(findOutdatedReads(scope)).map(([name]) => name));
  expect([...names]).toEqual(expect.arrayContaining(['bin', 'folder-members', 'sharing', 'tags']));
  for (const name of names) queryClient.setQueryData([name, 'outra'], 'antes');
  gap.end(false);
  await pass(60_000);
  const isLeft = (name: unknown) => queryClient.getQueryState([name, 'outra'])?.isInvalidated === false;
  expect([...names].filter(isLeft)).toEqual([]);
});

test('subscriptions that come back one after another are answered together', async () => {
  for (let at = 0; at < 5; at += 1) {
    gap.end(false);
    await pass(50);
  }
  expect(shown()).toBe('antes');
  await pass(60_000);
  expect(shown()).toBe('novo');
  expect(read).toHaveBeenCalledTimes(1);
});

test('who has left catches up with nothing', async () => {
  gap.end(true);
  gap.stop();
  await pass(60_000);
  expect(shown()).toBe('antes');
  expect(read).not.toHaveBeenCalled();
});
