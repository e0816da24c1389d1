import { KeyObject } from 'node:crypto';
import { createRemoteJWKSet, customFetch, errors } from 'jose';
import * as client from 'openid-client';
import type { Logger } from 'pino';
import { boundedFetch } from '../bounded-fetch.ts';
import type { UnverifiedToken } from '../keys/compact-jws.ts';
import { isSignedWith, type SigningKey } from '../keys/signing-key.ts';

/** Somebody else whose tokens are accepted. */
export type ThirdPartyIssuer = {
  /** `https://…`, with or without a slash at the end. */
  readonly issuer: string;
  /** For whom tokens must be made, where the issuer's keys alone do not tell. */
  readonly audience?: string;
};

export type ThirdPartyIssuers = {
  /**
   * Fetches what verifying this token needs; undefined when nothing is, most of all for tokens that name none of the issuers. Never
   * rejects: what cannot be fetched is logged, and the token does not verify.
   */
  prepare(token: UnverifiedToken): Promise<void> | undefined;
  /** Whether one of the issuers signed it with a key that is still theirs, for us. Times are not looked at. */
  isSigned(token: UnverifiedToken): boolean;
  /** Whether the token says that it comes from one of them. */
  isNamed(token: Pick<UnverifiedToken, 'claims'>): boolean;
};

export type ThirdPartyDeps = {
  readonly issuers: readonly ThirdPartyIssuer[];
  readonly now: () => Date;
  readonly logger: Pick<Logger, 'warn'>;
};

const TIMEOUT_MS = 5_000;
/** As long as the platform keeps keys; an unknown one is asked for again, twice a minute at most. */
const FRESH_MS = 600_000;
const COOL_DOWN_MS = 30_000;
/** An issuer that does not answer keeps its people in for so long. */
const STALE_MS = 3_600_000;
/** Whoever sends tokens by the thousand does not make us ask by the thousand. */
const RETRY_MS = 5_000;

/** Third parties by their issuers: addresses and keys are asked for when the first token comes, and kept. */
export function createThirdPartyIssuers({ issuers, now, logger }: ThirdPartyDeps): ThirdPartyIssuers {
  const sources = new Map(issuers.map((issuer) => [spell(issuer.issuer), createSource(issuer, now, logger)]));
  const find = ({ claims: { iss } }: Pick<UnverifiedToken, 'claims'>) =>
    typeof iss === 'string' ? sources.get(spell(iss)) : undefined;
  return {
    prepare: (token) => find(token)?.prepare(token),
    isSigned: (token) => find(token)?.isSigned(token) === true,
    isNamed: (token) => find(token) !== undefined,
  };
}

/** Auth0 writes a slash at the end, others do not; which of the two it is must be right in the token all the same. */
function spell(issuer: string): string {
  return issuer.replace(/\/$/, '');
}

type Source = {
  prepare(token: UnverifiedToken): Promise<void> | undefined;
  isSigned(token: UnverifiedToken): boolean;
};
type Kept = { readonly key: SigningKey; readonly at: number };
type Discovered = { readonly issuer: string; readonly keys: ReturnType<typeof createRemoteJWKSet> };

function createSource(
  { issuer: address, audience }: ThirdPartyIssuer,
  now: () => Date,
  logger: ThirdPartyDeps['logger'],
): Source {
  const kept = new Map<string, Kept>();
  let discovered: Discovered | undefined;
  let discovering: Promise<Discovered> | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;

  // Without a sign: a clock that was set back makes nothing younger.
  const ageOf = (name: string) =>
    Math.abs(now().getTime() - (kept.get(name)?.at ?? Number.NEGATIVE_INFINITY));

  async function fetchKey(token: UnverifiedToken, name: string): Promise<void> {
    try {
      discovering ??= discover(address);
      discovered = await discovering;
      // The library itself goes by the sign: it would give the same key again, and look for no new one.
      const isSetBack = now().getTime() < askedAt;
      if (kept.has(name) || isSetBack) await discovered.keys.reload();
      askedAt = now().getTime();
      const key = await discovered.keys({ alg: token.algorithm, kid: token.kid ?? '' });
      kept.set(name, { key: toSigningKey(token, KeyObject.from(key as CryptoKey)), at: now().getTime() });
    } catch (error) {
      if (discovered === undefined) discovering = undefined;
      // Taken back by its issuer, or never theirs.
      if (isNoKey(error)) return void kept.delete(name);
      failedAt = now().getTime();
      logger.warn({ err: error, issuer: address }, 'the keys of a third party could not be fetched');
    }
  }

  return {
    prepare(token) {
      const name = nameKey(token);
      if (name === undefined || ageOf(name) < FRESH_MS) return undefined;
      return Math.abs(now().getTime() - failedAt) < RETRY_MS ? undefined : fetchKey(token, name);
    },
    isSigned(token) {
      const name = nameKey(token);
      const known = name === undefined ? undefined : kept.get(name);
      if (name === undefined || known === undefined || ageOf(name) >= STALE_MS) return false;
      const { iss, aud } = token.claims;
      if (iss !== discovered?.issuer || !isMadeFor(audience, aud)) return false;
      return isSignedWith(known.key, token);
    },
  };
}

/** Shared secrets are nobody's to publish, so no issuer signs with one. */
function nameKey({ algorithm, kid }: UnverifiedToken): string | undefined {
  return algorithm === 'HS256' || kid === undefined ? undefined : `${algorithm} ${kid}`;
}

function toSigningKey({ algorithm, kid }: UnverifiedToken, verifiesWith: KeyObject): SigningKey {
  return { kid, algorithm, signsWith: undefined, verifiesWith, publicJwk: undefined };
}

function isMadeFor(audience: string | undefined, claim: unknown): boolean {
  if (audience === undefined) return true;
  return Array.isArray(claim) ? claim.includes(audience) : claim === audience;
}

function isNoKey(error: unknown): boolean {
  return error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
}

/** OpenID Connect Discovery 1.0, section 4: the library compares the issuer with the one that was asked. */
async function discover(address: string): Promise<Discovered> {
  const server = new URL(address);
  const configuration = await client.discovery(server, 'linkoteca', undefined, client.None(), {
    timeout: TIMEOUT_MS / 1000,
    [client.customFetch]: boundedFetch,
    // Plain http is for an issuer on this machine, in tests; settings accept nothing else.
    execute: server.protocol === 'http:' ? [client.allowInsecureRequests] : [],
  });
  const { issuer, jwks_uri: keys = '' } = configuration.serverMetadata();
  const place = URL.parse(keys);
  if (place === null || (place.protocol !== 'https:' && place.protocol !== server.protocol))
    throw new Error('the issuer publishes no keys that can be fetched');
  return {
    issuer,
    keys: createRemoteJWKSet(place, {
      timeoutDuration: TIMEOUT_MS,
      cooldownDuration: COOL_DOWN_MS,
      cacheMaxAge: FRESH_MS,
      [customFetch]: boundedFetch,
    }),
  };
}
