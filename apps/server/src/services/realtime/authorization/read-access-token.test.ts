import { expect, test } from 'vitest';
import { createKeyring } from '../../../kernel/keyring.ts';
import { readAccessToken } from './read-access-token.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const keyring = await createKeyring({ secrets: ['a secret that only the tests of realtime use'] });
const exp = NOW.getTime() / 1000 + 60;

/** A keyring that takes any text for a third party's token with these claims. */
const ofThirdParty = (claims: object) => ({
  ...keyring,
  verify: () => ({ ok: true, claims: { ...claims }, isForeign: true }) as const,
});

test('a third party’s person listens as any other, and nobody of theirs as the operator', () => {
  const ana = { sub: 'user_01ANA', role: 'authenticated', exp };
  expect(readAccessToken(ofThirdParty(ana), 'x', NOW)).toMatchObject({
    ok: true,
    caller: { role: 'authenticated', claims: ana },
    expiresAt: exp * 1000,
  });
  expect(readAccessToken(ofThirdParty({ ...ana, role: 'service_role' }), 'x', NOW)).toMatchObject({
    ok: false,
    code: 'Unauthorized',
  });
  expect(readAccessToken(keyring, keyring.serviceRoleKey, NOW)).toMatchObject({
    ok: true,
    caller: { role: 'service_role' },
  });
});

test('a token without a role or an end is told what it lacks', async () => {
  for (const claims of [{ role: 'authenticated' }, { exp }])
    expect(readAccessToken(keyring, await keyring.signAccessToken(claims), NOW)).toMatchObject({
      ok: false,
      code: 'InvalidJWTToken',
    });
});
