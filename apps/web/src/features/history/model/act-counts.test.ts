import { expect, test } from 'vitest';
import { describeReturns, describeStays, readActCounts } from './act-counts.ts';

test('says what comes back, one and many, each in a sentence', () => {
  expect(describeReturns({ saved: 12, deleted: 1, moved: 1200, changed: 2, tagged: 1, renamed: 1 })).toEqual([
    '12 links vão para a Lixeira.',
    '1 link volta da Lixeira.',
    '1.200 links voltam para onde estavam.',
    '2 links voltam a ser como eram.',
    '1 link volta a ter as tags de antes.',
    '1 categoria volta a ter o nome e a descrição de antes.',
  ]);
  expect(describeReturns({ changed_since: 2 })).toEqual([]);
});

test('says what stays, and why', () => {
  expect(describeStays({ moved: 3, changed_since: 2, gone: 1, place_gone: 1, not_yours: 4 })).toEqual([
    '2 já foram mudados depois e ficam como estão.',
    '1 não está mais na Lixeira.',
    '1 fica: a categoria de antes não existe mais.',
    '4 ficam: você não pode mais escrever lá.',
  ]);
});

test.each([
  [{ moved: 3, changed_since: 0, um_dia_novo: 2, saved: '5' }, { moved: 3 }],
  [null, {}],
  ['moved', {}],
  [[1, 2], {}],
])('reads %j as far as it knows it', (answer, counts) => {
  expect(readActCounts(answer)).toEqual(counts);
});
