import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { MediaType, Preferences } from '../parse/parse-accept.ts';
import type { ParsedRequest } from '../parse/parse-request.ts';
import type { CallPlan, MutationPlan, ReadRequestPlan } from '../plan/plan-types.ts';
import { RestError, restError } from '../rest-error.ts';
import type { RunResult } from '../run/run-plan.ts';
import type { RestResponse } from './rest-response.ts';

type Headers = Record<string, string>;

/**
 * Turns what the database answered into the protocol's answer.
 * @param profile the schema to name in `Content-Profile`; undefined when only one is exposed and the request named none.
 */
export function presentResult(
  request: ParsedRequest,
  plan: ReadRequestPlan | MutationPlan | CallPlan,
  result: RunResult,
  profile: string | undefined,
): RestResponse {
  const headers: Headers = profile === undefined ? {} : { 'content-profile': profile };
  if (plan.media.kind === 'plan') {
    headers['content-type'] = plan.media.contentType;
    return { status: 200, headers, body: result.body ?? '' };
  }
  switch (plan.kind) {
    case 'read':
      headers['content-location'] = renderContentLocation(request);
      return overrideResponse(presentRows(request, plan, result, headers, plan.read.offset), result);
    case 'call':
      return overrideResponse(presentCall(request, plan, result, headers), result);
    case 'mutation':
      return overrideResponse(presentMutation(request, plan, result, headers), result);
  }
}

function presentRows(
  request: ParsedRequest,
  plan: ReadRequestPlan | CallPlan,
  { body, page, total }: RunResult,
  headers: Headers,
  offset: number,
): RestResponse {
  if (total !== undefined && offset > total) throw new RestError(restError.offsetOutOfBounds(offset, total));
  headers['content-type'] = contentType(plan.media);
  headers['content-range'] = renderContentRange(offset, offset + page - 1, total);
  setApplied(
    headers,
    listAppliedPreferences(request.preferences, plan.kind === 'call' ? ['count', 'max-affected'] : ['count']),
  );
  return {
    status: total !== undefined && page < total ? 206 : 200,
    headers,
    body: plan.headersOnly ? undefined : toBody(plan.media, body),
  };
}

function presentCall(
  request: ParsedRequest,
  plan: CallPlan,
  result: RunResult,
  headers: Headers,
): RestResponse {
  const response = presentRows(request, plan, result, headers, plan.read.offset);
  if (plan.routine.returns !== 'void') return response;
  delete headers['content-type'];
  delete headers['content-profile'];
  return { status: 204, headers, body: undefined };
}

function presentMutation(
  request: ParsedRequest,
  plan: MutationPlan,
  result: RunResult,
  headers: Headers,
): RestResponse {
  const { preferences, method } = request;
  const total = preferences.count === undefined ? undefined : result.page;
  const represents = plan.read !== undefined;
  if (represents) headers['content-type'] = contentType(plan.media);
  // What has no content has no profile either.
  else delete headers['content-profile'];
  if (method === 'PATCH') headers['content-range'] = renderContentRange(0, result.page - 1, total);
  else if (method !== 'PUT') headers['content-range'] = renderContentRange(1, 0, total);
  const location = renderLocation(plan, result);
  if (location !== undefined) headers['location'] = location;
  setApplied(headers, listApplied(request, plan));
  return {
    status: mutationStatus(request, result, represents),
    headers,
    body: represents ? toBody(plan.media, result.body) : undefined,
  };
}

function mutationStatus(
  { method, preferences }: ParsedRequest,
  { inserted, page }: RunResult,
  represents: boolean,
): number {
  const created = page > 0 && (inserted === undefined || inserted > 0);
  if (method === 'POST') return created || preferences.resolution !== 'merge-duplicates' ? 201 : 200;
  if (!represents) return 204;
  return method === 'PUT' && created ? 201 : 200;
}

function listApplied({ method, preferences, query }: ParsedRequest, plan: MutationPlan): string | undefined {
  switch (method) {
    case 'POST': {
      const resolves = plan.relation.primaryKey.length > 0 || query.onConflict !== undefined;
      const kinds = ['missing', 'return', 'count'] as const;
      return listAppliedPreferences(preferences, resolves ? ['resolution', ...kinds] : kinds);
    }
    case 'PATCH':
      return listAppliedPreferences(preferences, ['missing', 'return', 'count', 'max-affected']);
    case 'DELETE':
      return listAppliedPreferences(preferences, ['return', 'count', 'max-affected']);
    default:
      return listAppliedPreferences(preferences, ['return', 'count']);
  }
}

