import { createHash, timingSafeEqual } from 'node:crypto';
import { type createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import { AuthError, OAuthError } from '../auth-error.ts';
import type { PresentedIdToken } from './provider.ts';

/** Who may have signed a token, and for whom. */
export type ExpectedIdToken = {
  readonly keys: ReturnType<typeof createRemoteJWKSet>;
  /** Whether the token's issuer is the provider. */
  readonly isIssuer: (claims: JWTPayload) => boolean;
  readonly audience: readonly string[];
  /** Whether a nonce need not be known to us. */
  readonly skipsNonce?: boolean | undefined;
};

/** Most providers sign with the first. */
const ALGORITHMS = ['RS256', 'ES256', 'PS256'];
const CLOCK_TOLERANCE_SECONDS = 10;

/**
 * Verifies an ID token that a client got from the provider by itself (protocol note, section 1.3).
 * @param expect asks the provider for its keys.
 * @throws OAuthError invalid_request, invalid_nonce; unexpected_failure (503) when the provider's keys cannot be fetched
 */
export async function verifyIdToken(
  presented: PresentedIdToken,
  expect: () => Promise<ExpectedIdToken>,
  now: Date,
): Promise<JWTPayload & { readonly sub: string }> {
  const verified = await verifySignature(presented.idToken, expect, now).catch((cause: unknown) => {
    if (isFaultOfToken(cause)) throw new OAuthError('invalid_request', 'Bad ID token');
    throw new AuthError('unexpected_failure', {
      status: 503,
      message: 'Unable to reach the provider',
      cause,
    });
  });
  const { claims, skipsNonce } = verified;
  const { sub } = claims;
  if (typeof sub !== 'string' || sub === '')
    throw new OAuthError('invalid_request', 'Missing sub claim in id_token');
  verifyAccessToken(claims['at_hash'], presented.accessToken);
  if (!skipsNonce) verifyNonce(claims['nonce'], presented.nonce);
  return { ...claims, sub };
}

async function verifySignature(
  idToken: string,
  expect: () => Promise<ExpectedIdToken>,
  currentDate: Date,
): Promise<{ readonly claims: JWTPayload; readonly skipsNonce: boolean }> {
  const { keys, isIssuer, audience, skipsNonce = false } = await expect();
  const { payload } = await jwtVerify(idToken, keys, {
    audience: [...audience],
    algorithms: ALGORITHMS,
    requiredClaims: ['exp', 'iat', 'iss', 'sub'],
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    currentDate,
  });
  if (!isIssuer(payload))
    throw new errors.JWTClaimValidationFailed('unexpected "iss" claim value', payload, 'iss');
  return { claims: payload, skipsNonce };
}

function isFaultOfToken(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return false;
  // Plain `JOSEError`s are answers of the provider that are no key set.
  return error instanceof errors.JOSEError && error.code !== 'ERR_JOSE_GENERIC';
}

/** Binds the two tokens together (OpenID Connect Core, section 3.2.2.9). */
function verifyAccessToken(hash: unknown, accessToken: string): void {
  if (hash === undefined) return;
  const left = createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
  if (accessToken === '' || !isEqual(String(hash), left))
    throw new OAuthError('invalid_request', 'Bad ID token');
}

function verifyNonce(inToken: unknown, nonce: string): void {
  const has = inToken !== undefined && inToken !== '';
  if (has !== (nonce !== ''))
    throw new OAuthError(
      'invalid_request',
      'Passed nonce and nonce in id_token should either both exist or not.',
    );
  if (has && !isEqual(String(inToken), createHash('sha256').update(nonce).digest('hex')))
    throw new OAuthError('invalid_nonce', 'Nonces mismatch');
}

function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
