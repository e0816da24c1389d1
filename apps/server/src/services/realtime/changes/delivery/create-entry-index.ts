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
type Shelf = {
  readonly byColumn: Map<string, Map<string, Set<Entry>>>;
  readonly rest: Set<Entry>;
  size: number;
};

export function createEntryIndex(): EntryIndex {
  const shelves = new Map<string, Shelf>();

  const shelvesOf = (schema: string, table: string) =>
    [keyOf(schema, table), keyOf(schema, ANY), keyOf(ANY, table), keyOf(ANY, ANY)].flatMap(
      (key) => shelves.get(key) ?? [],
    );

  return {
    add(entry) {
      const { schema, table } = entry.request;
      const shelf = shelves.get(keyOf(schema, table)) ?? { byColumn: new Map(), rest: new Set(), size: 0 };
      shelves.set(keyOf(schema, table), shelf);
      shelf.size += 1;
      const place = placeOf(entry);
      if (place === undefined) {
        shelf.rest.add(entry);
        return;
      }
      const values = shelf.byColumn.get(place.column) ?? new Map<string, Set<Entry>>();
      const entries = values.get(place.equals) ?? new Set();
      entries.add(entry);
      values.set(place.equals, entries);
      shelf.byColumn.set(place.column, values);
    },
    remove(entry) {
      const { schema, table } = entry.request;
      const shelf = shelves.get(keyOf(schema, table));
      if (shelf === undefined || !takeFrom(shelf, entry)) return;
      shelf.size -= 1;
      if (shelf.size === 0) shelves.delete(keyOf(schema, table));
    },
    reaches: (schema, table) => shelvesOf(schema, table).length > 0,
    find(table, row) {
      const found: Entry[] = [];
      for (const shelf of shelvesOf(table.published.schema, table.published.name)) {
        found.push(...shelf.rest);
        for (const [column, values] of shelf.byColumn) {
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

function takeFrom({ byColumn, rest }: Shelf, entry: Entry): boolean {
  const place = placeOf(entry);
  if (place === undefined) return rest.delete(entry);
  const values = byColumn.get(place.column);
  const entries = values?.get(place.equals);
  if (values === undefined || entries === undefined || !entries.delete(entry)) return false;
  if (entries.size === 0) values.delete(place.equals);
  if (values.size === 0) byColumn.delete(place.column);
  return true;
}
