import { expect, test } from 'vitest';
import { readQuestion } from './search-question.ts';
import { readTagName, readTagNames, tagKey, tagQuestion } from './tags.ts';

test.each([
  ['#Receitas ', 'Receitas'],
  ['## a,b', 'a b'],
  ['c#', 'c#'],
  ['#', null],
  [' \n', null],
  ['x'.repeat(60), 'x'.repeat(50)],
])('%j is kept as %j', (typed, kept) => {
  expect(readTagName(typed)).toBe(kept);
});

test('names are one without accents, case or order', () => {
  expect(readTagNames(['Física', '#fisica', ' para  ler', '', 'FÍSICA'])).toEqual(['Física', 'para ler']);
  expect(tagKey('São João')).toBe('sao joao');
});

test.each(['doce', 'para ler', 'c#', 'a:b', 'São João'])('the question of %j finds it', (name) => {
  expect(readQuestion(tagQuestion(name)).filters.tags).toEqual([tagKey(name)]);
});
