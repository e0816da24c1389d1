import { expect, test } from 'vitest';
import { suggestEmail } from './suggest-email.ts';

test.each([
  ['ana@gmial.com', 'ana@gmail.com'],
  ['ana@gmail.con', 'ana@gmail.com'],
  ['ana@gmai.com', 'ana@gmail.com'],
  ['Ana.B@hotmaill.com', 'Ana.B@hotmail.com'],
  ['ana@uol.com.bt', 'ana@uol.com.br'],
  ['ana@outlok.com', 'ana@outlook.com'],
])('%s was probably %s', (typed, meant) => expect(suggestEmail(typed)).toBe(meant));

test.each([
  'ana@gmail.com',
  'ana@yahoo.com.br',
  'ana@empresa.com.br',
  'ana@ig.com',
  'ana',
  '@gmial.com',
  'ana@',
])('%s is left alone', (typed) => expect(suggestEmail(typed)).toBeNull());
