import { createHash, randomBytes } from 'node:crypto';

/** By it scanners for leaked secrets, and people, know what it is. */
const PREFIX = 'lk_pat_';
/** `Token` is what programs send that were written for linkding. */
const HEADER = /^(?:bearer|token) +(lk_pat_[A-Za-z0-9_-]{43}) *$/i;

/** A token as its owner sees it once: 256 random bits. */
export function createPersonalToken(): string {
  return `${PREFIX}${randomBytes(32).toString('base64url')}`;
}

/** What is kept of it. */
export function hashPersonalToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** The personal token of an `Authorization` header; undefined for any other. */
export function readPersonalToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : HEADER.exec(authorization)?.[1];
}
