import type { IncomingHttpHeaders } from 'node:http';
import type { Caller, CallerRole } from './caller-context.ts';
import { type ClaimPath, readClaim } from './claim-path.ts';
import type { Claims, Failure, Keyring, Verified } from './keyring.ts';

export type ResolvedCaller =
  | { readonly ok: true; readonly caller: Caller }
  | { readonly ok: false; readonly reason: Failure['reason'] | 'forbidden_role' };

const ROLES: ReadonlySet<unknown> = new Set<CallerRole>(['anon', 'authenticated', 'service_role']);
const ANONYMOUS: ResolvedCaller = Object.freeze({
  ok: true,
  caller: Object.freeze({ role: 'anon', claims: Object.freeze({ role: 'anon' }) }),
});
const FORBIDDEN_ROLE: ResolvedCaller = Object.freeze({ ok: false, reason: 'forbidden_role' });
/** Where tokens name their role, unless the table API is told otherwise. */
export const ROLE_CLAIM: ClaimPath = [{ kind: 'key', key: 'role' }];

/** The claims of a remembered token are one frozen object, so its caller is one object too, by where its role is read. */
const callersByClaim = new WeakMap<ClaimPath, WeakMap<Claims, ResolvedCaller>>();

/**
 * Who asks: the Bearer token's person, else the API key's role, else an anonymous visitor. A token that does not verify
 * is an error, never an anonymous visitor.
 */
export function resolveCaller(
  keyring: Keyring,
  headers: IncomingHttpHeaders,
  now: Date,
  roleClaim: ClaimPath = ROLE_CLAIM,
): ResolvedCaller {
  const token = readToken(headers);
  if (token === undefined) return ANONYMOUS;
  const verified = keyring.verify(token, now);
  if (!verified.ok) return verified;
  const callers = callersByClaim.get(roleClaim) ?? new WeakMap<Claims, ResolvedCaller>();
  callersByClaim.set(roleClaim, callers);
  const known = callers.get(verified.claims);
  if (known) return known;
  const resolved = toCaller(verified, roleClaim);
  callers.set(verified.claims, resolved);
  return resolved;
}

/** RFC 6750, section 2.1; the scheme's case does not matter (RFC 9110, section 11.1). */
const BEARER = /^bearer +(.*)$/i;

function readToken({ authorization, apikey }: IncomingHttpHeaders): string | undefined {
  const bearer = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]?.trim();
  if (bearer !== undefined && bearer !== '') return bearer;
  const key = Array.isArray(apikey) ? apikey[0] : apikey;
  return key === undefined || key === '' ? undefined : key;
}

/** PostgREST's rule: a token that names no role asks as the anonymous one. Any other role is not for requests, and the operator's not for third parties. */
function toCaller({ claims, isForeign }: Verified, roleClaim: ClaimPath): ResolvedCaller {
  const named = readClaim(claims, roleClaim);
  const role = named === undefined ? 'anon' : named;
  if (!ROLES.has(role) || (isForeign && role === 'service_role')) return FORBIDDEN_ROLE;
  return {
    ok: true,
    caller: { role: role as CallerRole, claims: claims['role'] === role ? claims : { ...claims, role } },
  };
}
