import { expect, test } from 'vitest';
import { describeTotal } from './search-messages.ts';

test.each([
  [0, '0 links'],
  [1, '1 link'],
  [999, '999 links'],
  [1000, '999+ links'],
])('%i reads %s', (total, words) => {
  expect(describeTotal(total)).toBe(words);
});
