import { expect, test } from 'vitest';
import { readDepartureAddress } from './departure.ts';

const own = ['http://localhost:3000'];

test.each([
  'https://checkout.stripe.com/c/pay/cs_1#x',
  'http://localhost:3000/payment-emulator/checkout/cs_1',
])('%s is gone to', (address) => {
  expect(readDepartureAddress(address, own)).toBe(address);
});

test.each([
  'http://checkout.stripe.com/c/pay',
  'http://localhost:3001/payment-emulator',
  'http://localhost:3000@evil.example/',
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,x',
  'blob:http://localhost:3000/1',
  'ftp://localhost:3000/',
  '//evil.example',
  '/payment-emulator',
  '',
  null,
  undefined,
  7,
  {},
])('%s is not', (address) => {
  expect(readDepartureAddress(address, own)).toBeNull();
});
