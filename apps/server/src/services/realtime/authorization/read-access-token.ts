import type { Caller, CallerRole } from '../../../kernel/caller-context.ts';
import type { Claims, Keyring } from '../../../kernel/keyring.ts';

export type AccessToken =
  | {
      readonly ok: true;
      readonly caller: Caller;
      /** Milliseconds since 1970. */
      readonly expiresAt: number;
    }
  | { readonly ok: false; readonly code: string; readonly message: string };

const ROLES: ReadonlySet<unknown> = new Set<CallerRole>(['anon', 'authenticated', 'service_role']);

/** The claims of a remembered token are one frozen object: so is its caller, for a thousand channels. */
const callers = new WeakMap<Claims, Caller>();

/** Who listens (protocol note, section 3.1: the token must name a role and an end). Refusals are in the service's words. */
export function readAccessToken(keyring: Keyring, token: string, now: Date): AccessToken {
  const verified = keyring.verify(token, now);
  if (!verified.ok) return refuse(verified.reason);
  const { claims, isForeign } = verified;
  const { role, exp } = claims;
  if (typeof role !== 'string' || typeof exp !== 'number') return MISSING_CLAIMS;
  if (!ROLES.has(role) || (isForeign && role === 'service_role')) return FORBIDDEN_ROLE;
  return { ok: true, caller: toCaller(claims, role as CallerRole), expiresAt: exp * 1000 };
}

function toCaller(claims: Claims, role: CallerRole): Caller {
  const known = callers.get(claims);
  if (known) return known;
  const caller: Caller = Object.freeze({ role, claims });
  callers.set(claims, caller);
  return caller;
}

const MISSING_CLAIMS: AccessToken = {
  ok: false,
  code: 'InvalidJWTToken',
  message: 'Fields `role` and `exp` are required in JWT',
};
const FORBIDDEN_ROLE: AccessToken = {
  ok: false,
  code: 'Unauthorized',
  message: 'The role of the token may not be used here',
};
const REFUSALS = {
  expired: { ok: false, code: 'InvalidJWTToken', message: 'Token has expired' },
  not_yet_valid: { ok: false, code: 'InvalidJWTToken', message: 'Token is not valid yet' },
  malformed: { ok: false, code: 'MalformedJWT', message: 'The token provided is not a valid JWT' },
  bad_signature: { ok: false, code: 'JwtSignatureError', message: 'Failed to validate JWT signature' },
} as const;

function refuse(reason: keyof typeof REFUSALS): AccessToken {
  return REFUSALS[reason];
}
