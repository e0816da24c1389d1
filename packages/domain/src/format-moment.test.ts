import { expect, test } from 'vitest';
import { formatMoment } from './dates.ts';

const zone = 'America/Sao_Paulo';
const now = new Date('2025-11-21T20:00:00Z');

test.each([
  ['2025-11-21T17:32:00Z', 'hoje às 14:32'],
  ['2025-11-21T03:05:00Z', 'hoje às 00:05'],
  ['2025-11-21T02:59:00Z', '20/11/2025 às 23:59'],
])('%s is %s', (moment, words) => {
  expect(formatMoment(new Date(moment), now, zone)).toBe(words);
});
