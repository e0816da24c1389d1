import { createHash, timingSafeEqual } from 'node:crypto';
import { AuthError } from './auth-error.ts';

/** What a client committed to when it started a flow (RFC 7636). */
export type CodeChallenge = { readonly challenge: string; readonly method: 's256' | 'plain' };

const CHALLENGE = /^[A-Za-z0-9._~-]{43,128}$/;

/**
 * Reads the challenge of a request. Undefined when it has none: the flow then is implicit.
 * @throws validation_failed
 */
export function readChallenge(body: {
  readonly code_challenge: string;
  readonly code_challenge_method: string;
}): CodeChallenge | undefined {
  const { code_challenge: challenge } = body;
  const method = body.code_challenge_method.toLowerCase();
  if (challenge === '' && method === '') return undefined;
  if (challenge === '' || method === '')
    throw refuse('PKCE flow requires code_challenge_method and code_challenge');
  if (method !== 's256' && method !== 'plain') throw refuse(`unsupported code_challenge method "${method}"`);
  if (!CHALLENGE.test(challenge))
    throw refuse(
      'code challenge has to be between 43 and 128 characters and can only contain alphanumeric characters, hyphens, periods, underscores and tildes',
    );
  return { challenge, method };
}

export function matchesChallenge({ challenge, method }: CodeChallenge, verifier: string): boolean {
  const answer = method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url');
  const [expected, given] = [Buffer.from(challenge), Buffer.from(answer)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

function refuse(message: string): AuthError {
  return new AuthError('validation_failed', { message });
}
