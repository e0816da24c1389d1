import { expect, test } from 'vitest';
import { authStorageKey } from './auth-storage-key.ts';
import { readAuthLink } from './read-auth-link.ts';

test.each([
  ['http://x/login', false, { kind: 'none' }],
  ['http://x/login?code=abc', true, { kind: 'code' }],
  ['http://x/login?code=abc', false, { kind: 'foreign-code', forReset: false }],
  ['http://x/change-password?code=abc', false, { kind: 'foreign-code', forReset: true }],
  [
    'http://x/login#error=access_denied&error_code=otp_expired&error_description=y',
    true,
    { kind: 'refused', code: 'otp_expired' },
  ],
  [
    'http://x/login?error=access_denied&error_code=otp_expired#error=access_denied',
    false,
    { kind: 'refused', code: 'otp_expired' },
  ],
  ['http://x/login?error=access_denied', true, { kind: 'refused', code: 'access_denied' }],
])('%s with a saved verifier: %s', (href, verifierSaved, link) => {
  expect(readAuthLink(href, verifierSaved)).toEqual(link);
});

test('the storage key is the one supabase-js would use', () => {
  expect(authStorageKey('https://abcd.supabase.co')).toBe('sb-abcd-auth-token');
  expect(authStorageKey('http://localhost:3000')).toBe('sb-localhost-auth-token');
});

test('what a provider refused has failed, also in the browser that asked', () => {
  const href = 'http://x/login?via=google&error=access_denied';
  for (const verifierSaved of [true, false])
    expect(readAuthLink(href, verifierSaved)).toEqual({ kind: 'provider', failed: true });
});
