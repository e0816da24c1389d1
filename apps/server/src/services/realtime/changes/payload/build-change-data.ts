import type { RowChange, RowText } from '../../feed/change-feed.ts';
import type { BoundColumn, BoundTable } from '../catalogue/bound-table.ts';
import { toJsonValue } from './to-json-value.ts';

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
