import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { SignJWT } from 'jose/jwt/sign';
import { LRUCache } from 'lru-cache';
import {
  type ApiKeyKind,
  type ApiKeys,
  chooseApiKeys,
  createApiKeyReader,
  ROLE_OF_KIND,
} from './keys/api-keys.ts';
import { readCompactJws, type UnverifiedToken } from './keys/compact-jws.ts';
import { deriveSigningKey } from './keys/derive-signing-key.ts';
import {
  isSignedWith,
  MIN_SECRET_LENGTH,
  type PublicSigningJwk,
  type SigningKey,
} from './keys/signing-key.ts';
import { createTextSealer, type TextSealer } from './sealed-text.ts';
import type { ThirdPartyIssuers } from './third-party/third-party-issuers.ts';

export type Claims = Readonly<Record<string, unknown>>;

export type Verified = {
  readonly ok: true;
  readonly claims: Claims;
  /** Signed by a third party: it is nobody of our own accounts, and acts in no higher role than a person's. */
  readonly isForeign?: true;
};
export type Failure = {
  readonly ok: false;
  readonly reason: 'expired' | 'not_yet_valid' | 'malformed' | 'bad_signature';
};

/** What a signed address lets its holder do, or a cookie shows. */
export type TokenPurpose = 'storage-download' | 'storage-upload' | 'known-device';

export type Keyring = {
  /** Signs a person's access token, with `kid` in the header. `claims` are written as given: `exp` and `iat` in seconds. */
  signAccessToken(claims: Claims): Promise<string>;
  /**
   * Fetches the keys of the third party that a token names; undefined, as a rule, when nothing has to be fetched. Call it before `verify`
   * where a token comes in. Never rejects.
   */
  prepare(token: string): Promise<void> | undefined;
  /**
   * Tells whether one of our keys, or a third party's, signed the token and whether it is valid at `now`. A verified token answers the very
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
  /**
   * What a publishable or secret key of this installation stands for: the token of its role, which services take.
   * @returns undefined for any other text.
   */
  exchangeApiKey(key: string): { readonly kind: ApiKeyKind; readonly token: string } | undefined;
  /** Every publishable and secret key that is accepted, the one that is told in front. */
  readonly apiKeys: ApiKeys;
  readonly anonKey: string;
  readonly serviceRoleKey: string;
  /** Proves the operator to the server's own pages (mails, metrics); no service takes it. */
  readonly operatorKey: string;
  /** Keeps what proves second factors: bound to the factor's id. */
  readonly factorSecrets: TextSealer;
};

const MAX_CACHED_TOKENS = 5_000;
/** The two API keys never change while the secret stays: both times are fixed. */
const API_KEY_ISSUED_AT = Date.UTC(2025, 0, 1) / 1000;
const API_KEY_EXPIRES_AT = Date.UTC(2100, 0, 1) / 1000;

export type KeyringOptions = {
  readonly secrets: readonly string[];
  /** Keys of the operator's own. The first signs in place of the one that is derived from the first secret. */
  readonly signingKeys?: readonly SigningKey[];
  /** The operator's own; a kind without any has those that follow from the secrets. */
  readonly apiKeys?: ApiKeys;
  /** Whose tokens are accepted beside our own. */
  readonly thirdParties?: ThirdPartyIssuers | undefined;
};

/**
 * Holds the installation's token keys. The first secret signs, all of them verify: to rotate, put a new secret in front
 * and drop the old one when its last token has expired. Keys of the operator's own go before all that is derived.
 * @throws Error when there is no secret, or one is shorter than 32 characters.
 */
