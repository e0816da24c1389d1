import { expect, test } from 'vitest';
import { extendTypeAhead } from './type-ahead.ts';

test('letters in one breath spell a name; after a pause a new one begins', () => {
  const r = extendTypeAhead(null, 'r', 0);
  const re = extendTypeAhead(r, 'e', 600);
  expect(re).toEqual({ text: 're', at: 600 });
  expect(extendTypeAhead(re, 'd', 1_300)).toEqual({ text: 'd', at: 1_300 });
});

test('a space belongs to a name that has begun, and to nothing else', () => {
  expect(extendTypeAhead(null, ' ', 0)).toBeNull();
  expect(extendTypeAhead({ text: 'minha', at: 0 }, ' ', 100)?.text).toBe('minha ');
  expect(extendTypeAhead({ text: 'minha', at: 0 }, ' ', 900)).toBeNull();
});

test.each(['Enter', 'ArrowDown', 'Shift', 'F2', ''])('%s writes nothing', (key) => {
  expect(extendTypeAhead({ text: 'a', at: 0 }, key, 1)).toBeNull();
});
