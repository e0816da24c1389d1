import { expect, test, vi } from 'vitest';
import { collectGarbage, watchPeak } from './release-memory.ts';

function look(...sizes: readonly number[]): number {
  const release = vi.fn();
  const peak = watchPeak(release);
  for (const size of sizes) peak.update(size);
  return release.mock.calls.length;
}

test('memory is given back once after a peak is over', () => {
  expect(look(0, 900, 2_000, 100, 100, 100, 100)).toBe(1);
  expect(look(2_000, 0, 0, 2_000, 0, 0)).toBe(2);
});

test.each([
  ['while it stays', [2_000, 1_500, 1_500, 900, 900]],
  ['when it comes back at once, as after a restart in between', [2_000, 0, 2_000, 0, 2_000]],
  ['for a handful', [150, 0, 0, 0]],
])('nothing stands still for it %s', (_when, sizes) => {
  expect(look(...sizes)).toBe(0);
});

test('collecting gives the system its memory back', () => {
  let rubbish: object[] | undefined = Array.from({ length: 1_000_000 }, (_, n) => ({ n }));
  expect(rubbish).toHaveLength(1_000_000);
  const before = process.memoryUsage().heapUsed;
  rubbish = undefined;
  collectGarbage();
  expect(process.memoryUsage().heapUsed).toBeLessThan(before - 10_000_000);
});
