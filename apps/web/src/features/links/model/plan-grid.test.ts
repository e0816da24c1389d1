import { expect, test } from 'vitest';
import { planGrid } from './plan-grid.ts';

test.each([
  [0, 16, 1],
  [358, 16, 1],
  [560, 16, 2],
  [960, 16, 3],
  [1152, 16, 4],
  [960, 32, 1],
])('%i px with %i px a rem hold %i columns', (width, rem, columns) => {
  expect(planGrid('grid', width, rem).columns).toBe(columns);
});

test('a row is 44 px, and taller where text is larger', () => {
  expect(planGrid('list', 960, 16)).toEqual({ columns: 1, lineHeight: 44, gap: 0 });
  expect(planGrid('list', 960, 32).lineHeight).toBe(88);
});
