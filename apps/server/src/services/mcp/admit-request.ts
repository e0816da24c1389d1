import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../../kernel/caller-context.ts';
import type { Keyring } from '../../kernel/keyring.ts';
import { identifyPerson, type Access as LibraryAccess, readAccess } from '../../library/access.ts';
import type { Library } from '../../library/library.ts';
import { isForMcp, type Scope } from './protected-resource.ts';
import { RequestRefusal } from './request-refusal.ts';

/** Names under which tokens are put into addresses, where logs, histories and proxies keep them (RFC 6750, section 5.3). */
const TOKEN_PARAMETERS = ['access_token', 'token', 'apikey', 'api_key', 'authorization'];
const TOKEN_TEXT = /^(lk_pat_|sb_|eyJ)/;

/**
 * Refuses what no honest program sends, whoever it is. Pure.
 * @param url path and query as they were sent
 * @throws RequestRefusal token_in_address, foreign_origin
 */
export function validateRequest(url: string, headers: IncomingHttpHeaders, siteUrl: string): void {
  const query = new URLSearchParams(url.split('?').slice(1).join('?'));
  for (const [name, value] of query) {
    if (TOKEN_PARAMETERS.includes(name.toLowerCase()) || TOKEN_TEXT.test(value))
      throw new RequestRefusal('token_in_address');
  }
  // A page that has made its name mean this server (DNS rebinding) still says where it is from. Programs that are no page say nothing.
  const { origin } = headers;
  if (origin !== undefined && origin !== new URL(siteUrl).origin) throw new RequestRefusal('foreign_origin');
}

/**
 * Who sends a request: a person, by a token of theirs. Visitors and the operator's key have no library.
 * @throws RequestRefusal missing_token, invalid_token
 */
export function identifyCaller(
  keyring: Keyring,
  { authorization }: IncomingHttpHeaders,
  { siteUrl, now }: { readonly siteUrl: string; readonly now: Date },
): Caller {
  if (authorization === undefined) throw new RequestRefusal('missing_token', { challenge: {} });
  const caller = identifyPerson(keyring, authorization, now);
  if (caller === undefined || !isForMcp(caller.claims['aud'], siteUrl)) throw invalidToken();
  return caller;
}

/** What a token may do here, beside reading. */
export type Access = Pick<LibraryAccess, 'mayWrite' | 'mayShare'>;

/** The same as scopes: whoever is admitted may read. Pure. */
export function scopesOf({ mayWrite, mayShare }: Access): ReadonlySet<Scope> {
  return new Set<Scope>([
    'links:read',
    ...(mayWrite ? (['links:write'] as const) : []),
    ...(mayShare ? (['share'] as const) : []),
  ]);
}

/** @throws RequestRefusal invalid_token, insufficient_scope; pg.DatabaseError when the database cannot be asked */
export async function admitToLibrary(library: Library): Promise<Access> {
  const { isOpen, mayRead, mayWrite, mayShare } = await readAccess(library);
  if (!isOpen) throw invalidToken();
  if (!mayRead)
    throw new RequestRefusal('insufficient_scope', { challenge: { error: 'insufficient_scope' } });
  return { mayWrite, mayShare };
}

function invalidToken(): RequestRefusal {
  return new RequestRefusal('invalid_token', { challenge: { error: 'invalid_token' } });
}
