import type { MediaType } from '../parse/parse-accept.ts';
import { RESULT } from './render-read.ts';

/** Alias of the rows that become the body. */
export const ROW = 'pgrst_row';
/** Column of a function's bare value. */
export const VALUE = 'pgrst_scalar';

/** `rows`: an array of objects; `row`: one object or null; `values`, `value`: the same for bare values. */
export type BodyShape = 'rows' | 'row' | 'values' | 'value';

/** The aggregate that makes the whole body a text: the server passes it on without reading it. */
export function renderBody(media: MediaType, shape: BodyShape): string {
  if (media.kind === 'csv') return renderCsv();
  const strip = (json: string) => (media.stripNulls ? `json_strip_nulls(${json})` : json);
  switch (media.single && shape === 'rows' ? 'row' : media.single && shape === 'values' ? 'value' : shape) {
    case 'rows':
      return `coalesce(${strip(`json_agg(${ROW})`)}, '[]')::text`;
    case 'values':
      return `coalesce(${strip(`json_agg(${ROW}.${VALUE})`)}, '[]')::text`;
    // With exactly one row this is that row; with any other number the caller is told so instead.
    case 'row':
      return `coalesce(string_agg(${strip(`row_to_json(${ROW})`)}::text, ''), 'null')`;
    case 'value':
      return `coalesce(string_agg(${strip(`to_json(${ROW}.${VALUE})`)}::text, ''), 'null')`;
  }
}

/** Postgres writes a row's text much like a line of CSV; the header comes from the first row. */
function renderCsv(): string {
  const header = `select string_agg(
      case when key ~ '[",\\r\\n]' then '"' || replace(key, '"', '""') || '"' else key end, ','
    )
    from json_object_keys(json_agg(${ROW})->0) as key`;
  const lines = `string_agg(substring(${ROW}::text, 2, length(${ROW}::text) - 2), E'\\n')`;
  return `coalesce((${header}), '') || E'\\n' || coalesce(${lines}, '')`;
}

/** What functions and triggers may have set for the answer. */
export const RESPONSE_SETTINGS = `nullif(current_setting('response.headers', true), '') as response_headers,
  nullif(current_setting('response.status', true), '') as response_status`;

export const COUNT_RESULT = `select count(*)::int from ${RESULT}`;
