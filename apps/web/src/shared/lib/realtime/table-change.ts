export const CHANGE_OPERATIONS = ['INSERT', 'UPDATE', 'DELETE'] as const;
export type ChangeOperation = (typeof CHANGE_OPERATIONS)[number];

/** Columns of a row, as far as they were told. */
export type ChangedRow = Readonly<Record<string, unknown>>;

/** One committed change of one row. */
export interface TableChange {
  readonly table: string;
  readonly operation: ChangeOperation;
  readonly id: string;
  /** The row as it is now; empty once it is deleted. */
  readonly row: ChangedRow;
  /** What is known of the row before an update or a deletion: the key at least. */
  readonly before: ChangedRow;
  /** ISO 8601, UTC. */
  readonly committedAt: string;
}

/** The row where it is told, else what was known of it. */
export function newestOf({ operation, row, before }: TableChange): ChangedRow {
  return operation === 'DELETE' ? before : row;
}
