import { expect, test } from 'vitest';
import { describeYearlySaving } from './plan-offer-messages.ts';

test.each([
  [199, 1990, '2 meses grátis'],
  [199, 1991, '1 mês grátis'],
  [100, 1100, '1 mês grátis'],
  [100, 1101, null],
  [100, 1300, null],
  [0, 0, null],
])('%i a month and %i a year: %s', (month, year, words) => {
  expect(describeYearlySaving(month, year)).toBe(words);
});
