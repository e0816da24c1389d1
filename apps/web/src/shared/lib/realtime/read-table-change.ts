import { CHANGE_OPERATIONS, type ChangedRow, type TableChange } from './table-change.ts';

/** `2025-05-11 12:00:00.5+00`, as the log has it. */
const LOG_TIME = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2}(?:\.\d+)?)(\+00(?::?00)?|Z)$/;

/**
 * Reads what the client hands over for `postgres_changes` (protocol note, section 3.3). Dates get the form in which the
 * table API writes them, so that they compare.
 * @returns null for what names no table, no known operation or no row: it cannot be applied to anything.
 */
export function readTableChange(payload: unknown): TableChange | null {
  if (typeof payload !== 'object' || payload === null) return null;
  const { table, eventType, commit_timestamp, new: row, old } = payload as Record<string, unknown>;
  const operation = CHANGE_OPERATIONS.find((each) => each === eventType);
  if (typeof table !== 'string' || operation === undefined) return null;
  const change = {
    table,
    operation,
    row: readRow(row),
    before: readRow(old),
    committedAt: typeof commit_timestamp === 'string' ? commit_timestamp : new Date(0).toISOString(),
  };
  const id = keyOf(table, change.row) ?? keyOf(table, change.before);
  return id === null ? null : { ...change, id };
}

function readRow(row: unknown): ChangedRow {
  if (typeof row !== 'object' || row === null) return {};
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      column.endsWith('_at') && typeof value === 'string' ? readTime(value) : value,
    ]),
  );
}

function readTime(text: string): string {
  const [, day, time] = LOG_TIME.exec(text) ?? [];
  return day === undefined ? text : `${day}T${time}+00:00`;
}

/** What a row is known by: its id, or what stands for it in tables without one. A share is known by what is shared. */
function keyOf(table: string, { id, category_id: categoryId, user_id: userId }: ChangedRow): string | null {
  const key = table === 'shared_with' ? (categoryId ?? id) : (id ?? categoryId ?? userId);
  return typeof key === 'string' ? key : null;
}
