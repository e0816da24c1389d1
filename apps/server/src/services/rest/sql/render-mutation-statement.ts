import type { JsonPayload, Mutation, MutationPlan } from '../plan/plan-types.ts';
import type { Column, Relation } from '../schema-cache/schema-cache.ts';
import { RESPONSE_SETTINGS, type RenderedBody, ROW, renderAnswer, renderBody } from './render-body.ts';
import { renderField } from './render-field.ts';
import { renderLogic } from './render-filter.ts';
import { RESULT, renderRead } from './render-read.ts';
import type { RenderedStatement } from './render-read-statement.ts';
import { quoteLiteral, quoteName, quoteQualified, SqlWriter } from './sql-writer.ts';

/** The statement of POST, PATCH, PUT and DELETE: the change, then the shape of what it gave back. */
export function renderMutationStatement(plan: MutationPlan): RenderedStatement {
  const { boundedParts } = plan.weight;
  const writer = new SqlWriter(boundedParts);
  const change = renderChange(writer, plan);
  const columns = `${renderPage(plan)} as page, ${renderLocation(plan)} as location,
  ${countsInserts(plan.mutation) ? READ_INSERTED : 'null::int'} as inserted, ${RESPONSE_SETTINGS}`;
  const body =
    plan.read === undefined
      ? NO_BODY
      : renderBody(plan.media, 'rows', renderRead(writer, plan.read), boundedParts !== undefined);
  return { text: `with ${RESULT} as (${change})\n${renderAnswer(body, columns)}`, values: writer.values };
}

const NO_BODY: RenderedBody = {
  body: 'null::text',
  bounds: '',
  isMeasured: true,
  from: `${RESULT} as ${ROW}`,
};

const REFUSED_ROWS = 'pgrst_rows';

/** Where one row is expected, any other number ends the statement and so takes the change back: no number has that text (22P02). */
function renderPage({ expectation }: MutationPlan): string {
  // A PUT has a refusal of its own, which comes first.
  if (!expectation.singular || expectation.matchesAddress) return 'count(*)::int';
  return `case when count(*) = 1 then 1 else ('${REFUSED_ROWS} ' || count(*))::int end`;
}

/** How many rows there were, of the error by which a statement refuses to change any other number of them than one. */
export function countRefusedRows(error: {
  readonly code?: string | undefined;
  readonly where?: string | undefined;
  readonly message: string;
}): number | undefined {
  if (error.code !== '22P02' || error.where !== undefined) return undefined;
  const rows = new RegExp(`${REFUSED_ROWS} (\\d+)`).exec(error.message)?.[1];
  return rows === undefined ? undefined : Number(rows);
}

function renderChange(writer: SqlWriter, plan: MutationPlan): string {
  const { mutation, relation } = plan;
  const table = `${quoteQualified(relation)} as ${quoteName(relation.name)}`;
  const returned = renderReturned(writer, plan);
  switch (mutation.kind) {
    case 'insert':
      return `${renderInsert(writer, mutation, table)} returning ${returned}`;
    case 'update':
      // Nothing to set: an update, even of no row, would ask for the right to it and run triggers.
      if (mutation.columns.length === 0) return `select ${returned} from ${table} where false`;
      return `${renderUpdate(writer, mutation, relation, table)} returning ${returned}`;
    case 'delete':
      return `delete from ${table}${renderWhere(writer, mutation.where, relation.name)} returning ${returned}`;
  }
}

