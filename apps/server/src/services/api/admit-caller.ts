import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../../kernel/caller-context.ts';
import type { Database } from '../../kernel/database.ts';
import type { Keyring } from '../../kernel/keyring.ts';
import { identifyPerson, isForThisServer, readAccess } from '../../library/access.ts';
import type { CountCalls } from '../../library/call-limits.ts';
import type { Library } from '../../library/library.ts';
import { scopeOf } from './operation.ts';
import { Problem, type ProblemCode } from './problem.ts';

export type ApiDeps = {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly now: () => Date;
  /** Of both shapes together. */
  readonly countCalls: CountCalls;
  readonly settings: {
    /** Without a slash at its end. */
    readonly siteUrl: string;
    /** Whether programs can ask people to let them in. */
    readonly oauthServerEnabled: boolean;
  };
};

/** Where a token is good that was asked for one address alone (RFC 8707). */
const OWN_PATHS = ['/api', '/api/v1'];

/**
 * Who sends a request, before its body is read: a person, by a token of theirs. Visitors and the operator's key have no library.
 * @throws Problem missing_token, invalid_token, too_many_requests
 */
export async function admitCaller(deps: ApiDeps, headers: IncomingHttpHeaders): Promise<Caller> {
  const caller = identifyCaller(deps, headers);
  const seconds = await deps.countCalls(caller, 1);
  if (seconds !== undefined)
    throw new Problem('too_many_requests', { headers: { 'retry-after': String(seconds) } });
  return caller;
}

function identifyCaller({ keyring, now, settings }: ApiDeps, { authorization }: IncomingHttpHeaders): Caller {
  if (authorization === undefined) throw challenge('missing_token', 'Bearer scope="links:read"');
  const caller = identifyPerson(keyring, authorization, now());
  if (caller === undefined || !isForThisServer(caller.claims['aud'], settings.siteUrl, OWN_PATHS))
    throw invalidToken();
  return caller;
}

/** Asks the database what the token may do in this moment. @throws Problem invalid_token, insufficient_scope */
export async function requireScope(library: Library, operation: { readonly method: string }): Promise<void> {
  const { isOpen, mayRead, mayWrite } = await readAccess(library);
  if (!isOpen) throw invalidToken();
  const scope = scopeOf(operation);
  if (scope === 'links:write' ? mayWrite : mayRead) return;
  throw challenge('insufficient_scope', `Bearer error="insufficient_scope", scope="${scope}"`);
}

function invalidToken(): Problem {
  return challenge('invalid_token', 'Bearer error="invalid_token"');
}

/** RFC 6750, section 3. */
function challenge(code: ProblemCode, text: string): Problem {
  return new Problem(code, { headers: { 'www-authenticate': text } });
}
