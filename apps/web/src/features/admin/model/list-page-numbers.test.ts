import { expect, test } from 'vitest';
import { listPageNumbers } from './list-page-numbers.ts';

test.each([
  [1, 1, '1'],
  [1, 7, '1 2 3 4 5 6 7'],
  [1, 10, '1 2 gap 9 10'],
  [5, 10, '1 2 gap 4 5 6 gap 9 10'],
  [3, 10, '1 2 3 4 gap 9 10'],
  [10, 10, '1 2 gap 9 10'],
  [9, 10, '1 2 gap 8 9 10'],
  [5000, 10_000, '1 2 gap 4999 5000 5001 gap 9999 10000'],
])('page %d of %d offers %s', (page, count, numbers) => {
  expect(listPageNumbers(page, count).join(' ')).toBe(numbers);
});
