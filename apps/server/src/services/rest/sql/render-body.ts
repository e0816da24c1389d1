import type { MediaType } from '../parse/parse-accept.ts';
import { measureBody, renderBytesOfAll, renderBytesOfValue } from './answer-bytes.ts';
import { JSON_ROW, RESULT } from './render-read.ts';
import { quoteQualified } from './sql-writer.ts';

/** Alias of the rows that become the body. */
export const ROW = 'pgrst_row';
/** Column of a function's bare value. */
export const VALUE = 'pgrst_scalar';

/** `rows`: an array of objects; `row`: one object or null; `values`, `value`: the same for bare values. */
export type BodyShape = 'rows' | 'row' | 'values' | 'value';

export type RenderedBody = {
  /** The aggregate that makes the whole body, JSON or text: the server passes its bytes on without reading them. */
  readonly body: string;
  /** Further columns that end the statement where the body grows too long, or is too long in the end. */
  readonly bounds: string;
  /** Whether they know of the body's own end, so that it needs no measuring from outside. */
  readonly isMeasured: boolean;
  /** What they are taken of. */
  readonly from: string;
};

/**
 * The statement's last select: the body and what else is told of the rows, bounded in its bytes.
 * @param columns what stands beside the body
 */
export function renderAnswer({ body, bounds, isMeasured, from }: RenderedBody, columns: string): string {
  const select = `select ${body} as body, ${columns}${bounds} from ${from}`;
  return isMeasured ? select : measureBody(select);
}

/** @param isLarge whether the bytes are summed up row by row, so that the statement ends where the bound is passed. */
export function renderBody(media: MediaType, shape: BodyShape, rows: string, isLarge: boolean): RenderedBody {
  const from = `(${rows}) as ${ROW}`;
  if (media.kind === 'plan') return renderBody(media.of, shape, rows, isLarge);
  if (media.kind === 'value') return { body: renderValue(media), bounds: '', isMeasured: false, from };
  if (media.kind === 'aggregate') {
    const bounds = isLarge ? boundGrowth(`${ROW}::text`) : '';
    return { body: renderAggregate(media, shape), bounds, isMeasured: false, from };
  }
  if (media.kind === 'csv')
    return { body: renderCsv(), bounds: boundGrowth(`${ROW}::text`), isMeasured: false, from };
  if (media.kind === 'geojson')
    return { body: renderFeatures(media), bounds: boundGrowth(`${ROW}::text`), isMeasured: false, from };
  const strip = (json: string) => (media.stripNulls ? `json_strip_nulls(${json})` : json);
  const isValue = shape === 'values' || shape === 'value';
  const item = isValue ? `${ROW}.${VALUE}` : ROW;
  const json = strip(`${isValue ? 'to_json' : 'row_to_json'}(${item})`);
  // With exactly one row the body is that row; with any other number the caller is told so instead.
  const isOne = media.single || shape === 'row' || shape === 'value';
  if (isLarge) {
    const text = `${ROW}.${JSON_ROW}::text`;
    const all = isOne ? `string_agg(${text}, '')` : `json_agg(${ROW}.${JSON_ROW})`;
    return {
      body: `coalesce(${all}, '${isOne ? 'null' : '[]'}')`,
      bounds: `${boundGrowth(text)}${boundEnd(all)}`,
      isMeasured: true,
      // Without the offset each row would be made JSON twice, once to be measured.
      from: `(select ${json} as ${JSON_ROW} from ${from} offset 0) as ${ROW}`,
    };
  }
  const all = isOne ? `string_agg(${json}::text, '')` : `json_agg(${item})`;
  if (isOne) return { body: `coalesce(${all}, 'null')`, bounds: boundEnd(all), isMeasured: true, from };
  const isMeasured = !media.stripNulls;
  return {
    body: `coalesce(${strip(all)}, '[]')`,
    bounds: isMeasured ? boundEnd(all) : '',
    isMeasured,
    from,
  };
}

/** A function's bare value as it is; bytes travel as Base64 until they are written to the client. */
function renderValue({ isBytes }: Extract<MediaType, { readonly kind: 'value' }>): string {
  const value = `${ROW}.${VALUE}`;
  return isBytes
    ? `coalesce(encode(string_agg(${value}::bytea, ''::bytea), 'base64'), '')`
    : `coalesce(string_agg(${value}::text, ''), '')`;
}

function renderAggregate(
  { aggregate, row, isBytes }: Extract<MediaType, { readonly kind: 'aggregate' }>,
  shape: BodyShape,
): string {
  const isValue = shape === 'values' || shape === 'value';
  const argument = isValue ? `${ROW}.${VALUE}` : row === undefined ? ROW : `${ROW}::${quoteQualified(row)}`;
  const whole = `${quoteQualified(aggregate)}(${argument})`;
  return isBytes ? `coalesce(encode((${whole})::bytea, 'base64'), '')` : `coalesce((${whole})::text, '')`;
}

function boundGrowth(text: string): string {
  return `, ${renderBytesOfAll(text)} as growth`;
}

/** Postgres computes an aggregate that stands twice in a select once. */
function boundEnd(aggregate: string): string {
  return `, ${renderBytesOfValue(aggregate)} as bytes`;
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

/** Rows without a geometry are PostGIS' to refuse. */
function renderFeatures({ toFeature }: Extract<MediaType, { readonly kind: 'geojson' }>): string {
  const features = `coalesce(json_agg(${quoteQualified(toFeature)}(${ROW})::json), '[]')`;
  return `json_build_object('type', 'FeatureCollection', 'features', ${features})`;
}

/** What functions and triggers may have set for the answer. */
export const RESPONSE_SETTINGS = `nullif(current_setting('response.headers', true), '') as response_headers,
  nullif(current_setting('response.status', true), '') as response_status`;

export const COUNT_RESULT = `select count(*)::int from ${RESULT}`;