/** The address of the one new row: `/links?id=eq.5`. */
function renderLocation(plan: MutationPlan, { location }: RunResult): string | undefined {
  if (location === undefined) return undefined;
  const key = JSON.parse(location) as Record<string, string | null>;
  const filters = Object.entries(key).map(
    ([name, value]) =>
      `${encodeURIComponent(name)}=${value === null ? 'is.null' : `eq.${encodeURIComponent(value)}`}`,
  );
  return `/${encodeURIComponent(plan.relation.name)}?${filters.join('&')}`;
}

/** The address of these very rows, whatever the order in which they were asked for. */
function renderContentLocation({ target, canonicalQuery }: ParsedRequest): string {
  const path = target.kind === 'relation' ? `/${encodeURIComponent(target.name)}` : '/';
  return canonicalQuery === '' ? path : `${path}?${canonicalQuery}`;
}

function setApplied(headers: Headers, applied: string | undefined): void {
  if (applied !== undefined) headers['preference-applied'] = applied;
}

/** Bytes come from the database as Base64. */
function toBody(media: MediaType, body: Buffer | string | null): string | Buffer {
  const isBytes = (media.kind === 'aggregate' || media.kind === 'value') && media.isBytes;
  return isBytes ? Buffer.from(body?.toString() ?? '', 'base64') : (body ?? '');
}

function contentType(media: MediaType): string {
  if (media.kind === 'aggregate' || media.kind === 'value' || media.kind === 'plan') return media.contentType;
  if (media.kind === 'csv') return 'text/csv; charset=utf-8';
  if (media.kind === 'geojson') return 'application/geo+json; charset=utf-8';
  if (media.single)
    return `application/vnd.pgrst.object+json${media.stripNulls ? ';nulls=stripped' : ''}; charset=utf-8`;
  return media.stripNulls
    ? 'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8'
    : 'application/json; charset=utf-8';
}

/** `0-24/100`, `0-24/*`, `*\/0`: first and last row of the page and how many there are (RFC 9110, 14.4, unit `items`). */
function renderContentRange(first: number, last: number, total: number | undefined): string {
  const range = first <= last && total !== 0 ? `${first}-${last}` : '*';
  return `${range}/${total ?? '*'}`;
}

/** `Preference-Applied`: of the given kinds, those that were asked for and obeyed. */
function listAppliedPreferences(
  preferences: Preferences,
  kinds: readonly ('resolution' | 'missing' | 'return' | 'count' | 'max-affected')[],
): string | undefined {
  const { resolution, missing, representation, count, tx, handling, timeZone, maxAffected } = preferences;
  const applied: string[] = [];
  const add = (kind: (typeof kinds)[number], value: string | number | undefined) => {
    if (value !== undefined && kinds.includes(kind)) applied.push(`${kind}=${value}`);
  };
  add('resolution', resolution);
  add('missing', missing);
  add('return', representation);
  add('count', count);
  if (tx !== undefined) applied.push(`tx=${tx}`);
  if (handling !== undefined) applied.push(`handling=${handling}`);
  if (timeZone !== undefined) applied.push(`timezone=${timeZone}`);
  if (handling === 'strict') add('max-affected', maxAffected);
  return applied.length === 0 ? undefined : applied.join(', ');
}

/**
 * Lets a function or trigger decide on the answer: `set local "response.status" = '202'` and
 * `response.headers` = `[{"cache-control": "public"}]`. @throws RestError when it set something else.
 */
function overrideResponse(response: RestResponse, result: RunResult): RestResponse {
  const { responseHeaders, responseStatus } = result;
  if (responseHeaders === undefined && responseStatus === undefined) return response;
  return {
    ...response,
    status: responseStatus === undefined ? response.status : readStatus(responseStatus),
    headers:
      responseHeaders === undefined
        ? response.headers
        : { ...response.headers, ...readHeaders(responseHeaders) },
  };
}

function readStatus(text: string): number {
  const status = Number(text);
  if (!/^\d{3}$/.test(text) || status < 200) throw new RestError(restError.responseStatusSetting());
  return status;
}

function readHeaders(text: string): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list)) throw new TypeError('not an array');
    for (const item of list) {
      const [entry, another] = Object.entries(item as object);
      if (entry === undefined || another !== undefined) throw new TypeError('not a single key');
      const [name, value] = [entry[0].toLowerCase(), entry[1] as unknown];
      if (typeof value !== 'string') throw new TypeError('not a string');
      validateHeaderName(name);
      validateHeaderValue(name, value);
      const earlier = headers[name];
      if (name === 'set-cookie') headers[name] = [...(Array.isArray(earlier) ? earlier : []), value];
      else headers[name] = value;
    }
  } catch (error) {
    throw new RestError(restError.responseHeadersSetting(), { cause: error });
  }
  return headers;
}
