import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../../../kernel/caller-context.ts';
import type { Keyring } from '../../../kernel/keyring.ts';
import { resolveCaller } from '../../../kernel/resolve-caller.ts';
import { explainRefusal } from '../present/rest-response.ts';
import { RestError, restError } from '../rest-error.ts';
import type { RestSettings } from './rest-settings.ts';

/** Who asks, by the token and what the settings ask of it. @throws RestError for a token that does not do. */
export function knowCaller(
  keyring: Keyring,
  headers: IncomingHttpHeaders,
  now: Date,
  { roleClaim, audience }: RestSettings,
): Caller {
  const resolved = resolveCaller(keyring, headers, now, roleClaim);
  if (!resolved.ok) throw new RestError(explainRefusal(resolved.reason, headers));
  const { caller } = resolved;
  if (audience !== undefined && !isMadeFor(audience, caller.claims['aud']))
    throw new RestError(restError.jwtClaims('JWT not in audience'));
  return caller;
}

/** A token that names nobody is for anybody, as PostgREST has it (RFC 7519, 4.1.3). */
function isMadeFor(audience: string, claim: unknown): boolean {
  if (claim === undefined || claim === null) return true;
  if (Array.isArray(claim)) return claim.length === 0 || claim.includes(audience);
  return claim === audience;
}
