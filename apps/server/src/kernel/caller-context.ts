import { parseCookie } from 'cookie';

export type CallerOptions = {
  readonly request?: RequestContext;
  /** A read must not write: Postgres answers 25006. */
  readonly readOnly?: boolean;
  /** The schemas in which unqualified names are looked for; the login role's own path by default. */
  readonly searchPath?: readonly string[];
  /** In which times are written, for this one statement; a name that Postgres knows. */
  readonly timeZone?: string | undefined;
  /** Names what the statement is a part of, where that is more than a transaction: what it changes is undone together. */
  readonly act?: string | undefined;
  /** Known to be long: it waits for one of the few connections that such work may hold, and is cut off sooner. */
  readonly isCostly?: boolean;
};

/** Visitors and costly work are cut off after this; whatever else a caller asks, after what the login role's setting says. */
export const SHORT_TIMEOUT_MS = 2_000;

const CONTEXT_TEXT = `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
  set_config('request.method', $3, true), set_config('request.path', $4, true),
  set_config('request.headers', $5, true), set_config('transaction_read_only', $6, true),
  set_config('request.jwt.claim.sub', $7, true), set_config('request.jwt.claim.session_id', $8, true),
  set_config('request.cookies', $9, true), set_config('timezone', coalesce(nullif($10, ''), current_setting('timezone')), true),
  set_config('search_path', coalesce(nullif($11, ''), current_setting('search_path')), true),
  set_config('linkoteca.act', $12, true)`;

/** Of nobody, for nothing: what a connection is prepared with. */
const NO_CONTEXT: readonly string[] = ['none', '', '', '', '', 'off', '', '', '', '', '', ''];

/**
 * Prepared on every connection. Postgres starts the clock anew with each message, so that a time-out set here holds for the
 * statement that follows.
 */
const CALLER_CONTEXT = { name: 'caller_context', text: CONTEXT_TEXT } as const;
const BOUNDED_CONTEXT = {
  name: 'bounded_context',
  text: `${CONTEXT_TEXT}, set_config('statement_timeout', '${SHORT_TIMEOUT_MS}', true)`,
} as const;
/** For the server's own work, which knows of no request: a quarter of what setting all of it costs. */
const OWN_CONTEXT = {
  name: 'own_context',
  text: `select set_config('role', $1, true), set_config('transaction_read_only', $2, true)`,
} as const;

/** What a connection has prepared before anybody uses it. */
export const PREPARED_CONTEXTS: readonly Pick<CallerContext, 'statement' | 'values'>[] = [
  { statement: CALLER_CONTEXT, values: NO_CONTEXT },
  { statement: BOUNDED_CONTEXT, values: NO_CONTEXT },
  { statement: OWN_CONTEXT, values: ['none', 'off'] },
];

/** As whom and under which limits a statement runs. */
export type CallerContext = {
  readonly statement: typeof CALLER_CONTEXT | typeof BOUNDED_CONTEXT | typeof OWN_CONTEXT;
  readonly values: readonly string[];
  /** Whose share of the connections it takes; undefined for the server's own work. */
  readonly sharer: string | undefined;
  readonly isCostly: boolean;
};

/** Claims are the same object from token cache hit to token cache hit: serialise them once. */
const serialisedClaims = new WeakMap<object, string>();

/** A caller's claims as JSON text, as `request.jwt.claims` holds them. */
export function serialiseClaims(claims: Caller['claims']): string {
  const known = serialisedClaims.get(claims);
  if (known !== undefined) return known;
  const text = JSON.stringify(claims);
  serialisedClaims.set(claims, text);
  return text;
}

/** As whom a caller's statements run. */
export function contextOf(caller: Caller, options: CallerOptions): CallerContext {
  const { request, readOnly = false, searchPath = [], isCostly = false, timeZone = '', act = '' } = options;
  return {
    statement: isCostly || caller.role === 'anon' ? BOUNDED_CONTEXT : CALLER_CONTEXT,
    values: [
      caller.role,
      serialiseClaims(caller.claims),
      request?.method ?? '',
      request?.path ?? '',
      request ? JSON.stringify(request.headers) : '',
      readOnly ? 'on' : 'off',
      // The two that every statement asks for: claims that need not be parsed again.
      readId(caller.claims['sub']),
      readId(caller.claims['session_id']),
      request ? describeCookies(request.headers['cookie']) : '',
      timeZone,
      searchPath.map((schema) => `"${schema.replaceAll('"', '""')}"`).join(', '),
      act,
    ],
    sharer: sharerOf(caller),
    isCostly,
  };
}

/** As JSON; an object without names where no cookie came. */
function describeCookies(header: string | undefined): string {
  return header === undefined ? '{}' : JSON.stringify(parseCookie(header));
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Empty for what is none: the database then reads the claims itself, and says what is wrong with them. */
function readId(claim: unknown): string {
  return typeof claim === 'string' && UUID.test(claim) ? claim : '';
}

/** Visitors share as one: nothing tells one from another that cannot be made up. */
function sharerOf({ role, claims }: Caller): string | undefined {
  if (role === 'service_role') return undefined;
  const { sub } = claims;
  return role === 'authenticated' && typeof sub === 'string' ? sub : 'visitors';
}

/** The context of the server's own work: as an owner of a schema, whom no request can name, or as a role without anybody's claims. */
export function ownContext(role: string, { readOnly = false } = {}): CallerContext {
  return {
    statement: OWN_CONTEXT,
    values: [role, readOnly ? 'on' : 'off'],
    sharer: undefined,
    isCostly: false,
  };
}

/** The three roles a request may run as: the platform's own names (protocol note, section 2.4). */
export type CallerRole = 'anon' | 'authenticated' | 'service_role';

/** Who asks. `claims` is the verified token's payload, `role` included, as policies read it through `auth.jwt()`. */
export type Caller = {
  readonly role: CallerRole;
  readonly claims: Readonly<Record<string, unknown>>;
};

/** What SQL may know of the HTTP request (`request.method`, `request.path`, `request.headers`, `request.cookies`). */
export type RequestContext = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
};
