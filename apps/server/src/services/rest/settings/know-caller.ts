import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../../../kernel/caller-context.ts';
import type { Keyring } from '../../../kernel/keyring.ts';
import { resolveCaller } from '../../../kernel/resolve-caller.ts';
import { explainRefusal, findClaimFault } from '../present/rest-response.ts';
import { RestError, restError } from '../rest-error.ts';
import type { RestSettings } from './rest-settings.ts';

/** Who asks, by the token and what the settings ask of it. @throws RestError for a token that does not do. */
export function knowCaller(
  keyring: Keyring,
  headers: IncomingHttpHeaders,
  now: Date,
  { roleClaim, audience }: RestSettings,
): Caller {
  if (isEmpty(headers))
    throw new RestError(restError.jwtMalformed('Empty JWT is sent in Authorization header'));
  const resolved = resolveCaller(keyring, headers, now, roleClaim);
  if (!resolved.ok) throw new RestError(explainRefusal(resolved.reason, headers));
  const { caller } = resolved;
  const fault = findClaimFault(caller.claims);
  if (fault !== undefined) throw new RestError(restError.jwtClaims(fault));
  if (audience !== undefined && !isMadeFor(audience, caller.claims['aud']))
    throw new RestError(restError.jwtClaims('JWT not in audience'));
  return caller;
}

/** Who sends an API key beside it asks by that. */
function isEmpty({ authorization, apikey }: IncomingHttpHeaders): boolean {
  return authorization !== undefined && /^bearer *$/i.test(authorization) && !apikey;
}

/** A token that names nobody is for anybody, as PostgREST has it (RFC 7519, 4.1.3). */
function isMadeFor(audience: string, claim: unknown): boolean {
  if (claim === undefined || claim === null) return true;
  if (Array.isArray(claim)) return claim.length === 0 || claim.includes(audience);
  return claim === audience;
}
