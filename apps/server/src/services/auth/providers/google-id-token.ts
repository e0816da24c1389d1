import { createHash, timingSafeEqual } from 'node:crypto';
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import type { Configuration } from 'openid-client';
import type { AuthContext } from '../auth-context.ts';
import { AuthError, OAuthError } from '../auth-error.ts';
import type { Google } from './open-google.ts';
import { type ProviderProfile, readProviderProfile } from './provider-profile.ts';

export type PresentedIdToken = {
  readonly idToken: string;
  /** Empty when the client has none. */
  readonly accessToken: string;
  /** What the client hashed into the token's own nonce; empty when it did not. */
  readonly nonce: string;
};

/** Google signs with the first; the others are what providers that stand in for it use. */
const ALGORITHMS = ['RS256', 'ES256', 'PS256'];
const CLOCK_TOLERANCE_SECONDS = 10;
/** Google has always had two spellings of itself. */
const GOOGLE = 'https://accounts.google.com';
const keySets = new WeakMap<Configuration, ReturnType<typeof createRemoteJWKSet>>();

/**
 * Judges an ID token that a client got from the provider by itself (protocol note, section 1.3).
 * @throws OAuthError invalid_request, invalid_nonce; unexpected_failure (503) when the provider's keys cannot be had
 */
export async function verifyGoogleIdToken(
  { now, logger }: AuthContext,
  google: Google,
  presented: PresentedIdToken,
): Promise<ProviderProfile> {
  const claims = await verifySignature(google, presented.idToken, now()).catch((cause: unknown) => {
    if (isFaultOfToken(cause)) throw new OAuthError('invalid_request', 'Bad ID token');
    logger.warn({ err: cause }, 'auth: the keys of Google could not be had');
    throw new AuthError('unexpected_failure', {
      status: 503,
      message: 'Unable to reach the provider',
      cause,
    });
  });
  if (typeof claims.sub !== 'string' || claims.sub === '')
    throw new OAuthError('invalid_request', 'Missing sub claim in id_token');
  judgeAccessToken(claims['at_hash'], presented.accessToken);
  judgeNonce(claims['nonce'], presented.nonce);
  return readProviderProfile({ ...claims, sub: claims.sub });
}

async function verifySignature(google: Google, idToken: string, currentDate: Date): Promise<JWTPayload> {
  const configuration = await google.configuration();
  const { issuer } = configuration.serverMetadata();
  const { payload } = await jwtVerify(idToken, keysOf(configuration), {
    issuer: issuer === GOOGLE ? [GOOGLE, 'accounts.google.com'] : issuer,
    audience: google.clientId,
    algorithms: ALGORITHMS,
    requiredClaims: ['exp', 'iat', 'sub'],
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    currentDate,
  });
  return payload;
}

/** One set for as long as the provider's addresses are known: it keeps keys, and asks for new ones when it meets one. */
function keysOf(configuration: Configuration): ReturnType<typeof createRemoteJWKSet> {
  const known = keySets.get(configuration);
  if (known) return known;
  const { jwks_uri: address } = configuration.serverMetadata();
  if (address === undefined) throw new Error('the provider publishes no keys');
  const keys = createRemoteJWKSet(new URL(address));
  keySets.set(configuration, keys);
  return keys;
}

function isFaultOfToken(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return false;
  // Plain `JOSEError`s are answers of the provider that are no key set.
  return error instanceof errors.JOSEError && error.code !== 'ERR_JOSE_GENERIC';
}

/** Binds the two tokens together (OpenID Connect Core, section 3.2.2.9). */
function judgeAccessToken(hash: unknown, accessToken: string): void {
  if (hash === undefined) return;
  const left = createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
  if (accessToken === '' || !isEqual(String(hash), left))
    throw new OAuthError('invalid_request', 'Bad ID token');
}

function judgeNonce(inToken: unknown, nonce: string): void {
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
