import type { RowText } from '../../feed/change-feed.ts';
import type { Viewer } from '../delivery/viewer.ts';
import type { CallerSet, SetMembers } from './policy-rule.ts';

/** Which rows of a table a role sees. */
export type RowRule = {
  /** Row-level security sorts nothing out. */
  readonly isOpen: boolean;
  /** The policies as one SQL condition on the table's columns. */
  readonly condition: string;
  /** The columns that the condition reads; null when that cannot be told: any of them. */
  readonly columns: readonly string[] | null;
  /** The viewers' lists that may have to be known. */
  readonly sets: readonly CallerSet[];
  /**
   * @param setOf the viewer's lists; undefined for one that is not known.
   * @returns undefined when only the database can say.
   */
  decide(
    row: RowText,
    viewer: Viewer,
    setOf: (set: CallerSet) => SetMembers | undefined,
  ): boolean | undefined;
};
