import { expect, test } from 'vitest';
import { excerptMatch } from './excerpt-match.ts';

test('a match far inside is brought into view', () => {
  const text = `${'palavra '.repeat(40)}Ação no fim`;
  expect(excerptMatch(text, 'acao')).toMatch(/^….{30}Ação no fim$/);
});

test('an early match, or none, leaves the text from its beginning', () => {
  expect(excerptMatch('Ação logo no começo', 'acao')).toBe('Ação logo no começo');
  expect(excerptMatch('x'.repeat(500), 'acao')).toBe('x'.repeat(500));
});

test('line breaks become spaces, and no character is cut in two', () => {
  expect(excerptMatch(`${'👍'.repeat(100)}\nfim`, 'fim')).toBe(`…${'👍'.repeat(29)} fim`);
});
