import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPeriod, startsPeriod } from './search-period.ts';
import { readQuestion, without } from './search-question.ts';

const read = (typed: string) => {
  const { words, operators, filters } = readQuestion(typed);
  const asked = Object.entries(filters).filter(
    ([, value]) => value !== null && value !== false && String(value) !== '',
  );
  return [words, Object.fromEntries(asked), operators.map(({ state }) => state)];
};

describe('what is typed is read', () => {
  test.each<[string, string, object, readonly string[]]>([
    ['bolo', 'bolo', {}, []],
    ['  bolo  de fubá ', '  bolo  de fubá ', {}, []],
    ['bolo site:Garmin.com', 'bolo', { site: 'garmin.com' }, ['accepted']],
    ['site:https://www.garmin.com/x?y bolo', 'bolo', { site: 'https://www.garmin.com/x?y' }, ['accepted']],
    ['pasta:"Minhas Receitas" bolo', 'bolo', { folder: 'minhas receitas' }, ['accepted']],
    ['pasta:“Minhas Receitas”', '', { folder: 'minhas receitas' }, ['accepted']],
    ['pasta:"Minhas', '', { folder: 'minhas' }, ['accepted']],
    ['EM:Física', '', { category: 'fisica' }, ['accepted']],
    ['tipo:vídeo', '', { kind: 'video' }, ['accepted']],
    ['tipo:VIDEO', '', { kind: 'video' }, ['accepted']],
    ['tipo:vi', '', {}, ['incomplete']],
    ['tipo:foto', '', {}, ['wrong']],
    ['antes:2024', '', { before: '2024-01-01' }, ['accepted']],
    ['depois:2024', '', { after: '2025-01-01' }, ['accepted']],
    ['depois:12/2024', '', { after: '2025-01-01' }, ['accepted']],
    ['antes:1/2/2024', '', { before: '2024-02-01' }, ['accepted']],
    ['depois:29/02/2024', '', { after: '2024-03-01' }, ['accepted']],
    ['antes:29/02/2023', '', {}, ['wrong']],
    ['antes:32/13/2024', '', {}, ['wrong']],
    ['antes:32/1', '', {}, ['incomplete']],
    ['antes:ontem', '', {}, ['wrong']],
    ['antes:2024 antes:2022', '', { before: '2022-01-01' }, ['accepted', 'accepted']],
    ['é:favorito', '', { favorite: true }, ['accepted']],
    ['e:favoritos', '', { favorite: true }, ['accepted']],
    ['É:fav', '', {}, ['incomplete']],
    ['é:quebrado', '', { broken: true }, ['accepted']],
    ['E:Quebradas bolo', 'bolo', { broken: true }, ['accepted']],
    ['é:favorito é:quebrado', '', { favorite: true, broken: true }, ['accepted', 'accepted']],
    ['é:queb', '', {}, ['incomplete']],
    ['é:quebra-cabeça', '', {}, ['wrong']],
    ['e:quebra', 'e:quebra', {}, []],
    ['é:lido', '', {}, ['wrong']],
    ['tag:Física bolo', 'bolo', { tags: ['fisica'] }, ['accepted']],
    ['tag:#c# tag:"para ler"', '', { tags: ['c#', 'para ler'] }, ['accepted', 'accepted']],
    ['tag:', '', {}, ['incomplete']],
    ['tag:#', '', {}, ['incomplete']],
    ['sem:tag', '', { untagged: true }, ['accepted']],
    ['SEM:tags', '', { untagged: true }, ['accepted']],
    ['sem:t', '', {}, ['incomplete']],
    ['sem:glúten', 'sem:glúten', {}, []],
    ['e:\\pasta', 'e:\\pasta', {}, []],
    ['site:a site:b', '', { site: 'b' }, ['accepted', 'accepted']],
    ['de:Ana', '', { owner: 'ana' }, ['accepted']],
    ['bolo de:"Ana Luíza"', 'bolo', { owner: 'ana luiza' }, ['accepted']],
    ['de:Ana@exemplo.com.br', '', { owner: 'ana@exemplo.com.br' }, ['accepted']],
    ['de:ana de:bia', '', { owner: 'bia' }, ['accepted', 'accepted']],
    ['bolo de fubá', 'bolo de fubá', {}, []],
    ['-de:ana', '-de:ana', {}, []],
    ['de:', '', {}, ['incomplete']],
    ['site:', '', {}, ['incomplete']],
    ['bolo site: receita', 'bolo receita', {}, ['incomplete']],
    // These stay words.
    ['foo:bar', 'foo:bar', {}, []],
    ['https://a.br/', 'https://a.br/', {}, []],
    ['"site:a"', '"site:a"', {}, []],
    ['-site:a', '-site:a', {}, []],
    ['-"pasta:b c"', '-"pasta:b c"', {}, []],
    [':', ':', {}, []],
    ['12:30', '12:30', {}, []],
  ])('%j asks for %j with %j', (typed, words, filters, states) => {
    expect(read(typed)).toEqual([words, filters, states]);
  });

  test('operators stand where they say, and can be taken out one by one', () => {
    const typed = 'bolo  site:a.br de em:"x y" -z';
    const { operators } = readQuestion(typed);
    expect(operators.map(({ start, text }) => typed.slice(start, start + text.length))).toEqual([
      'site:a.br',
      'em:"x y"',
    ]);
    expect(without(typed, operators.slice(0, 1))).toBe('bolo de em:"x y" -z');
    expect(without(typed, operators)).toBe('bolo de -z');
  });
});

const TOKENS = fc.constantFrom(
  ...['site:', 'pasta:', 'em:', 'tipo:', 'antes:', 'depois:', 'é:', 'e:', '"', '“', '-', ' ', ':', '/', '12'],
  ...['2024', 'favorito', 'quebrado', 'video', '\\', '%', '\n', '\ud800'],
);
const TYPED = fc
  .array(fc.oneof(TOKENS, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 12 })
  .map((parts) => parts.join(''));

test('anything can be read; what is left has no operator, and what stands alone is left as it is', () => {
  fc.assert(
    fc.property(TYPED, (typed) => {
      const { words, operators, isFiltered } = readQuestion(typed);
      for (const { start, text } of operators) expect(typed.slice(start, start + text.length)).toBe(text);
      if (operators.length === 0) expect(words).toBe(typed);
      expect(isFiltered).toBe(operators.some(({ state }) => state === 'accepted'));
      const starts = operators.map(({ start }) => start);
      expect(starts).toEqual(starts.toSorted((one, other) => one - other));
    }),
    { numRuns: 2000 },
  );
});

test('a period is a day, a month or a year that is in the calendar', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1000-01-01'), max: new Date('9998-12-31'), noInvalidDate: true }),
      (date) => {
        const [year = '', month = '', day = ''] = date.toISOString().slice(0, 10).split('-');
        const period = readPeriod(`${day}/${month}/${year}`);
        expect(period?.first).toBe(`${year}-${month}-${day}`);
        expect(Date.parse(period?.next ?? '') - Date.parse(period?.first ?? '')).toBe(86_400_000);
        expect(readPeriod(`${month}/${year}`)?.first).toBe(`${year}-${month}-01`);
        expect(readPeriod(year)?.first).toBe(`${year}-01-01`);
        for (let length = 1; length < 4; length += 1) expect(startsPeriod(year.slice(0, length))).toBe(true);
      },
    ),
  );
  for (const wrong of ['', '0/2024', '13/2024', '31/04/2024', '999', '99999', '1/1/1/2024', '2024/01/01'])
    expect(readPeriod(wrong)).toBeNull();
});
