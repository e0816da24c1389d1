import { renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useSingleFlight } from './use-single-flight.ts';

test('calls while one is under way do nothing; after it the next one runs', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const run = vi.fn(async (_input: string) => promise);
  const { result } = renderHook(() => useSingleFlight(run));
  const first = result.current('a');
  await result.current('b');
  expect(run.mock.calls).toEqual([['a']]);
  resolve();
  await first;
  await result.current('c');
  expect(run.mock.calls).toEqual([['a'], ['c']]);
});

test('one that fails says so, and the next one runs', async () => {
  const run = vi.fn(async (_input: string) => {});
  run.mockRejectedValueOnce(new Error('refused'));
  const { result } = renderHook(() => useSingleFlight(run));
  await expect(result.current('a')).rejects.toThrow('refused');
  await result.current('b');
  expect(run.mock.calls).toEqual([['a'], ['b']]);
});

test('so does one that fails before it has begun to wait', async () => {
  const run = vi.fn((_input: string): Promise<void> => Promise.resolve());
  run.mockImplementationOnce(() => {
    throw new Error('broken');
  });
  const { result } = renderHook(() => useSingleFlight(run));
  await expect(result.current('a')).rejects.toThrow('broken');
  await result.current('b');
  expect(run).toHaveBeenCalledTimes(2);
});

test('what a later render gave runs, by the same function', async () => {
  const [before, after] = [vi.fn(async () => {}), vi.fn(async () => {})];
  const { result, rerender } = renderHook(({ run }) => useSingleFlight<void>(run), {
    initialProps: { run: before },
  });
  const call = result.current;
  rerender({ run: after });
  await call();
  expect(result.current).toBe(call);
  expect([before.mock.calls.length, after.mock.calls.length]).toEqual([0, 1]);
});