export async function createKeyring({
  secrets: listed,
  signingKeys = [],
  apiKeys: given,
  thirdParties,
}: KeyringOptions): Promise<Keyring> {
  // While a new one waits, the one that signs stands last as well: the login's password hangs on the last.
  const secrets = [...new Set(listed)];
  const [signingSecret] = secrets;
  if (signingSecret === undefined) throw new Error('a keyring needs at least one secret');
  if (secrets.some((secret) => secret.length < MIN_SECRET_LENGTH))
    throw new Error(`every secret must have at least ${MIN_SECRET_LENGTH} characters`);

  const keys = [...signingKeys, ...(await Promise.all(secrets.map(deriveSigningKey)))];
  const [signingKey] = keys;
  const verified = new LRUCache<string, Verified>({ max: MAX_CACHED_TOKENS });
  const publicKeys = Object.freeze({ keys: keys.flatMap(({ publicJwk }) => publicJwk ?? []) });

  const apiKeys = chooseApiKeys(given, secrets);
  const readApiKey = createApiKeyReader(apiKeys);
  const [anonKey, serviceRoleKey] = await Promise.all([
    signApiKey(signingSecret, 'anon'),
    signApiKey(signingSecret, 'service_role'),
  ]);
  const tokens = { anon: anonKey, service_role: serviceRoleKey };

  return {
    signAccessToken: (claims) => signWith(signingKey, claims),

    prepare(token) {
      if (thirdParties === undefined || isOwn(verified.get(token))) return undefined;
      const read = readCompactJws(token);
      return read && thirdParties.prepare(read);
    },

    verify(token, now) {
      const known = verified.get(token);
      if (isOwn(known)) return validateTimes(known, now);
      const read = readCompactJws(token);
      if (!read) return MALFORMED;
      const isForeign = thirdParties?.isNamed(read) === true;
      // Who names a third party is never one of ours. Its keys are looked at each time: they are not ours to keep.
      const isSigned = isForeign ? thirdParties.isSigned(read) : isSignedByUs(read, keys, secrets);
      if (!isSigned || (isForeign && read.claims['exp'] === undefined)) return BAD_SIGNATURE;
      if (known) return validateTimes(known, now);
      const fresh: Verified = Object.freeze({
        ok: true,
        claims: freezeDeeply(read.claims),
        ...(isForeign ? { isForeign } : {}),
      });
      const validated = validateTimes(fresh, now);
      if (validated.ok) verified.set(token, fresh);
      return validated;
    },

    signPurposeToken: (purpose, claims) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .sign(derivePurposeKey(signingSecret, purpose)),

    verifyPurposeToken(purpose, token, now) {
      const read = readCompactJws(token);
      if (!read) return MALFORMED;
      const isOurs =
        read.algorithm === 'HS256' &&
        secrets.some((secret) => isMacOf(derivePurposeKey(secret, purpose), read));
      if (!isOurs) return BAD_SIGNATURE;
      return validateTimes(Object.freeze({ ok: true, claims: freezeDeeply(read.claims) }), now);
    },

    jwks: () => publicKeys,
    exchangeApiKey(key) {
      const kind = readApiKey(key);
      return kind && { kind, token: tokens[ROLE_OF_KIND[kind]] };
    },
    apiKeys,
    anonKey,
    serviceRoleKey,
    operatorKey: derivePurposeKey(signingSecret, 'operator').toString('base64url'),
    factorSecrets: createTextSealer(secrets, 'factor-secret'),
  };
}

function isOwn(verified: Verified | undefined): verified is Verified {
  return verified !== undefined && verified.isForeign !== true;
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

async function signWith(key: SigningKey | undefined, claims: Claims): Promise<string> {
  if (key?.signsWith === undefined) throw new Error('the signing key has no private part');
  const { algorithm: alg, kid } = key;
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg, ...(kid === undefined ? {} : { kid }), typ: 'JWT' })
    .sign(key.signsWith);
}

/**
 * A token that names a key of ours is verified with that key alone, by the key's own algorithm. One that names none of them can only be
 * an HS256 token of a shared secret: the platform's older tokens name a key that nobody publishes.
 */
function isSignedByUs(
  token: UnverifiedToken,
  keys: readonly SigningKey[],
  secrets: readonly string[],
): boolean {
  const named = token.kid === undefined ? undefined : keys.find(({ kid }) => kid === token.kid);
  if (named) return isSignedWith(named, token);
  if (token.algorithm !== 'HS256') return false;
  return (
    secrets.some((secret) => isMacOf(secret, token)) ||
    keys.some((key) => (key.kid === undefined || token.kid === undefined) && isSignedWith(key, token))
  );
}

function isMacOf(
  key: string | Buffer,
  { signingInput, signature }: Pick<UnverifiedToken, 'signingInput' | 'signature'>,
): boolean {
  const expected = createHmac('sha256', key).update(signingInput).digest();
  return expected.length === signature.length && timingSafeEqual(expected, signature);
}

/** RFC 5869, section 3.2: what a derived key is for stands in `info`, and other uses learn nothing of it. */
function derivePurposeKey(secret: string, purpose: TokenPurpose | 'operator'): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `linkoteca/${purpose}/hs256/v1`, MIN_SECRET_LENGTH));
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
