import { describe, expect, test } from 'vitest';
import { foldTerm, foldText } from './fold-text.ts';
import { splitMatches } from './split-matches.ts';

test.each([
  ['Ação', 'acao'],
  ['CORAÇÃO', 'coracao'],
  ['e\u0301cran', 'ecran'],
  ['Straße', 'strasse'],
  ['Œuvre', 'oeuvre'],
  ['İstanbul', 'istanbul'],
  ['日本', '日本'],
  ['100% _x_ \\', '100% _x_ \\'],
  ['linha um\n\tlinha   dois', 'linha um linha dois'],
  ['“Aspas” – e travessão…', '"aspas" - e travessao...'],
  ['1ª e 2º', '1a e 2o'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['ё', 'е'],
  ['й が', 'й が'],
  ['²', '²'],
])('%j folds to %j', (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

function mark(text: string, term: string): string {
  return splitMatches(text, [term])
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
    ['Uma\nlinha   longa', 'uma linha longa', '[Uma\nlinha   longa]'],
    ['a\u0301\u0323b', 'a', '[a\u0301\u0323]b'],
    ['família 👩‍👩‍👧 feliz', '👩', 'família [👩‍👩‍👧] feliz'],
    ['❤️ sim', '❤', '[❤️] sim'],
    ['👍🏽!', '👍', '[👍🏽]!'],
    ['…', '.', '[…]'],
  ])('%j with %j', (text, term, expected) => {
    expect(mark(text, term)).toBe(expected);
    expect(
      splitMatches(text, [term])
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  });
});

test('several terms are all found, from left to right, and those that overlap once', () => {
  const parts = splitMatches('Casa da praia e casarão', ['praia', 'casa', 'asa d']);
  expect(parts.map((part) => (part.matched ? `[${part.text}]` : part.text)).join('')).toBe(
    '[Casa][ d]a [praia] e [casa]rão',
  );
});

test('blanks around a term are not looked for, whatever their kind', () => {
  expect(foldTerm(' \t Ação \n')).toBe('acao');
  expect(foldTerm(' \n')).toBe('');
});
