import { isUtf8 } from 'node:buffer';
import { fail, type Outcome, ok, restError } from '../rest-error.ts';
import { decodeQueryString } from './parse-range.ts';

/** A request body, kept as the text it came in: Postgres reads it, so no number loses digits on the way. */
export type Payload =
  | {
      readonly kind: 'json';
      readonly text: string;
      readonly isArray: boolean;
      readonly keys: readonly string[];
      /** It came as CSV: it is no JSON to be handed on as it is. */
      readonly fromCsv?: true;
    }
  | { readonly kind: 'form'; readonly pairs: readonly (readonly [string, string])[] }
  | { readonly kind: 'raw'; readonly type: 'text' | 'xml' | 'bytea'; readonly body: string | Buffer };

/** @param columns the `columns` parameter: when it is given, the keys are not looked for in the body. */
export function parsePayload(
  contentType: string | undefined,
  body: Buffer,
  columns: readonly string[] | undefined,
  isCall: boolean,
): Outcome<Payload> {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? 'application/json';
  if (type === 'application/octet-stream' && isCall) return ok({ kind: 'raw', type: 'bytea', body });
  if (!isUtf8(body)) return fail(restError.invalidBody('The body is not valid UTF-8'));
  const text = body.toString('utf8');
  switch (type) {
    case 'application/json':
    case '':
      return parseJson(text, columns, isCall);
    case 'text/csv': {
      const rows = parseCsv(text);
      if (!rows.ok) return rows;
      const payload = toPayload(rows.value, JSON.stringify(rows.value));
      return payload.ok ? ok({ ...payload.value, fromCsv: true }) : payload;
    }
    case 'application/x-www-form-urlencoded':
      return parseForm(text, isCall);
    case 'text/plain':
      if (isCall) return rawText('text', text);
      break;
    case 'text/xml':
      if (isCall) return rawText('xml', text);
      break;
  }
  return fail(restError.invalidBody(`Content-Type not acceptable: ${type}`));
}

function rawText(type: 'text' | 'xml', body: string): Outcome<Payload> {
  if (body.includes('\0')) return fail(restError.invalidBody('The body must not contain NUL'));
  return ok({ kind: 'raw', type, body });
}

function parseForm(text: string, isCall: boolean): Outcome<Payload> {
  const decoded = decodeQueryString(text);
  if (!decoded.ok) return decoded;
  const pairs = decoded.value.map(([key, value]) => [key, value ?? ''] as const);
  if (isCall) return ok({ kind: 'form', pairs });
  const row = Object.fromEntries(pairs);
  return toPayload(row, JSON.stringify(row));
}

function parseJson(text: string, columns: readonly string[] | undefined, isCall: boolean): Outcome<Payload> {
  if (columns !== undefined && text !== '')
    return text.includes('\0')
      ? fail(restError.invalidBody('Empty or invalid json'))
      : ok({ kind: 'json', text, isArray: /^[ \t\r\n]*\[/.test(text), keys: columns });
  if (text === '' && isCall) return ok({ kind: 'json', text: '{}', isArray: false, keys: [] });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail(restError.invalidBody('Empty or invalid json'));
  }
  if (!isCall || isObject(value)) return toPayload(value, text);
  // A function may take any JSON as its single unnamed parameter; only the keys of one object, or of equal ones, are arguments.
  const equal = Array.isArray(value) ? toPayload(value, text) : undefined;
  return equal?.ok ? equal : ok({ kind: 'json', text, isArray: Array.isArray(value), keys: [] });
}

/** Objects of one array must have the same keys: a key that only some have would silently become null in the others. */
function toPayload(value: unknown, text: string): Outcome<Extract<Payload, { kind: 'json' }>> {
  if (!Array.isArray(value)) {
    if (isObject(value)) return ok({ kind: 'json', text, isArray: false, keys: Object.keys(value) });
    return fail(restError.invalidBody('Empty or invalid json'));
  }
  const [first, ...others] = value;
  if (first === undefined) return ok({ kind: 'json', text, isArray: true, keys: [] });
  if (!isObject(first)) return fail(restError.invalidBody('All object keys must match'));
  const keys = Object.keys(first);
  const known = new Set(keys);
  for (const row of others) {
    if (!isObject(row)) return fail(restError.invalidBody('All object keys must match'));
    const own = Object.keys(row);
    if (own.length !== keys.length || !own.every((key) => known.has(key)))
      return fail(restError.invalidBody('All object keys must match'));
  }
  return ok({ kind: 'json', text, isArray: true, keys });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const FIELD = /(?:"([^"]*(?:""[^"]*)*)"|([^,"\r\n]*))(,|\r?\n|$)/y;

/** Reads CSV (RFC 4180) whose first line names the columns; an unquoted or quoted `NULL` is null. */
function parseCsv(text: string): Outcome<readonly Record<string, string | null>[]> {
  const lines = splitCsv(text);
  if (lines === undefined) return fail(restError.invalidBody('Invalid CSV'));
  const [header, ...others] = lines;
  if (header === undefined) return fail(restError.invalidBody('Empty or invalid CSV'));
  // An empty line is no row, nor is the empty text alone, which PostgREST's parser does not tell from it.
  const rows = others.filter((row) => row.length > 1 || row[0] !== '');
  if (rows.some((row) => row.length !== header.length))
    return fail(restError.invalidBody('All lines must have same number of fields'));
  return ok(
    rows.map((row) =>
      Object.fromEntries(
        header.map((name, index) => [name, row[index] === 'NULL' ? null : (row[index] ?? null)]),
      ),
    ),
  );
}

function splitCsv(text: string): string[][] | undefined {
  const lines: string[][] = [];
  let line: string[] = [];
  let position = 0;
  while (position < text.length) {
    FIELD.lastIndex = position;
    const match = FIELD.exec(text);
    if (match === null) return undefined;
    position = FIELD.lastIndex;
    line.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === ',') {
      if (position === text.length) line.push('');
      else continue;
    }
    lines.push(line);
    line = [];
  }
  return lines;
}
