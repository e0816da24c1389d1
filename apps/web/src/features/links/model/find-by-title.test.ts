import { expect, test } from 'vitest';
import type { Link } from '../../../shared/lib/rows.ts';
import { findByTitle } from './find-by-title.ts';

const links = ['Água', 'Banana', 'abacate', 'Ábaco', 'Banco'].map((title) => ({ title }) as Link);

test('a first letter goes to the next title, and comes round', () => {
  expect(findByTitle(links, 'b', 0)).toBe(1);
  expect(findByTitle(links, 'b', 1)).toBe(4);
  expect(findByTitle(links, 'b', 4)).toBe(1);
});

test('a longer beginning may stay where it is', () => {
  expect(findByTitle(links, 'ba', 1)).toBe(1);
  expect(findByTitle(links, 'banc', 1)).toBe(4);
});

test('case and accents do not count', () => {
  expect(findByTitle(links, 'A', 0)).toBe(2);
  expect(findByTitle(links, 'abac', 3)).toBe(3);
});

test('what no title begins with leads nowhere', () => {
  expect(findByTitle(links, 'z', 0)).toBeNull();
  expect(findByTitle([], 'a', 0)).toBeNull();
});
