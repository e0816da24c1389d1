import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createKeyring } from './keyring.ts';
import { resolveCaller } from './resolve-caller.ts';

const SECRET = 'a-secret-of-enough-characters-for-hs256';
const NOW = new Date('2026-03-01T12:00:00Z');
const now = NOW.getTime() / 1000;
const keyring = await createKeyring({ secrets: [SECRET] });
const person = { sub: 'b5f4', role: 'authenticated', exp: now + 60 };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

function sign(claims: object): string {
  const input = [{ alg: 'HS256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${input}.${createHmac('sha256', SECRET).update(input).digest('base64url')}`;
}

describe('the caller of a request', () => {
  it('is an anonymous visitor without any token', () => {
    const anonymous = { ok: true, caller: { role: 'anon', claims: { role: 'anon' } } };
    expect(resolveCaller(keyring, {}, NOW)).toEqual(anonymous);
    expect(resolveCaller(keyring, { authorization: '', apikey: '' }, NOW)).toEqual(anonymous);
    expect(resolveCaller(keyring, { authorization: 'Basic YW5h' }, NOW)).toEqual(anonymous);
  });

  it('is the Bearer token’s person, whatever API key travels with it', async () => {
    const token = await keyring.signAccessToken(person);
    const found = resolveCaller(keyring, { ...bearer(token), apikey: keyring.serviceRoleKey }, NOW);
    expect(found).toEqual({ ok: true, caller: { role: 'authenticated', claims: person } });
  });

  it('is the API key’s role without a Bearer token', () => {
    expect(resolveCaller(keyring, { apikey: keyring.serviceRoleKey }, NOW)).toMatchObject({
      caller: { role: 'service_role' },
    });
  });

  it('is the API key’s role when the Bearer token is empty, and nobody knows the header twice', () => {
    const key = keyring.serviceRoleKey;
    for (const headers of [{ authorization: 'Bearer ', apikey: key }, { apikey: [key, 'x'] as never }])
      expect(resolveCaller(keyring, headers, NOW)).toMatchObject({ caller: { role: 'service_role' } });
  });

  it('is read past the spaces around a Bearer token', async () => {
    const token = await keyring.signAccessToken(person);
    expect(resolveCaller(keyring, { authorization: `Bearer   ${token}  ` }, NOW)).toMatchObject({
      caller: { role: 'authenticated' },
    });
  });

  it('carries the very claims that were remembered, which nobody can change', async () => {
    const token = await keyring.signAccessToken(person);
    const verified = keyring.verify(token, NOW);
    const resolved = resolveCaller(keyring, bearer(token), NOW);
    expect(resolved.ok && resolved.caller.claims).toBe(verified.ok && verified.claims);
  });

  it('is one and the same object for the same token', async () => {
    const token = await keyring.signAccessToken(person);
    const [first, second] = [1, 2].map(() => resolveCaller(keyring, bearer(token), NOW));
    expect(second).toBe(first);
  });

  it('is read whatever the case of the scheme', () => {
    expect(resolveCaller(keyring, { authorization: `bearer ${keyring.anonKey}` }, NOW)).toMatchObject({
      ok: true,
    });
  });

  it('is anonymous when a valid token names no role, with its own claims', () => {
    expect(resolveCaller(keyring, bearer(sign({ sub: 'x' })), NOW)).toEqual({
      ok: true,
      caller: { role: 'anon', claims: { sub: 'x', role: 'anon' } },
    });
  });

  it.each(['postgres', 'supabase_auth_admin', 'authenticator', 'none', '', 7, null, ['anon'], { a: 1 }])(
    'never becomes the role %j, however well signed',
    (role) => {
      expect(resolveCaller(keyring, bearer(sign({ role })), NOW)).toEqual({
        ok: false,
        reason: 'forbidden_role',
      });
    },
  );

  it.each([
    ['service_role', { ok: false, reason: 'forbidden_role' }],
    ['authenticated', { ok: true, caller: { role: 'authenticated' } }],
    ['anon', { ok: true, caller: { role: 'anon' } }],
    [undefined, { ok: true, caller: { role: 'anon' } }],
  ])('of a third party is nobody above a person: %s', (role, resolved) => {
    const claims = { sub: 'user_01ANA', ...(role === undefined ? {} : { role }) };
    const foreign = { ...keyring, verify: () => ({ ok: true, claims, isForeign: true }) as const };
    expect(resolveCaller(foreign, bearer('x'), NOW)).toMatchObject(resolved);
  });

  it('is refused, not anonymous, when the token does not verify', async () => {
    const token = await keyring.signAccessToken(person);
    const later = new Date(NOW.getTime() + 60_000);
    expect(resolveCaller(keyring, bearer(token), later)).toEqual({ ok: false, reason: 'expired' });
    expect(resolveCaller(keyring, bearer(`${token}x`), NOW)).toMatchObject({ ok: false });
    expect(resolveCaller(keyring, { apikey: 'anything' }, NOW)).toEqual({ ok: false, reason: 'malformed' });
  });
});
