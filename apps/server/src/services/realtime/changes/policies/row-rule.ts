import type { RowText } from '../../feed/change-feed.ts';
import type { Viewer } from '../delivery/viewer.ts';

/** Which rows of a table a role sees. */
export type RowRule = {
  /** Row-level security sorts nothing out. */
  readonly isOpen: boolean;
  /** The policies as one SQL condition on the table's columns. */
  readonly condition: string;
  /** The columns that the condition reads; null when that cannot be told: any of them. */
  readonly columns: readonly string[] | null;
  /** @returns undefined when only the database can say. */
  decide(row: RowText, viewer: Viewer): boolean | undefined;
};
