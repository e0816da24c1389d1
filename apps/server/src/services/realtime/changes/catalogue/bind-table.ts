import type { CallerRole } from '../../../../kernel/caller-context.ts';
import type { FeedTable } from '../../feed/change-feed.ts';
import { createRowRule } from '../access/create-row-rule.ts';
import type { BoundColumn, BoundRole, BoundTable } from './bound-table.ts';
import type { PublishedTable } from './publication.ts';

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
