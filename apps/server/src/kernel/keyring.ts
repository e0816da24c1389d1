import {
  createECDH,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
  verify as verifySignature,
} from 'node:crypto';
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint';
import { SignJWT } from 'jose/jwt/sign';
import { LRUCache } from 'lru-cache';
import { createTextSealer, type TextSealer } from './sealed-text.ts';

export type Claims = Readonly<Record<string, unknown>>;

export type Verified = { readonly ok: true; readonly claims: Claims };
export type Failure = {
  readonly ok: false;
  readonly reason: 'expired' | 'not_yet_valid' | 'malformed' | 'bad_signature';
};

/** What a signed address lets its holder do, or a cookie shows. */
export type TokenPurpose = 'storage-download' | 'storage-upload' | 'known-device';

export type Keyring = {
  /** Signs a person's access token (ES256, `kid` in the header). `claims` are written as given: `exp` and `iat` in seconds. */
  signAccessToken(claims: Claims): Promise<string>;
  /**
   * Tells whether one of our keys signed the token and whether it is valid at `now`. A verified token answers the very
   * same frozen `claims` object until it expires or leaves the cache.
   */
  verify(token: string, now: Date): Verified | Failure;
  /**
   * Signs a token that opens one thing and proves nobody's identity. Each purpose has a key of its own, so a token of one never
   * passes for a token of another, nor for an access token. `exp` in seconds.
   */
  signPurposeToken(purpose: TokenPurpose, claims: Claims): Promise<string>;
  /** As `verify`, for the tokens of one purpose. */
  verifyPurposeToken(purpose: TokenPurpose, token: string, now: Date): Verified | Failure;
  /** The public keys, the signing one first: what `/.well-known/jwks.json` serves. */
  jwks(): { readonly keys: readonly PublicSigningJwk[] };
  readonly anonKey: string;
  readonly serviceRoleKey: string;
  /** Proves the operator to the server's own pages (mails, metrics); no service takes it. */
  readonly operatorKey: string;
  /** Keeps what proves second factors: bound to the factor's id. */
  readonly factorSecrets: TextSealer;
};

/** RFC 7518, section 3.2: an HS256 key is at least as long as the hash. */
const MIN_SECRET_LENGTH = 32;
const MAX_CACHED_TOKENS = 5_000;
/** The two API keys never change while the secret stays: both times are fixed. */
const API_KEY_ISSUED_AT = Date.UTC(2025, 0, 1) / 1000;
const API_KEY_EXPIRES_AT = Date.UTC(2100, 0, 1) / 1000;

/**
 * Holds the installation's token keys. The first secret signs, all of them verify: to rotate, put a new secret in front
 * and drop the old one when its last token has expired.
 * @throws Error when there is no secret, or one is shorter than 32 characters.
 */
export async function createKeyring({ secrets }: { readonly secrets: readonly string[] }): Promise<Keyring> {
  const [signingSecret] = secrets;
  if (signingSecret === undefined) throw new Error('a keyring needs at least one secret');
  if (secrets.some((secret) => secret.length < MIN_SECRET_LENGTH))
    throw new Error(`every secret must have at least ${MIN_SECRET_LENGTH} characters`);

  const keys = await Promise.all(secrets.map(deriveSigningKey));
  const [signingKey] = keys as [SigningKey, ...SigningKey[]];
  const verified = new LRUCache<string, Verified>({ max: MAX_CACHED_TOKENS });
  const publicKeys = Object.freeze({ keys: keys.map((key) => key.publicJwk) });

  return {
    signAccessToken: (claims) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: signingKey.kid, typ: 'JWT' })
        .sign(signingKey.privateKey),

    verify(token, now) {
      const known = verified.get(token);
      if (known) return validateTimes(known, now);
      const read = readToken(token);
      if (!read) return MALFORMED;
      if (!isSignedByUs(read, keys, secrets)) return BAD_SIGNATURE;
      const fresh: Verified = Object.freeze({ ok: true, claims: freezeDeeply(read.claims) });
      const validated = validateTimes(fresh, now);
      if (validated.ok) verified.set(token, fresh);
      return validated;
    },

    signPurposeToken: (purpose, claims) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .sign(derivePurposeKey(signingSecret, purpose)),

    verifyPurposeToken(purpose, token, now) {
      const read = readToken(token);
      if (!read) return MALFORMED;
      const isOurs =
        read.algorithm === 'HS256' &&
        secrets.some((secret) => isSignedWith(derivePurposeKey(secret, purpose), read));
      if (!isOurs) return BAD_SIGNATURE;
      return validateTimes(Object.freeze({ ok: true, claims: freezeDeeply(read.claims) }), now);
    },

    jwks: () => publicKeys,
    anonKey: await signApiKey(signingSecret, 'anon'),
    serviceRoleKey: await signApiKey(signingSecret, 'service_role'),
    operatorKey: derivePurposeKey(signingSecret, 'operator').toString('base64url'),
    factorSecrets: createTextSealer(secrets, 'factor-secret'),
  };
}

const MALFORMED: Failure = Object.freeze({ ok: false, reason: 'malformed' });
const BAD_SIGNATURE: Failure = Object.freeze({ ok: false, reason: 'bad_signature' });
const EXPIRED: Failure = Object.freeze({ ok: false, reason: 'expired' });
const NOT_YET_VALID: Failure = Object.freeze({ ok: false, reason: 'not_yet_valid' });

/** Asked on every use, cached or not: the cache remembers the signature, never the time. */
function validateTimes(verified: Verified, now: Date): Verified | Failure {
  const { exp, nbf } = verified.claims;
  const seconds = now.getTime() / 1000;
  if (typeof exp === 'number' && exp <= seconds) return EXPIRED;
  if (typeof nbf === 'number' && nbf > seconds) return NOT_YET_VALID;
  return verified;
}

