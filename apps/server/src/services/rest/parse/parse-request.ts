import type { IncomingHttpHeaders } from 'node:http';
import { fail, type Outcome, ok, restError } from '../rest-error.ts';
import {
  type MediaRange,
  type MediaType,
  type Preferences,
  parseAccept,
  parsePreferences,
} from './parse-accept.ts';
import { type Payload, parsePayload } from './parse-payload.ts';
import { parseQuery } from './parse-query.ts';
import { ALL_ROWS, decodePart, decodeQueryString, parseRange, type RowRange } from './parse-range.ts';
import type { ParsedQuery } from './request-ast.ts';

export type RawRequest = {
  readonly method: string;
  /** Path below the service's prefix, still percent-encoded, without query: `/links`. */
  readonly path: string;
  readonly queryString: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

export type RestMethod = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'OPTIONS';

export type RestTarget =
  | { readonly kind: 'root' }
  | { readonly kind: 'relation'; readonly name: string }
  | { readonly kind: 'function'; readonly name: string };

/** A request whose every part is understood; nothing of it is known to exist yet. */
export type ParsedRequest = {
  readonly method: RestMethod;
  readonly target: RestTarget;
  readonly schema: string;
  /** Whether the request named the schema: then the answer does, too. */
  readonly namesSchema: boolean;
  readonly query: ParsedQuery;
  readonly preferences: Preferences;
  /** The same question in one order, percent-encoded: what `Content-Location` names. */
  readonly canonicalQuery: string;
  /** The forms in which the client takes an answer, the best first. */
  readonly accept: readonly MediaRange[];
  /** The Range header; only GET has one that counts. */
  readonly range: RowRange;
  readonly payload: Payload | undefined;
};

/** The same once it is known in which form it is answered. */
export type RestRequest = ParsedRequest & { readonly media: MediaType };

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

/** @param schemas the exposed schemas; the first is the default. */
export function parseRequest(raw: RawRequest, schemas: readonly string[]): Outcome<ParsedRequest> {
  if (!METHODS.has(raw.method)) return fail(restError.unsupportedMethod(raw.method));
  const method = raw.method as RestMethod;
  const target = parseTarget(raw.path);
  if (!target.ok) return target;
  const isCall = target.value.kind === 'function';
  if (isCall && (method === 'PATCH' || method === 'PUT' || method === 'DELETE'))
    return fail(restError.rpcMethod(method));
  const schema = parseSchema(method, raw.headers, schemas);
  if (!schema.ok) return schema;
  const pairs = decodeQueryString(raw.queryString);
  if (!pairs.ok) return pairs;
  const query = parseQuery(pairs.value, isCall && (method === 'GET' || method === 'HEAD'));
  if (!query.ok) return query;
  const preferences = parsePreferences(raw.headers['prefer']?.toString());
  if (preferences.handling === 'strict' && preferences.unknown.length > 0)
    return fail(restError.invalidPreferences(preferences.unknown));
  const range = method === 'GET' ? parseRange(raw.headers.range) : ok(ALL_ROWS);
  if (!range.ok) return range;
  // A PUT writes its row whole: it has no columns to choose, as in PostgREST.
  const columns = method === 'PUT' ? undefined : query.value.columns;
  const payload = takesPayload(method, isCall)
    ? parsePayload(raw.headers['content-type'], raw.body, columns, isCall)
    : ok(undefined);
  if (!payload.ok) return payload;
  return ok({
    method,
    target: target.value,
    ...schema.value,
    query: query.value,
    preferences,
    canonicalQuery: method === 'GET' || method === 'HEAD' ? renderCanonicalQuery(pairs.value) : '',
    accept: parseAccept(raw.headers.accept),
    range: range.value,
    payload: payload.value,
  });
}

/** By name; what is not safe in any part of an address is encoded. */
function renderCanonicalQuery(pairs: readonly (readonly [string, string | undefined])[]): string {
  const encode = (text: string) =>
    encodeURIComponent(text).replace(
      /[!'()*]/g,
      (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  return pairs
    .toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
    .map(([name, value = '']) => `${encode(name)}=${encode(value)}`)
    .join('&');
}

function takesPayload(method: RestMethod, isCall: boolean): boolean {
  return method === 'POST' || (!isCall && (method === 'PATCH' || method === 'PUT'));
}

function parseTarget(path: string): Outcome<RestTarget> {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    const decoded = decodePart(segment);
    if (!decoded.ok) return decoded;
    if (decoded.value !== '') segments.push(decoded.value);
  }
  const [first, second] = segments;
  if (first === undefined) return ok({ kind: 'root' });
  if (segments.length === 1 && first !== 'rpc') return ok({ kind: 'relation', name: first });
  if (segments.length === 2 && first === 'rpc' && second !== undefined)
    return ok({ kind: 'function', name: second });
  return fail(restError.invalidPath());
}

function parseSchema(
  method: RestMethod,
  headers: IncomingHttpHeaders,
  schemas: readonly string[],
): Outcome<Pick<ParsedRequest, 'schema' | 'namesSchema'>> {
  const reads = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  const profile = headers[reads ? 'accept-profile' : 'content-profile'];
  const namesSchema = typeof profile === 'string';
  const wanted = namesSchema ? profile : schemas[0];
  if (wanted === undefined || !schemas.includes(wanted))
    return fail(restError.unknownSchema(wanted ?? '', schemas));
  return ok({ schema: wanted, namesSchema });
}
