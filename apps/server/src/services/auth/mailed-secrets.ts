import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** 224 random bits, written as long as GoTrue's own token hashes. */
const LINK_TOKEN_BYTES = 28;
/** Marks the token of a request that came with a code challenge. */
const CHALLENGED_PREFIX = 'pkce_';

/** A code a person can type. @param length how many digits, zeros in front included */
export function createMailedCode(length: number): string {
  return randomInt(10 ** length)
    .toString()
    .padStart(length, '0');
}

/** What a link carries: the platform's `token_hash` (protocol note, section 1.4), but a hash of nothing that could be guessed. */
export function createLinkToken(challenged: boolean): string {
  const token = randomBytes(LINK_TOKEN_BYTES).toString('hex');
  return challenged ? CHALLENGED_PREFIX + token : token;
}

export function isChallengedToken(token: string): boolean {
  return token.startsWith(CHALLENGED_PREFIX);
}

/** What is stored of a link: whoever reads the table cannot follow it. */
export function hashLinkToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** What is stored of a code, bound to the one mail it was written in. */
export function hashMailedCode(tokenId: string, code: string): string {
  return createHash('sha256').update(`${tokenId} ${code}`).digest('hex');
}

export function isSameHash(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
