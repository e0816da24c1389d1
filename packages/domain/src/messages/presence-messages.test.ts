import { expect, test } from 'vitest';
import { describeWhoIsHere, listNames } from './presence-messages.ts';

test.each([
  [['Ana Maria de Souza'], 'Ana está aqui'],
  [[null], 'Usuário está aqui'],
  [['Ana', ' Bia '], 'Ana e Bia estão aqui'],
  [['Ana', 'Bia', 'Caio'], 'Ana e mais 2 estão aqui'],
])('of %j it says %s', (names, said) => {
  expect(describeWhoIsHere(names)).toBe(said);
});

test('all names stand in one list', () => {
  expect(listNames(['Ana Souza', null, 'Caio'])).toBe('Ana Souza, Usuário e Caio');
});
