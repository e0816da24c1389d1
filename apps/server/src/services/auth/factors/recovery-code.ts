import { createHash, randomInt } from 'node:crypto';

/** Crockford's base 32: no letter that is taken for a digit or another letter. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** Eighty bits. */
const LENGTH = 16;
const CODES = 10;

/** A new set: all different, sixteen characters each. */
export function createRecoveryCodes(): readonly string[] {
  const codes = new Set<string>();
  while (codes.size < CODES)
    codes.add(Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''));
  return [...codes];
}

/** What was typed as it is compared: small letters, no spaces or hyphens, O and I or L as the digits they are taken for. */
export function normalizeRecoveryCode(typed: string): string {
  return typed.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
}

/** What is kept of a code. @param code normalised */
export function hashRecoveryCode(factorId: string, code: string): string {
  return createHash('sha256').update(`${factorId}:${code}`).digest('base64url');
}
