import { createHash, randomInt } from 'node:crypto';

const CODE_DIGITS = 6;
/** Marks the token of a request that came with a code challenge. */
const CHALLENGED_PREFIX = 'pkce_';

/** A code a person can type. */
export function createMailedCode(): string {
  return randomInt(10 ** CODE_DIGITS)
    .toString()
    .padStart(CODE_DIGITS, '0');
}

/** What is stored and what a link carries instead of the code itself (protocol note, section 1.4). */
export function hashMailedCode(email: string, code: string, challenged = false): string {
  const hash = createHash('sha224')
    .update(email + code)
    .digest('hex');
  return challenged ? CHALLENGED_PREFIX + hash : hash;
}

export function isChallengedToken(tokenHash: string): boolean {
  return tokenHash.startsWith(CHALLENGED_PREFIX);
}
