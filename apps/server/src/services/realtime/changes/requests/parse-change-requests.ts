import type { ChangeRequest } from '../change-subscriptions.ts';
import { type Filter, parseFilter } from './parse-filter.ts';

export const ANY = '*';
export type ChangeEvent = '*' | 'INSERT' | 'UPDATE' | 'DELETE';

export type ParsedRequest = {
  readonly event: ChangeEvent;
  /** `*`: every schema. */
  readonly schema: string;
  /** `*`: every table of the schema. */
  readonly table: string;
  readonly filters: readonly Filter[];
  /** Null: every column; empty: the primary key alone, which always comes along. */
  readonly select: readonly string[] | null;
};

type RequestParse =
  | { readonly ok: true; readonly request: ParsedRequest }
  | { readonly ok: false; readonly reason: string };

const EVENTS: ReadonlySet<string> = new Set(['*', 'INSERT', 'UPDATE', 'DELETE']);
const NO_PARAMETERS =
  'No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: ';

export type RequestsParse =
  | { readonly ok: true; readonly requests: readonly ParsedRequest[] }
  | { readonly ok: false; readonly reason: string };

const MAX_REQUESTS = 100;

/**
 * What a channel subscribes to. Nothing is believed about the shapes: they came over the wire.
 * @returns the reason in the original server's words.
 */
export function parseChangeRequests(raw: readonly ChangeRequest[]): RequestsParse {
  if (raw.length > MAX_REQUESTS)
    return { ok: false, reason: `Too many postgres_changes in one channel. Maximum ${MAX_REQUESTS}` };
  const requests: ParsedRequest[] = [];
  for (const one of raw) {
    const parsed = parseChangeRequest(one);
    if (!parsed.ok) return parsed;
    requests.push(parsed.request);
  }
  return { ok: true, requests };
}

function parseChangeRequest(raw: ChangeRequest): RequestParse {
  const fields: Partial<ChangeRequest> = typeof raw === 'object' && raw !== null ? raw : {};
  const { event, schema = 'public', table = ANY, filter, select } = fields;
  const isNamed = typeof schema === 'string' && schema !== '' && typeof table === 'string' && table !== '';
  const asksForSomething = fields.schema !== undefined || fields.table !== undefined;
  if (!isNamed || !asksForSomething || (filter !== undefined && typeof filter !== 'string'))
    return { ok: false, reason: NO_PARAMETERS + JSON.stringify(raw) };
  const wanted = String(event ?? ANY).toUpperCase();
  if (!EVENTS.has(wanted))
    return {
      ok: false,
      reason: `Error parsing \`event\` params: expected one of INSERT, UPDATE, DELETE, *, got ${JSON.stringify(event)}`,
    };
  const columns = parseSelect(select, schema === ANY || table === ANY);
  if (typeof columns === 'string') return { ok: false, reason: columns };
  const parsed = parseFilter(filter ?? '');
  if (!parsed.ok) return parsed;
  return {
    ok: true,
    request: { event: wanted as ChangeEvent, schema, table, filters: parsed.filters, select: columns },
  };
}

/** @returns the columns, or what is wrong. */
function parseSelect(select: unknown, isWildcard: boolean): readonly string[] | null | string {
  if (select === undefined || select === null) return null;
  if (!Array.isArray(select))
    return 'Error parsing `select` params: expected a list of column name strings, e.g. select: ["col1", "col2"]';
  if (isWildcard)
    return 'Column selection is not supported for wildcard subscriptions. Provide an explicit schema and table name.';
  return [...new Set(select.filter((column) => typeof column === 'string'))];
}
