import { expect, test } from 'vitest';
import { planStop } from './plan-stop.ts';

test.each([0, 1, 5, 10, 13])('a stop with %d s of drain is over in less than thirty seconds', (seconds) => {
  const { drainMs, stopMs } = planStop(seconds);
  expect(drainMs + stopMs).toBeLessThan(30_000);
});

test('a longer drain lengthens the stop, and leaves requests a moment to finish', () => {
  const { drainMs, finishMs, stopMs } = planStop(120);
  expect(finishMs).toBe(1_000);
  expect(drainMs + stopMs).toBeLessThanOrEqual(120_000 + 15_000);
});

test('without a drain requests have ten seconds to finish', () => {
  expect(planStop(0)).toMatchObject({ drainMs: 0, finishMs: 10_000 });
});