/** The algorithm chooses the kind of key, so a public key can never serve as an HMAC secret (RFC 8725, section 3.1). */
function isSignedByUs(
  { algorithm, kid, signingInput, signature }: UnverifiedToken,
  keys: readonly SigningKey[],
  secrets: readonly string[],
): boolean {
  if (algorithm === 'HS256')
    return secrets.some((secret) => isSignedWith(secret, { signingInput, signature }));
  const key = keys.find((candidate) => candidate.kid === kid);
  if (!key) return false;
  const options = { key: key.publicKey, dsaEncoding: 'ieee-p1363' } as const;
  return verifySignature('sha256', Buffer.from(signingInput), options, signature);
}

function isSignedWith(
  key: string | Buffer,
  { signingInput, signature }: Pick<UnverifiedToken, 'signingInput' | 'signature'>,
): boolean {
  return isSame(createHmac('sha256', key).update(signingInput).digest(), signature);
}

/** RFC 5869, section 3.2: what a derived key is for stands in `info`, and other uses learn nothing of it. */
function derivePurposeKey(secret: string, purpose: TokenPurpose | 'operator'): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `linkoteca/${purpose}/hs256/v1`, MIN_SECRET_LENGTH));
}

function isSame(expected: Buffer, given: Buffer): boolean {
  return expected.length === given.length && timingSafeEqual(expected, given);
}

function signApiKey(secret: string, role: 'anon' | 'service_role'): Promise<string> {
  return new SignJWT({ iss: 'linkoteca', role, iat: API_KEY_ISSUED_AT, exp: API_KEY_EXPIRES_AT })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(Buffer.from(secret));
}

function freezeDeeply<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) freezeDeeply(inner);
  return Object.freeze(value);
}

/** A token's parts before anything about it is believed. */
type UnverifiedToken = {
  readonly algorithm: 'ES256' | 'HS256';
  readonly kid: string | undefined;
  readonly claims: Record<string, unknown>;
  /** The bytes the signature covers: `header.payload`. */
  readonly signingInput: string;
  readonly signature: Buffer;
};

/** Ours stay under 2 KiB; metadata may make them longer, but a header of this size is no honest token. */
const MAX_TOKEN_LENGTH = 16_384;
const COMPACT_JWS = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/;

/** Takes a compact JWS (RFC 7515, section 3.1) apart. Undefined when it is none, or uses an algorithm we never accept. */
function readToken(token: string): UnverifiedToken | undefined {
  if (token.length > MAX_TOKEN_LENGTH) return undefined;
  const [, header64 = '', payload64 = '', signature64 = ''] = COMPACT_JWS.exec(token) ?? [];
  const header = parseObject(header64);
  const claims = parseObject(payload64);
  if (!header || !claims || !hasReadableTimes(claims)) return undefined;

  const { alg: algorithm, kid } = header;
  if (algorithm !== 'ES256' && algorithm !== 'HS256') return undefined;
  // RFC 7515, section 4.1.11: extensions that must be understood, and we understand none.
  if ('crit' in header) return undefined;
  return {
    algorithm,
    kid: typeof kid === 'string' ? kid : undefined,
    claims,
    signingInput: `${header64}.${payload64}`,
    signature: Buffer.from(signature64, 'base64url'),
  };
}

function parseObject(base64url: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(base64url, 'base64url').toString('utf8'));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return value as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** A time that is no number would compare as "never": such a token is refused rather than immortal. */
function hasReadableTimes({ exp, nbf }: Record<string, unknown>): boolean {
  return (exp === undefined || Number.isFinite(exp)) && (nbf === undefined || Number.isFinite(nbf));
}

/** A public key as `/.well-known/jwks.json` lists it. */
type PublicSigningJwk = {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly alg: 'ES256';
  readonly use: 'sig';
  readonly key_ops: readonly ['verify'];
};

type SigningKey = {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly publicJwk: PublicSigningJwk;
};

/** Order of the P-256 group (FIPS 186-5, NIST SP 800-186 section 3.2.1.3). */
const P256_ORDER = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');
/** 128 bits more than the order, so that reducing leaves no measurable bias (FIPS 186-5, A.2.1). */
const EXTRA_RANDOM_LENGTH = 48;
const DERIVATION_INFO = 'linkoteca/access-token/es256/v1';

/**
 * Derives the ES256 key pair that belongs to a secret: the same secret gives the same key on every copy of the server,
 * so no key file has to be shared. `kid` is the RFC 7638 thumbprint of the public key.
 */
async function deriveSigningKey(secret: string): Promise<SigningKey> {
  const material = hkdfSync('sha256', secret, '', DERIVATION_INFO, EXTRA_RANDOM_LENGTH);
  const scalar = (BigInt(`0x${Buffer.from(material).toString('hex')}`) % (P256_ORDER - 1n)) + 1n;
  const d = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex');

  const curve = createECDH('prime256v1');
  curve.setPrivateKey(d);
  // Uncompressed point: 0x04, then x and y of 32 bytes each (SEC 1, section 2.3.3).
  const point = curve.getPublicKey();
  const coordinates = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  } as const;

  const kid = await calculateJwkThumbprint(coordinates);
  return {
    kid,
    privateKey: createPrivateKey({ key: { ...coordinates, d: d.toString('base64url') }, format: 'jwk' }),
    publicKey: createPublicKey({ key: coordinates, format: 'jwk' }),
    publicJwk: { ...coordinates, kid, alg: 'ES256', use: 'sig', key_ops: ['verify'] },
  };
}
