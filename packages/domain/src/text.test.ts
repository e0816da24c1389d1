import { expect, test } from 'vitest';
import { countCharacters, truncateCharacters } from './text.ts';

// The second figure is what `select char_length(…)` answers.
test.each([
  ['', 0],
  ['ação', 4],
  ['👍', 1],
  ['👨‍👩‍👧', 5],
  ['🇧🇷', 2],
  ['e\u0301', 2],
  ['مرحبا', 5],
])('%j counts %i', (text, count) => {
  expect(countCharacters(text)).toBe(count);
});

test('a cut never goes through a character', () => {
  expect(truncateCharacters('👍👍👍', 2)).toBe('👍👍');
  expect(truncateCharacters('ab👍', 3)).toBe('ab👍');
  expect(truncateCharacters('abc', 0)).toBe('');
  expect(truncateCharacters('x'.repeat(1201), 1200)).toHaveLength(1200);
  expect(truncateCharacters('ab👨‍👩‍👧', 5)).toBe('ab');
  expect(truncateCharacters('abe\u0301', 3)).toBe('ab');
  expect(truncateCharacters('🇧🇷🇧🇷', 3)).toBe('🇧🇷');
  expect(truncateCharacters('👨‍👩‍👧', 3)).toBe('👨‍👩');
});
