import { expect, it } from 'vitest';
import { networkAddressOf } from './challenge-factor.ts';

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8::7', '2001:db8::7'],
  ['', '0.0.0.0'],
  ['unknown', '0.0.0.0'],
])('where a challenge was asked for is an address that the database takes: %j', (ip, written) => {
  expect(networkAddressOf({ ip })).toBe(written);
});
