import { focusManager, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pendingWritesOf } from '../../shared/lib/writes/pending-writes.ts';
import { createInvalidationBus, type InvalidationBus } from './invalidation-bus.ts';

let queryClient: QueryClient;
let bus: InvalidationBus;
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
});
afterEach(() => {
  bus.stop();
  queryClient.unmount();
  vi.restoreAllMocks();
  leave();
  read.mockReset().mockImplementation(async () => stored);
  vi.useRealTimers();
});
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('the first change is read at once, those of a burst together', async () => {
  bus.add([['folders']]);
  await pass(1);
  expect(shown()).toBe('novo');
  expect(read).toHaveBeenCalledTimes(1);
  for (let at = 0; at < 100; at += 1) {
    stored = `${at}`;
    bus.add([['folders']]);
    await pass(10);
  }
  expect(read.mock.calls.length).toBeLessThanOrEqual(4);
  await pass(400);
  expect(shown()).toBe('99');
  const calls = read.mock.calls.length;
  await pass(5_000);
  expect(read).toHaveBeenCalledTimes(calls);
});

test('what is not on the screen is read when somebody looks at it', async () => {
  queryClient.setQueryData(['search', 'ana'], 'antes');
  bus.add([['search']]);
  await pass(500);
  expect(queryClient.getQueryState(['search', 'ana'])?.isInvalidated).toBe(true);
  expect(read).not.toHaveBeenCalled();
});

test('a page that nobody sees reads nothing until somebody returns to it', async () => {
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  bus.add([['folders']]);
  await pass(500);
  expect(read).not.toHaveBeenCalled();
  visibility.mockReturnValue('visible');
  focusManager.onFocus();
  await pass(1);
  expect(shown()).toBe('novo');
  expect(read).toHaveBeenCalledTimes(1);
});

test('nothing is read while a row is being written, and all right after', async () => {
  const write = pendingWritesOf(queryClient).begin({ table: 'folders', kind: 'change', ids: ['1'] });
  bus.add([['folders']]);
  await pass(5_000);
  expect(read).not.toHaveBeenCalled();
  write.settle();
  await pass(1);
  expect(shown()).toBe('novo');
  expect(read).toHaveBeenCalledTimes(1);
});

test('nor while any other write is under way, also one that fails', async () => {
  const { promise, reject } = Promise.withResolvers<void>();
  const mutation = queryClient.getMutationCache().build(queryClient, { mutationFn: () => promise });
  mutation.execute(undefined).catch(() => undefined);
  bus.add([['folders']]);
  await pass(5_000);
  expect(read).not.toHaveBeenCalled();
  reject(new Error('refused'));
  await pass(1);
  expect(shown()).toBe('novo');
  expect(read).toHaveBeenCalledTimes(1);
});

test('an answer that was on its way may be from before: one more read follows it', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  read.mockImplementationOnce(() => promise);
  void queryClient.refetchQueries({ queryKey: ['folders'] });
  bus.add([['folders']]);
  await pass(5_000);
  expect(read).toHaveBeenCalledTimes(1);
  resolve('velho');
  await pass(1);
  expect(read).toHaveBeenCalledTimes(2);
  expect(shown()).toBe('novo');
});

test('what a burst outdates during a read is read once more after it, however often it was told', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  read.mockImplementationOnce(() => promise);
  bus.add([['folders']]);
  await pass(1);
  for (let at = 0; at < 20; at += 1) {
    bus.add([['folders']]);
    await pass(100);
  }
  expect(read).toHaveBeenCalledTimes(1);
  resolve('velho');
  await pass(5_000);
  expect(read).toHaveBeenCalledTimes(2);
  expect(shown()).toBe('novo');
});

test('two batches during one read: what it does not concern is read at once, the rest after it', async () => {
  const other = vi.fn(async () => 'b');
  queryClient.setQueryData(['categories', 'ana'], 'antes');
  const options = { queryKey: ['categories', 'ana'], queryFn: other, staleTime: Infinity };
  const leaveOther = new QueryObserver(queryClient, options).subscribe(() => undefined);
  const { promise, resolve } = Promise.withResolvers<string>();
  read.mockImplementationOnce(() => promise);
  bus.add([['folders']]);
  await pass(1);
  bus.add([['folders'], ['categories']]);
  await pass(1_000);
  bus.add([['folders']]);
  await pass(1_000);
  expect([read.mock.calls.length, other.mock.calls.length]).toEqual([1, 1]);
  expect([shown(), queryClient.getQueryData(['categories', 'ana'])]).toEqual(['antes', 'b']);
  resolve('velho');
  await pass(5_000);
  expect([read.mock.calls.length, other.mock.calls.length]).toEqual([2, 1]);
  expect(shown()).toBe('novo');
  leaveOther();
});

test('of two writes the read waits for the later one, and then happens once', async () => {
  const begin = (id: string) =>
    pendingWritesOf(queryClient).begin({ table: 'folders', kind: 'change', ids: [id] });
  const [first, second] = [begin('1'), begin('2')];
  bus.add([['folders']]);
  first.settle();
  await pass(5_000);
  expect(read).not.toHaveBeenCalled();
  bus.add([['folders']]);
  second.undo();
  second.settle();
  await pass(5_000);
  expect(shown()).toBe('novo');
  expect(read).toHaveBeenCalledTimes(1);
});
