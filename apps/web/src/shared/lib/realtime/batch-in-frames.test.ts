import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { batchInFrames } from './batch-in-frames.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('the first comes with the next frame, a thousand in a second come in ten hands', async () => {
  const handOver = vi.fn();
  const batch = batchInFrames<number>(handOver);
  batch.add(0);
  await vi.advanceTimersByTimeAsync(20);
  expect(handOver).toHaveBeenCalledTimes(1);
  for (let index = 1; index <= 1_000; index += 1) {
    batch.add(index);
    await vi.advanceTimersByTimeAsync(1);
  }
  await vi.advanceTimersByTimeAsync(300);
  expect(handOver.mock.calls.length).toBeLessThanOrEqual(12);
  expect(handOver.mock.calls.flatMap(([items]) => items)).toEqual(Array.from({ length: 1_001 }, (_, n) => n));
});

test('where no frames are drawn it comes all the same', async () => {
  vi.stubGlobal('requestAnimationFrame', () => 0);
  const handOver = vi.fn();
  batchInFrames<number>(handOver).add(1);
  await vi.advanceTimersByTimeAsync(400);
  expect(handOver).toHaveBeenCalledWith([1]);
  vi.unstubAllGlobals();
});

test('stopped, it hands over nothing more', async () => {
  const handOver = vi.fn();
  const batch = batchInFrames<number>(handOver);
  batch.add(1);
  batch.stop();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(handOver).not.toHaveBeenCalled();
});
