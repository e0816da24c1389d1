import { expect, test } from 'vitest';
import { readPhoneNumber } from './phone-number.ts';

test.each([
  ['(11) 91234-5678', '+5511912345678'],
  ['011 91234 5678', '+5511912345678'],
  ['11 3123-4567', '+551131234567'],
  ['+55 (11) 91234-5678', '+5511912345678'],
  ['5511912345678', '+5511912345678'],
  ['+351 912 345 678', '+351912345678'],
  ['+1 415 555 0100', '+14155550100'],
])('reads %j', (text, number) => expect(readPhoneNumber(text)).toBe(number));

test.each(['', '91234-5678', 'onze', '+', '+0 11 91234 5678', '+5511912345678901'])('takes no %j', (text) =>
  expect(readPhoneNumber(text)).toBeNull(),
);
