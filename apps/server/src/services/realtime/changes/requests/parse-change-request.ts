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

export type RequestParse =
  | { readonly ok: true; readonly request: ParsedRequest }
  | { readonly ok: false; readonly reason: string };

const EVENTS: ReadonlySet<string> = new Set(['*', 'INSERT', 'UPDATE', 'DELETE']);
const NO_PARAMETERS =
  'No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: ';

/**
 * What a client asks to hear of. Nothing is believed about the shapes: they came over the wire.
 * @returns the reason in the original server's words.
 */
export function parseChangeRequest(raw: ChangeRequest): RequestParse {
  const { event, schema = 'public', table = ANY, filter, select } = raw as Partial<ChangeRequest>;
  const isNamed = typeof schema === 'string' && schema !== '' && typeof table === 'string' && table !== '';
  const asksForSomething = raw.schema !== undefined || raw.table !== undefined;
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

const EXCEPTION = 'An exception happened so please check your connect parameters';
const NOT_ENABLED = 'Please check Realtime is enabled for the given connect parameters';

/** The original's answer where nothing that is published answers to the request. */
export function describeUnpublished(request: ParsedRequest): string {
  return `Unable to subscribe to changes with given parameters. ${NOT_ENABLED}: [${describe(request)}]`;
}

/** The original's answer to a request that the database refuses. @param code the SQLSTATE. */
export function describeRefused(request: ParsedRequest, code: string, message: string): string {
  const name = CONDITIONS[code] ?? 'error';
  return `Unable to subscribe to changes with given parameters. ${EXCEPTION}: [${describe(request)}]. Exception: ERROR ${code} (${name}) ${message}`;
}

/** The names of SQLSTATEs that a request can meet (PostgreSQL manual, appendix A). */
const CONDITIONS: Readonly<Record<string, string>> = {
  P0001: 'raise_exception',
  '22P02': 'invalid_text_representation',
  '22003': 'numeric_value_out_of_range',
  '22007': 'invalid_datetime_format',
  '22008': 'datetime_field_overflow',
  '2201B': 'invalid_regular_expression',
  '22025': 'invalid_escape_sequence',
  '42883': 'undefined_function',
  '42804': 'datatype_mismatch',
  '42501': 'insufficient_privilege',
};

function describe({ event, schema, table, filters, select }: ParsedRequest): string {
  const conditions = filters.map(({ column, operator, value, negated }) => {
    const given = operator === 'in' ? `{${value}}` : value;
    return `{${[column, operator, given].map((part) => JSON.stringify(part)).join(', ')}, ${negated}}`;
  });
  const columns = select === null ? 'nil' : JSON.stringify(select);
  return `event: ${event}, schema: ${schema}, table: ${table}, filters: [${conditions.join(', ')}], select: ${columns}`;
}