function renderInsert(
  writer: SqlWriter,
  mutation: Extract<Mutation, { kind: 'insert' }>,
  table: string,
): string {
  const { columns, payload, fillDefaults, bodyFilters } = mutation;
  const names = columns.map(({ name }) => quoteName(name));
  const rows = renderPayload(writer, payload, columns, fillDefaults);
  const conditions = bodyFilters.map((logic) => renderLogic(writer, BODY, logic, () => 'false'));
  if (countsInserts(mutation)) conditions.push(`${countInserted('+')} <> '0'`);
  return [
    `insert into ${table}`,
    names.length === 0 ? '' : `(${names.join(', ')})`,
    `select ${names.map((name) => `${BODY}.${name}`).join(', ')} from ${rows}`,
    conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`,
    renderConflict(mutation),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function renderConflict(mutation: Extract<Mutation, { kind: 'insert' }>): string {
  if (mutation.onConflict === undefined) return '';
  const target = `on conflict (${mutation.onConflict.columns.map(quoteName).join(', ')})`;
  if (!countsInserts(mutation)) return `${target} do nothing`;
  const set = mutation.columns.map(({ name }) => `${quoteName(name)} = excluded.${quoteName(name)}`);
  return `${target} do update set ${set.join(', ')} where ${countInserted('-')} <> '-1'`;
}

/** Of a merge it must be known whether it created rows: the answer is 201 then, and 200 otherwise. */
function countsInserts(mutation: Mutation): boolean {
  return mutation.kind === 'insert' && mutation.onConflict?.merge === true && mutation.columns.length > 0;
}

/** Each proposed row counts up, each conflict counts down again. The setting ends with the transaction. */
function countInserted(sign: '+' | '-'): string {
  return `set_config('pgrst.inserted', (coalesce(${READ_INSERTED}, 0) ${sign} 1)::text, true)`;
}

const READ_INSERTED = `nullif(current_setting('pgrst.inserted', true), '')::int`;

function renderUpdate(
  writer: SqlWriter,
  mutation: Extract<Mutation, { kind: 'update' }>,
  relation: Relation,
  table: string,
): string {
  const { columns, payload, fillDefaults, where } = mutation;
  const set = columns.map(({ name }) => `${quoteName(name)} = ${BODY}.${quoteName(name)}`);
  const rows = renderPayload(writer, payload, columns, fillDefaults);
  return `update ${table} set ${set.join(', ')} from (select ${BODY}.* from ${rows} limit 1) as ${BODY}${renderWhere(writer, where, relation.name)}`;
}

function renderWhere(
  writer: SqlWriter,
  where: Extract<Mutation, { kind: 'delete' }>['where'],
  alias: string,
): string {
  if (where.length === 0) return '';
  return ` where ${where.map((logic) => renderLogic(writer, alias, logic, () => 'false')).join(' and ')}`;
}

function renderReturned(writer: SqlWriter, { relation, returning }: MutationPlan): string {
  if (returning.length === 0) return '1';
  return returning.map((field) => renderField(writer, relation.name, field)).join(', ');
}

/** The primary key of the one new row, as JSON of texts. */
function renderLocation({ location, relation }: MutationPlan): string {
  if (!location) return 'null::text';
  const pairs = relation.primaryKey.map((name) => `${quoteLiteral(name)}, ${ROW}.${quoteName(name)}::text`);
  return `case when count(*) = 1 then string_agg(json_build_object(${pairs.join(', ')})::text, '') end`;
}

/** Alias of the rows of a request's body. */
const BODY = 'pgrst_body';

/**
 * The rows of a JSON body as a FROM item: one parameter whatever their number, each value read as its column's type.
 * @param fillDefaults a key that a row lacks takes the column's default instead of null.
 */
function renderPayload(
  writer: SqlWriter,
  payload: JsonPayload,
  columns: readonly Column[],
  fillDefaults: boolean,
): string {
  if (columns.every(({ casts }) => casts?.fromJson === undefined))
    return renderStored(writer, payload, columns, fillDefaults);
  // A domain that reads JSON in a way of its own gets it as it came.
  const came = columns.map((column) =>
    column.casts?.fromJson === undefined ? column : { ...column, type: 'json' },
  );
  const read = columns.map(({ name, casts }) => {
    const value = `${BODY}.${quoteName(name)}`;
    return `${casts?.fromJson === undefined ? value : `${quoteQualified(casts.fromJson)}(${value})`} as ${quoteName(name)}`;
  });
  return `(select ${read.join(', ')} from ${renderStored(writer, payload, came, fillDefaults)}) as ${BODY}`;
}

function renderStored(
  writer: SqlWriter,
  payload: JsonPayload,
  columns: readonly Column[],
  fillDefaults: boolean,
): string {
  const parameter = writer.bind(payload.text);
  if (columns.length === 0)
    return payload.isArray
      ? `json_array_elements(${parameter}::json) as ${BODY}`
      : `(select ${parameter}::json) as ${BODY}`;
  const types = columns.map(({ name, type }) => `${quoteName(name)} ${type}`).join(', ');
  if (!fillDefaults) {
    const read = payload.isArray ? 'json_to_recordset' : 'json_to_record';
    return `${read}(${parameter}::json) as ${BODY}(${types})`;
  }
  const defaults = columns.flatMap(({ name, defaultExpression }) =>
    defaultExpression === undefined ? [] : [`${quoteLiteral(name)}, ${defaultExpression}`],
  );
  const elements = payload.isArray ? `${parameter}::jsonb` : `jsonb_build_array(${parameter}::jsonb)`;
  return `jsonb_array_elements(${elements}) as pgrst_element cross join lateral
    jsonb_to_record(jsonb_build_object(${defaults.join(', ')}) || pgrst_element.value) as ${BODY}(${types})`;
}
