import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../../kernel/caller-context.ts';
import { type Database, queryAsCaller } from '../../kernel/database.ts';
import type { Keyring } from '../../kernel/keyring.ts';
import { resolveCaller } from '../../kernel/resolve-caller.ts';
import { isForThisServer } from './protected-resource.ts';
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
  // A key in `apikey` is no person's.
  const resolved = resolveCaller(keyring, { authorization }, now);
  if (!resolved.ok || resolved.caller.role !== 'authenticated') throw invalidToken();
  const { sub, aud } = resolved.caller.claims;
  if (typeof sub !== 'string' || !isForThisServer(aud, siteUrl)) throw invalidToken();
  return resolved.caller;
}

/** What a token may do, as the database's own policies judge it in this moment. */
export type Access = { readonly mayWrite: boolean };

/**
 * Asks the database, so that a session that has ended ends here in the same moment.
 * @throws RequestRefusal invalid_token, insufficient_scope; pg.DatabaseError when it cannot be asked
 */
export async function readAccess(db: Database, caller: Caller): Promise<Access> {
  const { rows } = await queryAsCaller<{ open: boolean; reads: boolean; writes: boolean }>(
    db,
    caller,
    {
      name: 'mcp_access',
      text: `select private.is_session_open() as open, private.may_read_links() as reads, private.may_write_links() as writes`,
    },
    { readOnly: true },
  );
  const [may] = rows;
  if (may?.open !== true) throw invalidToken();
  if (!may.reads)
    throw new RequestRefusal('insufficient_scope', { challenge: { error: 'insufficient_scope' } });
  return { mayWrite: may.writes };
}

function invalidToken(): RequestRefusal {
  return new RequestRefusal('invalid_token', { challenge: { error: 'invalid_token' } });
}
