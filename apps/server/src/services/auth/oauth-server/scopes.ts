/** What a program may be allowed, beside knowing whom it acts for (docs/decisions/0095). The database's policies know the same words. */
const DATA_SCOPES = ['links:read', 'links:write', 'share'] as const;
/** OpenID Connect Core 1.0, section 5.4: what `/oauth/userinfo` and ID tokens tell. */
const IDENTITY_SCOPES = ['openid', 'email', 'profile'] as const;

export const SCOPES = [...IDENTITY_SCOPES, ...DATA_SCOPES] as const;
export type Scope = (typeof SCOPES)[number];
export type DataScope = (typeof DATA_SCOPES)[number];

/** What is asked for by a program that does not say (GoTrue's default). */
export const DEFAULT_SCOPE = 'email';

const KNOWN: ReadonlySet<string> = new Set(SCOPES);
const DATA: ReadonlySet<string> = new Set(DATA_SCOPES);

export function isDataScope(word: string): word is DataScope {
  return DATA.has(word);
}

/**
 * Reads a list of scopes (RFC 6749, section 3.3), each once, in this server's order.
 * @returns undefined when one of them is unknown.
 */
export function readScopes(text: string): readonly Scope[] | undefined {
  const words = new Set(text.split(' ').filter((word) => word !== ''));
  if ([...words].some((word) => !KNOWN.has(word))) return undefined;
  return SCOPES.filter((scope) => words.has(scope));
}

/** Whether everything that is asked for has been given. */
export function covers(given: string, asked: string): boolean {
  const held = new Set(given.split(' '));
  return asked.split(' ').every((word) => held.has(word));
}
