import { expect, test } from 'vitest';
import { formatClock, formatMoment } from './dates.ts';

test('a moment reads as a clock shows it, and what is none as nothing', () => {
  expect(formatClock(new Date('2025-05-11T17:32:05Z'), 'America/Sao_Paulo')).toBe('14:32:05');
  expect(formatClock(new Date('ontem'))).toBe('');
});

const zone = 'America/Sao_Paulo';
const now = new Date('2025-11-21T20:00:00Z');

test.each([
  ['2025-11-21T17:32:00Z', 'hoje às 14:32'],
  ['2025-11-21T03:05:00Z', 'hoje às 00:05'],
  ['2025-11-21T02:59:00Z', '20/11/2025 às 23:59'],
])('%s is %s', (moment, words) => {
  expect(formatMoment(new Date(moment), now, zone)).toBe(words);
});
