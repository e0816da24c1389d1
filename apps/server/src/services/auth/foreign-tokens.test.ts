import { expect, test } from 'vitest';
import type { AuthContext } from './auth-context.ts';
import { authenticate, isOperator, requireOperator } from './authenticate.ts';

/** Takes any text for a token with these claims. */
const contextOf = (claims: object, isForeign: boolean) =>
  ({
    now: () => new Date(),
    keyring: { verify: () => ({ ok: true, claims, ...(isForeign ? { isForeign } : {}) }) },
  }) as unknown as AuthContext;
const request = { headers: { authorization: 'Bearer x' }, body: undefined, query: {}, params: {}, ip: '' };

test('a token of a third party is nobody’s here, whatever it says', async () => {
  const person = { sub: '9f2c1f0e-0000-4000-8000-000000000000', role: 'authenticated' };
  await expect(authenticate(contextOf(person, true), request)).rejects.toMatchObject({
    code: 'bad_jwt',
    message: expect.stringContaining('bad signature'),
  });
  const operator = { role: 'service_role' };
  expect(() => requireOperator(contextOf(operator, true), request)).toThrow(
    expect.objectContaining({ code: 'bad_jwt' }),
  );
  expect(isOperator(contextOf(operator, true), request)).toBe(false);
  expect(isOperator(contextOf(operator, false), request)).toBe(true);
  expect(() => requireOperator(contextOf(operator, false), request)).not.toThrow();
});
