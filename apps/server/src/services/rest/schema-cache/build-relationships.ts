import type { Catalogue, KeyedTable } from './catalogue-queries.ts';
import {
  type ColumnPairs,
  type ComputedRelationship,
  type ForeignKeyRelationship,
  type JunctionRelationship,
  keyOf,
  type QualifiedName,
  type Relation,
  type Relationship,
} from './schema-cache.ts';
import { nameKey, type ShownTable } from './view-columns.ts';

type ShownTables = ReadonlyMap<number, readonly ShownTable[]>;

/**
 * Every way from one exposed relation to another, filed under the relation it starts from. A view has the keys of the tables whose
 * columns it shows, wherever those tables are.
 */
export function buildRelationships(
  catalogue: Catalogue,
  relations: ReadonlyMap<string, Relation>,
  shown: ShownTables,
): ReadonlyMap<string, readonly Relationship[]> {
  const isExposed = ({ schema, name }: QualifiedName) => relations.has(keyOf(schema, name));
  const keys = catalogue.foreignKeys.flatMap((foreignKey) => followKey(foreignKey, shown, isExposed));
  const all: readonly Relationship[] = [
    ...keys,
    ...keys.map(turnAround),
    ...findJunctions(keys, relations),
    ...findComputed(catalogue),
  ];
  return Map.groupBy(all.toSorted(compareWays), ({ origin }) => keyOf(origin.schema, origin.name));
}

type End = QualifiedName & { readonly columns: readonly string[] };

/** A foreign key as a way from its table, and each view of it, to the other table, and each view of that. */
function followKey(
  { constraint, columns, isUnique, origin, target }: Catalogue['foreignKeys'][number],
  shown: ShownTables,
  isExposed: (relation: QualifiedName) => boolean,
): readonly ForeignKeyRelationship[] {
  const endsOf = (table: KeyedTable, side: 0 | 1): readonly End[] =>
    [
      { schema: table.schema, name: table.name, columns: columns.map((pair) => pair[side]) },
      ...(shown.get(table.id) ?? []).flatMap((view) =>
        nameKey(view, table.positions).map((names) => ({ ...view.view, columns: names })),
      ),
    ].filter(isExposed);
  const targets = endsOf(target, 1);
  return endsOf(origin, 0).flatMap((from) =>
    targets.map((to) => ({
      kind: isUnique ? ('one-to-one' as const) : ('many-to-one' as const),
      origin: { schema: from.schema, name: from.name },
      target: { schema: to.schema, name: to.name },
      constraint,
      columns: from.columns.map((name, index) => [name, to.columns[index] ?? ''] as const),
    })),
  );
}

/** A foreign key is a way there and a way back; over unique columns both ways lead to one row. */
function turnAround(way: ForeignKeyRelationship): ForeignKeyRelationship {
  return {
    kind: way.kind === 'one-to-one' ? 'one-to-one' : 'one-to-many',
    origin: way.target,
    target: way.origin,
    constraint: way.constraint,
    columns: swap(way.columns),
  };
}

/** A relation is a junction between two others when two of its foreign keys lie within its primary key. */
function findJunctions(
  keys: readonly ForeignKeyRelationship[],
  relations: ReadonlyMap<string, Relation>,
): readonly JunctionRelationship[] {
  const byOrigin = Map.groupBy(
    keys.filter((key) => key.kind === 'many-to-one' && liesInPrimaryKey(key, relations)),
    ({ origin }) => keyOf(origin.schema, origin.name),
  );
  return [...byOrigin.values()].flatMap((own) =>
    own.flatMap((first) =>
      own
        .filter((second) => second.constraint !== first.constraint)
        .map((second) => ({
          kind: 'many-to-many' as const,
          origin: first.target,
          target: second.target,
          junction: first.origin,
          originConstraint: first.constraint,
          targetConstraint: second.constraint,
          originColumns: swap(first.columns),
          targetColumns: swap(second.columns),
        })),
    ),
  );
}

function liesInPrimaryKey(
  { origin, columns }: ForeignKeyRelationship,
  relations: ReadonlyMap<string, Relation>,
): boolean {
  const primaryKey = relations.get(keyOf(origin.schema, origin.name))?.primaryKey ?? [];
  return columns.every(([own]) => primaryKey.includes(own));
}

/** `function(row of origin) returns [setof] target`: to-one when it is no set, or declared `rows 1`. */
function findComputed(catalogue: Catalogue): readonly ComputedRelationship[] {
  return catalogue.routines.flatMap((routine) => {
    const { argumentRelation: origin, returnsRelation: target } = routine;
    if (origin === null || target === null) return [];
    const name: QualifiedName = { schema: routine.schema, name: routine.name };
    const toOne = !routine.returnsSet || routine.rows === 1;
    return [{ kind: 'computed' as const, origin, target, function: name, toOne }];
  });
}

function swap(columns: ColumnPairs): ColumnPairs {
  return columns.map(([own, other]) => [other, own] as const);
}

const KINDS: readonly Relationship['kind'][] = [
  'one-to-many',
  'many-to-one',
  'one-to-one',
  'many-to-many',
  'computed',
];

/** The order in which PostgREST names the ways that a request leaves open. */
function compareWays(a: Relationship, b: Relationship): number {
  return compareTexts(sortTexts(a), sortTexts(b));
}

function sortTexts(way: Relationship): readonly string[] {
  const { origin, target, kind } = way;
  const isSelf = origin.schema === target.schema && origin.name === target.name;
  const head = [target.schema, target.name, String(Number(isSelf)), String(KINDS.indexOf(kind))];
  switch (way.kind) {
    case 'computed':
      return [...head, way.function.schema, way.function.name];
    case 'many-to-many': {
      const { junction, originConstraint, targetConstraint, originColumns, targetColumns } = way;
      const constraints = [originConstraint, targetConstraint];
      return [
        ...head,
        ...[junction.schema, junction.name],
        ...constraints,
        ...originColumns.flat(),
        ...targetColumns.flat(),
      ];
    }
    default:
      return [...head, way.constraint, ...way.columns.flat()];
  }
}

function compareTexts(a: readonly string[], b: readonly string[]): number {
  const index = a.findIndex((text, at) => text !== b[at]);
  const [left, right] = [a[index], b[index]];
  if (left === undefined) return a.length - b.length;
  return right === undefined || left > right ? 1 : -1;
}
