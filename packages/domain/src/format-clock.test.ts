import { expect, test } from 'vitest';
import { formatClock } from './dates.ts';

test('a moment reads as a clock shows it, and what is none as nothing', () => {
  expect(formatClock(new Date('2025-05-11T17:32:05Z'), 'America/Sao_Paulo')).toBe('14:32:05');
  expect(formatClock(new Date('ontem'))).toBe('');
});
