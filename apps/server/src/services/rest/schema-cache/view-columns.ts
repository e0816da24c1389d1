import type { QualifiedName, Relation } from './schema-cache.ts';
import { keyOf } from './schema-cache.ts';

/** Where a column of a view comes from: an object's id and the column's position in it. */
export type ColumnOrigin = { readonly relation: number; readonly position: number };

const NODE = /\\[\s\S]|\{TARGETENTRY\b|[{}]|:(resno|resorigtbl|resorigcol) (\d+)/g;
/** The query itself is the first node that is open; what it selects are the nodes right below it. */
const SELECTED = 2;

/**
 * Reads of a view's rule which of its columns are plain columns of something else. Names are escaped by backslashes there, so that
 * brackets and spaces of theirs are never taken for the tree's own. (Source: PostgreSQL, outfuncs.c, `outToken` and `TargetEntry`.)
 * @param rule `pg_rewrite.ev_action` as text.
 * @returns by the position of the view's column; expressions are left out.
 */
export function readColumnOrigins(rule: string): ReadonlyMap<number, ColumnOrigin> {
  const origins = new Map<number, ColumnOrigin>();
  let depth = 0;
  let entry: { [field: string]: number } | undefined;
  for (const [text, field, number] of rule.matchAll(NODE)) {
    if (text === '}') {
      if (depth === SELECTED && entry !== undefined) {
        const { resno = 0, resorigtbl = 0, resorigcol = 0 } = entry;
        if (resorigtbl !== 0) origins.set(resno, { relation: resorigtbl, position: resorigcol });
        entry = undefined;
      }
      depth -= 1;
    } else if (text.startsWith('{')) {
      depth += 1;
      if (depth === SELECTED && text !== '{') entry = {};
    } else if (depth === SELECTED && entry !== undefined && field !== undefined) {
      entry[field] = Number(number);
    }
  }
  return origins;
}

/** A table as a view shows it: the names that the view has for the table's columns, by their positions. */
export type ShownTable = {
  readonly view: QualifiedName;
  readonly names: ReadonlyMap<number, readonly string[]>;
};

type View = QualifiedName & { readonly id: number; readonly rule: string };

/**
 * Follows the columns of exposed views, through further views, down to tables.
 * @param relations the exposed ones, which name the views' columns.
 * @returns by the id of a table, the views that show columns of it.
 */
export function traceViews(
  views: readonly View[],
  relations: ReadonlyMap<string, Relation>,
): ReadonlyMap<number, readonly ShownTable[]> {
  const origins = new Map(views.map(({ id, rule }) => [id, readColumnOrigins(rule)]));
  const shown = new Map<number, ShownTable[]>();
  for (const { id, schema, name } of views) {
    const columns = relations.get(keyOf(schema, name))?.columns;
    if (columns === undefined) continue;
    const tables = new Map<number, Map<number, string[]>>();
    for (const [index, column] of [...columns.keys()].entries()) {
      const origin = traceColumn(origins, { relation: id, position: index + 1 });
      if (origin === undefined) continue;
      const names = tables.get(origin.relation) ?? new Map<number, string[]>();
      tables.set(origin.relation, names);
      names.set(origin.position, [...(names.get(origin.position) ?? []), column]);
    }
    for (const [table, names] of tables)
      shown.set(table, [...(shown.get(table) ?? []), { view: { schema, name }, names }]);
  }
  return shown;
}

/** Undefined for an expression, and for views that were made to show each other. */
function traceColumn(
  origins: ReadonlyMap<number, ReadonlyMap<number, ColumnOrigin>>,
  column: ColumnOrigin,
): ColumnOrigin | undefined {
  const seen = new Set<number>();
  let current = column;
  for (let of = origins.get(current.relation); of !== undefined; of = origins.get(current.relation)) {
    const next = of.get(current.position);
    if (next === undefined || seen.has(current.relation)) return undefined;
    seen.add(current.relation);
    current = next;
  }
  return current;
}

/** A column that a view shows many times makes many ways; no view has more than this of one key. */
const MAX_WAYS = 64;

/** Each choice of the view's names for the columns of a key; none when the view does not show the whole key. */
export function nameKey({ names }: ShownTable, positions: readonly number[]): readonly (readonly string[])[] {
  return positions.reduce<readonly (readonly string[])[]>(
    (ways, position) =>
      ways.flatMap((way) => (names.get(position) ?? []).map((name) => [...way, name])).slice(0, MAX_WAYS),
    [[]],
  );
}
