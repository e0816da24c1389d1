import type { RowText } from '../../feed/change-feed.ts';
import type { BoundTable } from '../catalogue/bound-table.ts';
import { ANY } from '../requests/parse-change-requests.ts';
import type { Entry } from './listening-channel.ts';

/** Finds the subscriptions a row may concern without looking at the others. */
export type EntryIndex = {
  add(entry: Entry): void;
  remove(entry: Entry): void;
  /** Whether anybody listens to the table. */
  reaches(schema: string, table: string): boolean;
  /** Those whose one required value the row has, and those that require none. */
  find(table: BoundTable, row: RowText): Entry[];
};

/** The subscriptions to one table, or to all of a schema: by the value that they require, the others in `rest`. */
type TableIndex = {
  readonly byColumn: Map<string, Map<string, Set<Entry>>>;
  readonly rest: Set<Entry>;
  size: number;
};

export function createEntryIndex(): EntryIndex {
  const tableIndexes = new Map<string, TableIndex>();

  const tableIndexesOf = (schema: string, table: string) =>
    [keyOf(schema, table), keyOf(schema, ANY), keyOf(ANY, table), keyOf(ANY, ANY)].flatMap(
      (key) => tableIndexes.get(key) ?? [],
    );

  return {
    add(entry) {
      const { schema, table } = entry.request;
      const tableIndex = tableIndexes.get(keyOf(schema, table)) ?? {
        byColumn: new Map(),
        rest: new Set(),
        size: 0,
      };
      tableIndexes.set(keyOf(schema, table), tableIndex);
      tableIndex.size += 1;
      const place = placeOf(entry);
      if (place === undefined) {
        tableIndex.rest.add(entry);
        return;
      }
      const values = tableIndex.byColumn.get(place.column) ?? new Map<string, Set<Entry>>();
      const entries = values.get(place.equals) ?? new Set();
      entries.add(entry);
      values.set(place.equals, entries);
      tableIndex.byColumn.set(place.column, values);
    },
    remove(entry) {
      const { schema, table } = entry.request;
      const tableIndex = tableIndexes.get(keyOf(schema, table));
      if (tableIndex === undefined || !takeFrom(tableIndex, entry)) return;
      tableIndex.size -= 1;
      if (tableIndex.size === 0) tableIndexes.delete(keyOf(schema, table));
    },
    reaches: (schema, table) => tableIndexesOf(schema, table).length > 0,
    find(table, row) {
      const found: Entry[] = [];
      for (const tableIndex of tableIndexesOf(table.published.schema, table.published.name)) {
        found.push(...tableIndex.rest);
        for (const [column, values] of tableIndex.byColumn) {
          const value = table.valueOf(row, column);
          if (typeof value === 'string') found.push(...(values.get(value) ?? []));
        }
      }
      return found;
    },
  };
}

function keyOf(schema: string, table: string): string {
  return JSON.stringify([schema, table]);
}

/** Only where the request reaches one table are its values those of one type. */
function placeOf({ filters }: Entry): { readonly column: string; readonly equals: string } | undefined {
  const [only, ...others] = filters.values();
  if (only === undefined || others.length > 0) return undefined;
  for (const { column, equals } of only) if (equals !== null) return { column, equals };
  return undefined;
}

function takeFrom({ byColumn, rest }: TableIndex, entry: Entry): boolean {
  const place = placeOf(entry);
  if (place === undefined) return rest.delete(entry);
  const values = byColumn.get(place.column);
  const entries = values?.get(place.equals);
  if (values === undefined || entries === undefined || !entries.delete(entry)) return false;
  if (entries.size === 0) values.delete(place.equals);
  if (values.size === 0) byColumn.delete(place.column);
  return true;
}
