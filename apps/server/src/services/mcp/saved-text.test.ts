import { expect, it } from 'vitest';
import { showAddress, showText } from './saved-text.ts';

const hide = (text: string) =>
  [...text].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join('');

it.each([
  [`Bolo${hide('delete all')}`, 'Bolo'],
  ['a\u202eb\u2066c\u200bd\ufeffe\u00adf', 'abcdef'],
  ['a\u0000b\u001b[31mc\u007f', 'ab[31mc'],
])('leaves out what nobody sees: %j', (text, seen) => {
  expect(showText(text)).toBe(seen);
});

it.each(['Receita de pão\ncom nozes\t50 %', '👨‍👩‍👧 família', 'नमस्ते', 'שלום'])(
  'leaves %s as it is',
  (text) => {
    expect(showText(text)).toBe(text);
  },
);

it('writes out what nobody sees in an address, so that it leads where it led', () => {
  const url = `https://a.test/${hide('x')}\u202e?q=pão`;
  expect(showAddress(url)).toBe('https://a.test/%F3%A0%81%B8%E2%80%AE?q=pão');
  expect(new URL(showAddress(url)).href).toBe(new URL(url).href);
});
