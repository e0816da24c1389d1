/** What tokens may be signed with (RFC 7518, section 3.1). */
export type SigningAlgorithm = 'ES256' | 'RS256' | 'HS256';

export const SIGNING_ALGORITHMS: readonly SigningAlgorithm[] = ['ES256', 'RS256', 'HS256'];

/** A token's parts before anything about it is believed. */
export type UnverifiedToken = {
  readonly algorithm: SigningAlgorithm;
  readonly kid: string | undefined;
  readonly claims: Record<string, unknown>;
  /** The bytes the signature covers: `header.payload`. */
  readonly signingInput: string;
  readonly signature: Buffer;
};

/** Ours stay under 2 KiB; metadata may make them longer, but a header of this size is no honest token. */
const MAX_TOKEN_LENGTH = 16_384;
const COMPACT_JWS = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/;

/**
 * Takes a compact JWS (RFC 7515, section 3.1) apart, and verifies nothing of it.
 * @returns undefined when it is none, or uses an algorithm that is never accepted.
 */
export function readCompactJws(token: string): UnverifiedToken | undefined {
  if (token.length > MAX_TOKEN_LENGTH) return undefined;
  const [, header64 = '', payload64 = '', signature64 = ''] = COMPACT_JWS.exec(token) ?? [];
  const header = parseObject(header64);
  const claims = parseObject(payload64);
  if (!header || !claims || !hasReadableTimes(claims)) return undefined;

  const { alg, kid } = header;
  const algorithm = SIGNING_ALGORITHMS.find((known) => known === alg);
  if (algorithm === undefined) return undefined;
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
