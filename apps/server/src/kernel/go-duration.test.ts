import { expect, it } from 'vitest';
import { readGoDuration } from './go-duration.ts';

it.each([
  ['0', 0],
  ['0s', 0],
  ['24h', 86_400_000],
  ['1h30m', 5_400_000],
  ['1m30s', 90_000],
  ['1.5h', 5_400_000],
  ['300ms', 300],
  ['1h0m0s', 3_600_000],
  ['250us', 0.25],
])('%s is %d ms', (text, ms) => {
  expect(readGoDuration(text)).toBeCloseTo(ms);
});

it.each(['', '1', '-1h', '1d', 'h', '1h 30m', '1,5h', 'um dia', '1hh', 'Infinity'])('%j is none', (text) => {
  expect(readGoDuration(text)).toBeUndefined();
});
