import type { ParsedRequest } from './parse-change-requests.ts';

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
