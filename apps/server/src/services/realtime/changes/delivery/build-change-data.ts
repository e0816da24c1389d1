import type { RowChange, RowText } from '../../feed/change-feed.ts';
import type { BoundColumn, BoundTable } from '../catalogue/bound-table.ts';
import type { PublishedColumn } from '../catalogue/publication.ts';

/** What of a change one kind of subscriber is told. */
export type ChangeView = {
  readonly columns: readonly BoundColumn[];
  /** Of the old row: everything, what identifies it, what identifies it now (it has not changed), or nothing. */
  readonly old: 'whole' | 'identity' | 'present_identity' | 'nothing';
  /** Instead of the row. */
  readonly error: string | null;
};

const MAX_BYTES = 1024 * 1024;
/** Values that are dropped from a row that is larger. */
const LARGE_VALUE_BYTES = 64;
const TOO_LARGE = 'Error 413: Payload Too Large';

type Members = readonly { readonly name: string; readonly json: string }[];

/** The `data` of a `postgres_changes` event, as JSON text (protocol note, section 3.3). */
export function buildChangeData(table: BoundTable, change: RowChange, view: ChangeView): string {
  const { schema, name } = table.published;
  const columns = view.error === null ? view.columns : [];
  const rows: { name: string; members: Members }[] = [];
  if (change.row !== null) rows.push({ name: 'record', members: readMembers(columns, change.row) });
  if (change.type !== 'INSERT')
    rows.push({ name: 'old_record', members: readOldRow(table, change, { ...view, columns }) });
  const isTooLarge = rows.reduce((sum, { members }) => sum + countBytes(members), 0) > MAX_BYTES;
  const error = view.error ?? (isTooLarge ? TOO_LARGE : null);
  const parts = [
    `"schema":${JSON.stringify(schema)}`,
    `"table":${JSON.stringify(name)}`,
    `"type":"${change.type}"`,
    `"commit_timestamp":"${change.committedAt.toISOString()}"`,
    `"columns":${describeColumns(columns)}`,
    ...rows.map((row) => `"${row.name}":${toJsonObject(isTooLarge ? dropLarge(row.members) : row.members)}`),
    `"errors":${error === null ? 'null' : JSON.stringify([error])}`,
  ];
  return `{${parts.join(',')}}`;
}

function readMembers(columns: readonly BoundColumn[], row: RowText): Members {
  return columns.flatMap((column) => {
    const value = row[column.position];
    return value === undefined ? [] : { name: column.name, json: toJsonValue(value, column) };
  });
}

function readOldRow(table: BoundTable, change: RowChange, { columns, old }: ChangeView): Members {
  const row = old === 'present_identity' ? change.row : change.oldRow;
  if (old === 'nothing' || row === null) return [];
  return readMembers(old === 'whole' ? columns : columns.filter(isIdentity(table)), row);
}

/** With the whole row as identity every column is marked; what identifies it then is the primary key. */
function isIdentity(table: BoundTable): (column: BoundColumn) => boolean {
  const names = new Set(table.primaryKey.map(({ name }) => name));
  return ({ name, isKey }) => (table.identity === 'f' ? names.has(name) : isKey);
}

function describeColumns(columns: readonly BoundColumn[]): string {
  return JSON.stringify(columns.map(({ name, typeName }) => ({ name, type: typeName })));
}

function countBytes(members: Members): number {
  return members.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);
}

function dropLarge(members: Members): Members {
  return members.filter(({ json }) => Buffer.byteLength(json) <= LARGE_VALUE_BYTES);
}

function toJsonObject(members: Members): string {
  return `{${members.map(({ name, json }) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}

const BOOLEAN = 16;
const NUMBERS: ReadonlySet<number> = new Set([20, 21, 23, 700, 701, 1700]);
const JSON_TYPES: ReadonlySet<number> = new Set([114, 3802]);
const TIMESTAMP = 1114;
const TIMESTAMP_WITH_ZONE = 1184;
const NUMBER = /^-?\d/;

/**
 * A value in Postgres' text form as JSON text, as `to_jsonb` gives it: numbers with all their digits, times in the form of
 * ISO 8601, arrays as arrays. What JSON has no form for stays text; so do composite types.
 */
function toJsonValue(text: string | null, column: PublishedColumn): string {
  if (text === null) return 'null';
  if (column.elementOid === null) return toJsonScalar(text, column.baseOid);
  const { elementOid } = column;
  const elements = parseArrayText(text, column.delimiter);
  return elements === undefined ? JSON.stringify(text) : toJsonArray(elements, elementOid);
}

function toJsonArray(elements: ArrayText, elementOid: number): string {
  const values = elements.map((element) => {
    if (element === null) return 'null';
    return typeof element === 'string' ? toJsonScalar(element, elementOid) : toJsonArray(element, elementOid);
  });
  return `[${values.join(',')}]`;
}

function toJsonScalar(text: string, oid: number): string {
  if (oid === BOOLEAN) return text === 't' ? 'true' : 'false';
  // NaN and Infinity are no JSON numbers.
  if (NUMBERS.has(oid)) return NUMBER.test(text) ? text : JSON.stringify(text);
  if (JSON_TYPES.has(oid)) return text;
  if (oid === TIMESTAMP) return JSON.stringify(text.replace(' ', 'T'));
  if (oid === TIMESTAMP_WITH_ZONE) return JSON.stringify(toIsoTime(text));
  return JSON.stringify(text);
}

/** `2026-11-21 20:00:00.5+00` → `2026-11-21T20:00:00.5+00:00`. */
function toIsoTime(text: string): string {
  return text.replace(' ', 'T').replace(/([+-]\d\d)( BC)?$/, '$1:00$2');
}

/** Elements in their own text form, nested as deep as the array has dimensions. */
type ArrayText = readonly (string | null | ArrayText)[];

/** Bounds that do not begin at one come first: `[0:1]={a,b}`. */
const BOUNDS = /^(?:\[-?\d+:-?\d+\])+=/;

/** Reads an array's text form (PostgreSQL manual, section 8.15.6). @returns undefined when it is none. */
function parseArrayText(text: string, delimiter: string): ArrayText | undefined {
  const bounds = BOUNDS.exec(text)?.[0].length ?? 0;
  let at = bounds;
  return readArray();

  function readArray(): ArrayText | undefined {
    if (text.charAt(at) !== '{') return undefined;
    at += 1;
    const elements: (string | null | ArrayText)[] = [];
    if (text.charAt(at) === '}') {
      at += 1;
      return elements;
    }
    while (at < text.length) {
      const element = readElement();
      if (element === undefined) return undefined;
      elements.push(element);
      const sign = text.charAt(at);
      at += 1;
      if (sign === '}') return elements;
      if (sign !== delimiter) return undefined;
    }
    return undefined;
  }

  function readElement(): string | null | ArrayText | undefined {
    if (text.charAt(at) === '{') return readArray();
    if (text.charAt(at) === '"') return readQuoted();
    const start = at;
    while (at < text.length && text.charAt(at) !== delimiter && text.charAt(at) !== '}') at += 1;
    const word = text.slice(start, at);
    return word === 'NULL' ? null : word;
  }

  function readQuoted(): string | undefined {
    let value = '';
    at += 1;
    while (at < text.length && text.charAt(at) !== '"') {
      if (text.charAt(at) === '\\') at += 1;
      value += text.charAt(at);
      at += 1;
    }
    at += 1;
    return at > text.length ? undefined : value;
  }
}
