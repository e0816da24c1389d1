import { expect, test } from 'vitest';
import { planCovers } from './plan-covers.ts';

test.each([
  [0, 16, 2],
  [358, 16, 2],
  [532, 16, 2],
  [788, 16, 3],
  [976, 16, 3],
  [1152, 16, 4],
  [900, 32, 2],
])('%i px with %i px a rem hold %i covers side by side', (width, rem, columns) => {
  expect(planCovers(width, rem).columns).toBe(columns);
});

test('covers are as high as their image and the text below it, whatever stands in it', () => {
  const { lineHeight, bareLineHeight, columns, gap } = planCovers(358, 16);
  const card = (358 - gap) / columns;
  expect(lineHeight).toBe(Math.ceil(((card - 2) * 9) / 16) + 2 + 70);
  expect(bareLineHeight).toBe(lineHeight);
});
