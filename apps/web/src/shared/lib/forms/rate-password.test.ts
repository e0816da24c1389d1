import { expect, test } from 'vitest';
import { ratePassword } from './rate-password.ts';

test.each([
  ['', 'weak'],
  ['123456', 'weak'],
  ['senha2025!', 'weak'],
  ['aaaaaaaaaaaaaaaaaa', 'weak'],
  ['abcdefghijklmnop', 'weak'],
  ['ana.souza1', 'weak'],
  ['cafezinho', 'fair'],
  ['Cafe-quente7', 'good'],
  ['quatro cavalos azuis', 'strong'],
  ['x9$Kp2!vQ7mZ', 'strong'],
])('%s is %s', (password, rating) => {
  expect(ratePassword(password, ['Ana Souza', 'ana@exemplo.com', 'souza'])).toBe(rating);
});
