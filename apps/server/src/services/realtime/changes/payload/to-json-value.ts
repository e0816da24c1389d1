import type { PublishedColumn } from '../catalogue/published-table.ts';
import { type ArrayText, parseArrayText } from './parse-array-text.ts';

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
export function toJsonValue(text: string | null, column: PublishedColumn): string {
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
