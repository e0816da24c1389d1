import { expect, test } from 'vitest';
import { beginsWith, findByWords } from './find-by-words.ts';

const ALL = [
  { label: 'Novo link', synonyms: 'adicionar guardar endereço' },
  { label: 'Nova pasta', synonyms: 'adicionar criar' },
  { label: 'Início', synonyms: 'painel' },
  { label: 'Exportar favoritos' },
];

test.each<[string, readonly string[]]>([
  ['nova', ['Nova pasta']],
  ['NOV', ['Novo link', 'Nova pasta']],
  ['pasta nova', ['Nova pasta']],
  ['inicio', ['Início']],
  ['adicionar', ['Novo link', 'Nova pasta']],
  ['guardar link', ['Novo link']],
  ['endereco', ['Novo link']],
  ['favoritos', ['Exportar favoritos']],
  // Inside a word, and with a word too many.
  ['ova', []],
  ['nova coisa', []],
  ['', ['Novo link', 'Nova pasta', 'Início', 'Exportar favoritos']],
])('%j means %j', (typed, labels) => {
  expect(findByWords(ALL, typed).map(({ label }) => label)).toEqual(labels);
});

test('who writes the beginning of a name means it more than who writes another word for it', () => {
  const found = findByWords([{ label: 'Perfil', synonyms: 'conta' }, { label: 'Conta de luz' }], 'conta');
  expect(found.map(({ label }) => label)).toEqual(['Conta de luz', 'Perfil']);
  expect(found.map((one) => beginsWith(one, 'CONTA d'))).toEqual([true, false]);
});
