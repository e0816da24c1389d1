import { describe, expect, it } from 'vitest';
import { readIdempotencyKey } from './idempotency.ts';

const read = (key?: string | string[]) =>
  readIdempotencyKey(key === undefined ? {} : { 'idempotency-key': key });

describe('an idempotency key', () => {
  it.each([
    [undefined, undefined],
    ['abc', 'abc'],
    ['"8e03978e-40d5-43e8-bc93-6894a57f9324"', '8e03978e-40d5-43e8-bc93-6894a57f9324'],
    ['a b', 'a b'],
    ['x'.repeat(255), 'x'.repeat(255)],
  ])('is read: %s', (given, key) => {
    expect(read(given)).toBe(key);
  });

  it.each(['', ' ', 'x'.repeat(256), 'ação', 'a\u0000b', 'a\tb', ' a'])('is none: %j', (given) => {
    expect(() => read(given)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });
});
