import { expect, test } from 'vitest';
import { readPageEnd, toDay } from './page-end.ts';

const NOW = new Date(2026, 10, 26, 10, 30);

test.each([
  ['kept', '', undefined],
  ['never', '', null],
  ['1', '', new Date(2026, 10, 27, 10, 30)],
  ['7', '', new Date(2026, 11, 3, 10, 30)],
  ['30', '', new Date(2026, 11, 26, 10, 30)],
  ['day', '2026-12-03', new Date(2026, 11, 3, 23, 59, 59)],
  ['day', '2026-11-26', new Date(2026, 10, 26, 23, 59, 59)],
  ['day', '2026-11-25', undefined],
  ['day', '', undefined],
  ['day', '2026-13-40', undefined],
] as const)('%s %s ends at %s', (choice, day, end) => {
  expect(readPageEnd(choice, day, NOW)).toEqual(end);
});

test('a day is that of where the person is', () => {
  expect(toDay(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05');
});
