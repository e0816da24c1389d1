import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  type JsonWebKey,
  type KeyObject,
  sign as signBytes,
  timingSafeEqual,
  verify as verifySignature,
} from 'node:crypto';
import type { SigningAlgorithm, UnverifiedToken } from './compact-jws.ts';

/** A public key as `/.well-known/jwks.json` lists it (RFC 7517, section 4). */
export type PublicSigningJwk = JsonWebKey & {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly use: 'sig';
  readonly key_ops: readonly ['verify'];
};

/** A key that access tokens are verified with, each by one algorithm alone, and perhaps signed with. */
export type SigningKey = {
  /** Undefined for a shared secret without a name. */
  readonly kid: string | undefined;
  readonly algorithm: SigningAlgorithm;
  /** The private key, or the shared secret; undefined where only the public part is known. */
  readonly signsWith: KeyObject | undefined;
  readonly verifiesWith: KeyObject;
  /** Undefined for a shared secret: it is nobody's to see. */
  readonly publicJwk: PublicSigningJwk | undefined;
};

/** RFC 7518, section 3.2: an HS256 key is at least as long as the hash. In bytes. */
export const MIN_SECRET_LENGTH = 32;
/** RFC 7518, section 3.3. In bits. */
const MIN_RSA_LENGTH = 2048;

/** Why a JWK is no signing key, as a sentence goes on after its name. */
export type JwkFault = { readonly fault: string };

/**
 * Makes a key of a JWK (RFC 7517): EC on P-256 is ES256, RSA is RS256, `oct` is HS256.
 * @param jwk with `kid` where it is not a shared secret.
 */
export function importSigningKey(jwk: Readonly<Record<string, unknown>>): SigningKey | JwkFault {
  const { kty, crv, alg, use, kid, k } = jwk;
  const algorithm = chooseAlgorithm(kty, crv);
  if (algorithm === undefined) return { fault: 'deve ser EC com a curva P-256, RSA ou oct (kty, crv)' };
  if (alg !== undefined && alg !== algorithm) return { fault: `deve ter alg ${algorithm}` };
  if (use !== undefined && use !== 'sig') return { fault: 'deve ter use sig' };
  if (kid !== undefined && (typeof kid !== 'string' || kid === ''))
    return { fault: 'deve ter um texto como kid' };
  if (algorithm === 'HS256') return importSecret(kid, k);
  if (kid === undefined) return { fault: 'deve ter um kid' };
  return importPair(jwk, kid, algorithm);
}

function chooseAlgorithm(kty: unknown, crv: unknown): SigningAlgorithm | undefined {
  if (kty === 'EC') return crv === 'P-256' ? 'ES256' : undefined;
  if (kty === 'RSA') return 'RS256';
  return kty === 'oct' ? 'HS256' : undefined;
}

function importSecret(kid: string | undefined, k: unknown): SigningKey | JwkFault {
  const bytes = Buffer.from(typeof k === 'string' ? k : '', 'base64url');
  if (bytes.length < MIN_SECRET_LENGTH)
    return { fault: `deve ter em k ao menos ${MIN_SECRET_LENGTH} bytes, em base64url` };
  const secret = createSecretKey(bytes);
  return { kid, algorithm: 'HS256', signsWith: secret, verifiesWith: secret, publicJwk: undefined };
}

function importPair(
  jwk: Readonly<Record<string, unknown>>,
  kid: string,
  algorithm: 'ES256' | 'RS256',
): SigningKey | JwkFault {
  let key: SigningKey;
  try {
    const { kty, crv, x, y, n, e, d } = jwk;
    const verifiesWith = createPublicKey({ key: { kty, crv, x, y, n, e } as JsonWebKey, format: 'jwk' });
    const signsWith =
      d === undefined ? undefined : createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' });
    key = describePair({ kid, algorithm, signsWith, verifiesWith });
  } catch {
    return { fault: 'tem partes que não formam uma chave' };
  }
  if ((key.verifiesWith.asymmetricKeyDetails?.modulusLength ?? MIN_RSA_LENGTH) < MIN_RSA_LENGTH)
    return { fault: `deve ter ao menos ${MIN_RSA_LENGTH} bits` };
  return isPair(key) ? key : { fault: 'tem uma parte privada que não é da pública' };
}

/** A pair with its public part as it is published. */
export function describePair(
  key: Omit<SigningKey, 'publicJwk' | 'kid'> & { readonly kid: string },
): SigningKey & { readonly publicJwk: PublicSigningJwk } {
  const { kid, algorithm, verifiesWith } = key;
  const jwk = verifiesWith.export({ format: 'jwk' });
  return { ...key, publicJwk: { ...jwk, kid, alg: algorithm, use: 'sig', key_ops: ['verify'] } };
}

/** Parts of two keys would sign tokens that nobody can verify. */
function isPair({ signsWith, ...key }: SigningKey): boolean {
  if (signsWith === undefined) return true;
  const signingInput = 'a proof that both parts belong together';
  const signature = signBytes('sha256', Buffer.from(signingInput), {
    key: signsWith,
    dsaEncoding: 'ieee-p1363',
  });
  return isSignedWith({ signsWith, ...key }, { algorithm: key.algorithm, signingInput, signature });
}

/** Whether a key made the signature. A key serves one algorithm, so a public one never counts as an HMAC secret (RFC 8725, section 3.1). */
export function isSignedWith(
  { algorithm, verifiesWith }: SigningKey,
  token: Pick<UnverifiedToken, 'algorithm' | 'signingInput' | 'signature'>,
): boolean {
  if (token.algorithm !== algorithm) return false;
  const bytes = Buffer.from(token.signingInput);
  if (algorithm === 'HS256')
    return isSame(createHmac('sha256', verifiesWith).update(bytes).digest(), token.signature);
  return verifySignature('sha256', bytes, { key: verifiesWith, dsaEncoding: 'ieee-p1363' }, token.signature);
}

function isSame(expected: Buffer, given: Buffer): boolean {
  return expected.length === given.length && timingSafeEqual(expected, given);
}
