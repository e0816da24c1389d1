import type { JsonPayload } from '../plan/plan-types.ts';
import type { Column } from '../schema-cache/schema-cache.ts';
import { quoteLiteral, quoteName, type SqlWriter } from './sql-writer.ts';

/** Alias of the rows of a request's body. */
export const BODY = 'pgrst_body';

/**
 * The rows of a JSON body as a FROM item: one parameter whatever their number, each value read as its column's type.
 * @param fillDefaults a key that a row lacks takes the column's default instead of null.
 */
export function renderPayload(
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
