import { expect, test } from 'vitest';
import { readPaymentReturn, removePaymentReturn } from './use-payment-return.ts';

test.each([
  ['?success=true', 'success'],
  ['?a=1&canceled=true', 'canceled'],
  ['?canceled=true&success=true', 'success'],
  ['?success=false', null],
  ['?success', null],
  ['?successful=true', null],
  ['', null],
])('%s is read as %s', (search, expected) => {
  expect(readPaymentReturn(search)).toBe(expected);
});

test.each([
  ['/plans?success=true', '/plans'],
  ['/plans?success=true&canceled=true', '/plans'],
  ['/plans?a=01&success=true&b=%20x#perto', '/plans?a=01&b=%20x#perto'],
  ['/plans?canceled=true#success=true', '/plans#success=true'],
  ['/plans?successful=true', '/plans?successful=true'],
  ['/plans', '/plans'],
])('%s becomes %s', (href, expected) => {
  expect(removePaymentReturn(href)).toBe(expected);
});
