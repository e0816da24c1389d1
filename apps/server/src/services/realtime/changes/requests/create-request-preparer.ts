import type { Caller, CallerRole } from '../../../../kernel/caller-context.ts';
import type { Database } from '../../../../kernel/database.ts';
import type { Publication, PublishedTable } from '../catalogue/publication.ts';
import { ANY, type ParsedRequest } from './parse-change-requests.ts';
import type { Filter } from './parse-filter.ts';
import { prepareFilter, RefusedFilter, type RowFilter } from './prepare-filter.ts';

/** The request asks for what there is not, or what is not for its caller. The message is for the client. */
export class RefusedRequest extends Error {}

/** The filters of a request, ready for every table it reaches, by the table's oid. */
export type PreparedFilters = ReadonlyMap<number, readonly RowFilter[]>;

export type RequestPreparer = {
  /** @throws RefusedRequest; what the database threw when it cannot be asked. */
  prepare(request: ParsedRequest, caller: Caller, publication: Publication): Promise<PreparedFilters>;
};

const RAISED = 'P0001';
/** Filters are kept for the next who ask for the same; beyond so many the oldest are made anew. */
const MAX_KEPT = 20_000;

export function createRequestPreparer(db: Database): RequestPreparer {
  let keptFor: Publication | undefined;
  let kept = new Map<string, Promise<RowFilter>>();

  function prepareOnce(caller: Caller, table: PublishedTable, filter: Filter): Promise<RowFilter> {
    const key = JSON.stringify([table.oid, filter]);
    const known = kept.get(key);
    if (known) return known;
    const prepared = prepareFilter(db, caller, table, filter);
    const store = kept;
    store.set(key, prepared);
    prepared.catch(() => store.delete(key));
    for (const oldest of store.keys()) {
      if (store.size <= MAX_KEPT) break;
      store.delete(oldest);
    }
    return prepared;
  }

  return {
    async prepare(request, caller, publication) {
      if (keptFor !== publication) {
        keptFor = publication;
        kept = new Map();
      }
      const tables = checkRequest(request, caller.role, publication);
      try {
        const prepared = tables.map(async (table) => {
          const filters = request.filters.map((filter) => prepareOnce(caller, table, filter));
          return [table.oid, await Promise.all(filters)] as const;
        });
        return new Map(await Promise.all(prepared));
      } catch (error) {
        if (!(error instanceof RefusedFilter)) throw error;
        throw new RefusedRequest(describeRefused(request, error.code, error.message));
      }
    },
  };
}

/**
 * The tables a request reaches, if the role may ask for it: columns that it cannot read must not be found out by filters.
 * @throws RefusedRequest
 */
export function checkRequest(
  request: ParsedRequest,
  role: CallerRole,
  { tables }: Publication,
): readonly PublishedTable[] {
  const reached = tables.filter(
    ({ schema, name, roles }) =>
      (request.schema === ANY || request.schema === schema) &&
      (request.table === ANY || request.table === name) &&
      roles[role].hasUsage,
  );
  if (reached.length === 0) throw new RefusedRequest(describeUnpublished(request));
  for (const { roles } of reached) {
    const { selectable } = roles[role];
    for (const { column } of request.filters)
      if (!selectable.includes(column))
        throw new RefusedRequest(describeRefused(request, RAISED, `invalid column for filter ${column}`));
    for (const column of request.select ?? [])
      if (!selectable.includes(column))
        throw new RefusedRequest(describeRefused(request, RAISED, `invalid column for select ${column}`));
  }
  return reached;
}

const EXCEPTION = 'An exception happened so please check your connect parameters';
const NOT_ENABLED = 'Please check Realtime is enabled for the given connect parameters';

/** The original's answer where nothing that is published answers to the request. */
function describeUnpublished(request: ParsedRequest): string {
  return `Unable to subscribe to changes with given parameters. ${NOT_ENABLED}: [${describe(request)}]`;
}

/** The original's answer to a request that the database refuses. @param code the SQLSTATE. */
function describeRefused(request: ParsedRequest, code: string, message: string): string {
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
