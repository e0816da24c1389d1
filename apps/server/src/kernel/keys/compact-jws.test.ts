import { expect, test } from 'vitest';
import { readCompactJws } from './compact-jws.ts';

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token of so many characters. */
function tokenOf(length: number): string {
  const start = `${part({ alg: 'HS256' })}.${part({ sub: 'ana' })}.`;
  return start.padEnd(length, 'A');
}

test('a token of 16,384 characters is read, a longer one is not', () => {
  expect(readCompactJws(tokenOf(16_384))?.claims).toEqual({ sub: 'ana' });
  expect(readCompactJws(tokenOf(16_385))).toBeUndefined();
});
