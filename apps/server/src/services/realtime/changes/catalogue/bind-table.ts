import type { CallerRole } from '../../../../kernel/caller.ts';
import type { FeedTable, RowText } from '../../feed/change-feed.ts';
import { createRowRule, type RowRule } from '../policies/create-row-rule.ts';
import type { PublishedColumn, PublishedTable, RoleRights } from './published-table.ts';

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

export function bindTable(feed: FeedTable, published: PublishedTable): BoundTable {
  const known = new Map(published.columns.map((column) => [column.name, column]));
  const columns: BoundColumn[] = feed.columns.flatMap(({ name, isKey }, position) => {
    const column = known.get(name);
    return column ? [{ ...column, position, isKey }] : [];
  });
  const byName = new Map(columns.map((column) => [column.name, column]));
  const primaryKey = published.primaryKey.flatMap((name) => byName.get(name) ?? []);
  const roles = new Map<CallerRole, BoundRole>();
  const table: BoundTable = {
    published,
    identity: feed.identity,
    columns,
    byName,
    primaryKey: primaryKey.length === published.primaryKey.length ? primaryKey : [],
    valueOf(row, name) {
      const column = byName.get(name);
      return column && row[column.position];
    },
    roleOf(role) {
      const bound = roles.get(role) ?? bindRole(table, role);
      roles.set(role, bound);
      return bound;
    },
  };
  return table;
}

function bindRole(table: BoundTable, role: CallerRole): BoundRole {
  const rights = table.published.roles[role];
  const names = new Set(rights.selectable);
  return {
    rights,
    selectable: table.columns.filter(({ name }) => names.has(name)),
    rule: createRowRule(table, rights),
  };
}
