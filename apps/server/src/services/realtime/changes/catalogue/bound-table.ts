import type { CallerRole } from '../../../../kernel/caller-context.ts';
import type { FeedTable, RowText } from '../../feed/change-feed.ts';
import type { RowRule } from '../access/policy-rule.ts';
import type { PublishedColumn, PublishedTable, RoleRights } from './publication.ts';

/** A column of the feed's rows with what the catalogue knows of it. */
export type BoundColumn = PublishedColumn & { readonly position: number; readonly isKey: boolean };

/** What a role may read of a table's rows. */
export type BoundRole = {
  readonly rule: RowRule;
  readonly selectable: readonly BoundColumn[];
  readonly rights: RoleRights;
};

/** A table as the feed and the catalogue describe it together. */
export type BoundTable = {
  readonly published: PublishedTable;
  readonly identity: FeedTable['identity'];
  /** In the order of the feed. What the catalogue does not know (dropped meanwhile) is left out. */
  readonly columns: readonly BoundColumn[];
  readonly byName: ReadonlyMap<string, BoundColumn>;
  /** Empty where there is none, or where the feed does not carry the whole of it. */
  readonly primaryKey: readonly BoundColumn[];
  /** @returns undefined for a value that was not sent. */
  valueOf(row: RowText, column: string): string | null | undefined;
  roleOf(role: CallerRole): BoundRole;
};
