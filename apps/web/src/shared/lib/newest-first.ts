/** A row of a list that shows the newest first. */
export interface DatedRow {
  readonly id: string;
  readonly created_at: string;
}

/** Order of `created_at desc, id desc`; server times have microseconds, which Date would lose. */
export function compareNewestFirst(a: DatedRow, b: DatedRow): number {
  const byTime = Date.parse(b.created_at) - Date.parse(a.created_at);
  if (byTime !== 0 && !Number.isNaN(byTime)) return byTime;
  return compareText(b.created_at, a.created_at) || compareText(b.id, a.id);
}

/** Puts a row where its date says; a row already there is replaced, so that an answer may arrive twice. */
export function insertNewestFirst<Row extends DatedRow>(rows: readonly Row[], row: Row): readonly Row[] {
  const others = removeRow(rows, row.id);
  const found = others.findIndex((other) => compareNewestFirst(row, other) < 0);
  return found === -1 ? [...others, row] : others.toSpliced(found, 0, row);
}

/** Changes the row of this id; without one the very same list comes back. */
export function patchRow<Row extends DatedRow>(
  rows: readonly Row[],
  id: string,
  patch: Partial<Row>,
): readonly Row[] {
  const at = rows.findIndex((row) => row.id === id);
  const row = rows[at];
  return row === undefined ? rows : rows.with(at, { ...row, ...patch });
}

/** The list without the row of this id; without one the very same list comes back. */
export function removeRow<Row extends DatedRow>(rows: readonly Row[], id: string): readonly Row[] {
  return rows.some((row) => row.id === id) ? rows.filter((row) => row.id !== id) : rows;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
