import { expect, test } from 'vitest';
import { matchLike, parseLikePattern } from './match-like.ts';

function matches(value: string, text: string): boolean | undefined {
  const pattern = parseLikePattern(text);
  return pattern && matchLike(pattern, value);
}

test.each([
  ['abc', 'abc', true],
  ['abc', 'ab', false],
  ['', '', true],
  ['', '%', true],
  ['', '_', false],
  ['abcabd', '%ab_', true],
  ['abcabd', 'a%b%d', true],
  ['a%c', 'a\\%c', true],
  ['abc', 'a\\%c', false],
  ['a😀c', 'a_c', true],
  ['a\nc', 'a%c', true],
  ['abc', 'abc%%', true],
  ['aXbXc', '%X%X%X%', false],
])('%j like %j: %j', (value, pattern, expected) => {
  expect(matches(value, pattern)).toBe(expected);
});

test('a pattern that ends with its escape is none, and long work is left to the database', () => {
  expect(parseLikePattern('a\\')).toBeUndefined();
  expect(matches('a'.repeat(10_000), '%a'.repeat(50))).toBeUndefined();
});
