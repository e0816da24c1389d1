import { describe, expect, test } from 'vitest';
import { foldText, splitMatches } from './fold-text.ts';

test.each([
  ['Ação', 'acao'],
  ['CORAÇÃO', 'coracao'],
  ['e\u0301cran', 'ecran'],
  ['Straße', 'strasse'],
  ['Œuvre', 'oeuvre'],
  ['İstanbul', 'istanbul'],
  ['日本', '日本'],
  ['100% _x_ \\', '100% _x_ \\'],
])('%j folds to %j', (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

function mark(text: string, term: string): string {
  return splitMatches(text, term)
    .map((part) => (part.matched ? `[${part.text}]` : part.text))
    .join('');
}

describe('matches are found without case and accents, and nothing is lost', () => {
  test.each([
    ['Ação e reação', 'acao', '[Ação] e re[ação]'],
    ['acao', 'AÇÃO', '[acao]'],
    ['e\u0301cran', 'e', '[e\u0301]cran'],
    ['Straße', 'ss', 'Stra[ß]e'],
    ['👍 ok 👍', 'ok', '👍 [ok] 👍'],
    ['100% certo', '%', '100[%] certo'],
    ['a.b.c', '.', 'a[.]b[.]c'],
    ['nada', 'xyz', 'nada'],
    ['nada', '  ', 'nada'],
    ['aaaa', 'aa', '[aa][aa]'],
  ])('%j with %j', (text, term, expected) => {
    expect(mark(text, term)).toBe(expected);
    expect(
      splitMatches(text, term)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  });
});
