import { describe, expect, test } from 'vitest';
import { foldText } from './fold-text.ts';
import { hasWords, rankText, readSearchWords } from './search-words.ts';
import { splitFound } from './split-matches.ts';

describe('what is typed is read', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['Garmin  biblioteca', ['biblioteca', 'garmin'], []],
    ['bolo de fubá', ['bolo', 'fuba', 'de'], []],
    ['"bolo de fubá" receita', ['bolo de fuba', 'receita'], []],
    ['“Bolo de Fubá”', ['bolo de fuba'], []],
    ['bolo -cenoura', ['bolo'], ['cenoura']],
    ['bolo -"de cenoura"', ['bolo'], ['de cenoura']],
    ['bolo –cenoura', ['bolo'], ['cenoura']],
    ['-cenoura', [], ['cenoura']],
    ['--ajuda', [], ['ajuda']],
    ['guarda-chuva', ['guarda-chuva'], []],
    ['a - b', ['a', 'b'], []],
    ['tela 27"', ['tela', '27"'], []],
    ['"ainda sem fim', ['ainda sem fim'], []],
    ['bolo -"ainda sem', ['bolo'], ['ainda sem']],
    ['"" - " "', [], []],
    ['casa casa casarão', ['casarao'], []],
    ['100% _x_ c:\\x', ['100%', 'c:\\x', '_x_'], []],
    ['  ', [], []],
  ])('%j asks for %j without %j', (term, wanted, unwanted) => {
    const words = readSearchWords(term);
    expect([words.wanted, words.unwanted]).toEqual([wanted, unwanted]);
  });

  test('of very many words the first 32 count', () => {
    const term = Array.from({ length: 40 }, (_, n) => `w${String.fromCharCode(97 + n)}z`).join(' ');
    expect(readSearchWords(term).wanted).toHaveLength(32);
  });

  test.each([
    ['bolo', false],
    ['', false],
    ['-bolo', false],
    ['"bolo"', true],
    ['bolo fubá', true],
    ['bolo -fubá', true],
  ])('%j can be found by words: %s', (term, expected) => {
    expect(hasWords(readSearchWords(term))).toBe(expected);
  });
});

test.each<[string, string, string, number]>([
  ['Biblioteca de trilhas Garmin', '', 'garmin biblioteca', 2],
  ['A Garmin Biblioteca', '', 'garmin biblioteca', 3],
  ['Biblioteca', '', 'garmin biblioteca', 0],
  ['Biblioteca', 'Relógios Garmin', 'garmin biblioteca', 1],
  ['Biblioteca', 'Relógios Garmin', 'garmin biblioteca trilha', 0],
  ['Biblioteca', 'Relógios Garmin', 'relogios garmin', 0],
  ['Relógios', 'Relógios Garmin', 'relogios garmin', 1],
  ['Biblioteca', 'Relógios Garmin', 'garmin', 0],
  ['Biblioteca', 'Relógios Garmin', 'garmin biblioteca -bib', 0],
  ['Bolo de cenoura', '', 'bolo -cenoura', 0],
  ['Bolo de fubá', '', 'bolo -cenoura', 2],
  ['O que quer dizer bolo -cenoura', '', 'bolo -cenoura', 3],
  ['Bolo de fubá', '', '-cenoura', 0],
  ['de fubá, o bolo', '', '"bolo de"', 0],
])('%j in %j answers %j as %i', (text, place, term, rank) => {
  expect(rankText(foldText(text), readSearchWords(term), foldText(place))).toBe(rank);
});

test.each([
  ['Biblioteca da Garmin', 'garmin biblio', '[Biblio]teca da [Garmin]'],
  ['Garmin biblio e Garmin', 'garmin biblio', '[Garmin biblio] e Garmin'],
  ['Bolo de fubá', 'bolo -cenoura', '[Bolo] de fubá'],
  ['Ramarama', 'rama "arama"', 'Ram[arama]'],
  ['nada disso', 'outra coisa', 'nada disso'],
])('in %j what %j found stands out', (text, term, expected) => {
  const parts = splitFound(text, term);
  expect(parts.map((part) => (part.matched ? `[${part.text}]` : part.text)).join('')).toBe(expected);
});
