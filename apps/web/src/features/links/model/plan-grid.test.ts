import { expect, test } from 'vitest';
import { planGrid } from './plan-grid.ts';

test.each([
  [0, 16, 1],
  [358, 16, 1],
  [532, 16, 2],
  [976, 16, 4],
  [1152, 16, 4],
  [900, 32, 1],
])('%i px with %i px a rem hold %i columns', (width, rem, columns) => {
  expect(planGrid('grid', width, rem).columns).toBe(columns);
});

test('a row is 44 px, and taller where text is larger', () => {
  expect(planGrid('list', 960, 16)).toEqual({
    columns: 1,
    lineHeight: 44,
    bareLineHeight: 44,
    tagsHeight: 0,
    gap: 0,
  });
  expect(planGrid('list', 960, 32).lineHeight).toBe(88);
});

test('a card without a description keeps no space for one', () => {
  const { lineHeight, bareLineHeight } = planGrid('grid', 390, 16);
  expect([lineHeight, bareLineHeight]).toEqual([110, 74]);
});
