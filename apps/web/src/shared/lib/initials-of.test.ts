import { expect, test } from 'vitest';
import { initialsOf } from './initials-of.ts';

test.each([
  ['Ana de Souza', 'AS'],
  ['élida', 'É'],
  ['ana.souza@exemplo.com', 'AS'],
  ['🦊 Raposa', '🦊R'],
  ['  ', '?'],
])('%s → %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
