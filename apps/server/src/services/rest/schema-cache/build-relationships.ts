import type { Catalogue } from './catalogue-queries.ts';
import {
  type ColumnPairs,
  type JunctionRelationship,
  keyOf,
  type QualifiedName,
  type Relation,
  type Relationship,
} from './schema-cache.ts';

type ForeignKey = Catalogue['foreignKeys'][number];

/** Every way from one relation to another, filed under the relation it starts from. */
export function buildRelationships(
  catalogue: Catalogue,
  relations: ReadonlyMap<string, Relation>,
): ReadonlyMap<string, readonly Relationship[]> {
  const relationships = new Map<string, Relationship[]>();
  const add = (relationship: Relationship) => {
    const key = keyOf(relationship.origin.schema, relationship.origin.name);
    const known = relationships.get(key);
    if (known === undefined) relationships.set(key, [relationship]);
    else known.push(relationship);
  };
  for (const foreignKey of catalogue.foreignKeys) {
    for (const relationship of fromForeignKey(foreignKey)) add(relationship);
  }
  for (const junction of findJunctions(catalogue.foreignKeys, relations)) add(junction);
  for (const computed of findComputed(catalogue)) add(computed);
  return relationships;
}

/** A foreign key is a way there and a way back; over unique columns both ways lead to one row. */
function fromForeignKey(foreignKey: ForeignKey): readonly Relationship[] {
  const { constraint, columns, isUnique, origin, target } = foreignKey;
  return [
    { kind: isUnique ? 'one-to-one' : 'many-to-one', origin, target, constraint, columns },
    {
      kind: isUnique ? 'one-to-one' : 'one-to-many',
      origin: target,
      target: origin,
      constraint,
      columns: swap(columns),
    },
  ];
}

/** A table is a junction between two others when two of its foreign keys lie within its primary key. */
function findJunctions(
  foreignKeys: readonly ForeignKey[],
  relations: ReadonlyMap<string, Relation>,
): readonly JunctionRelationship[] {
  const byOrigin = Map.groupBy(
    foreignKeys.filter((foreignKey) => liesInPrimaryKey(foreignKey, relations)),
    ({ origin }) => keyOf(origin.schema, origin.name),
  );
  return [...byOrigin.values()].flatMap((keys) =>
    keys.flatMap((first) =>
      keys
        .filter((second) => second !== first)
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

function liesInPrimaryKey(foreignKey: ForeignKey, relations: ReadonlyMap<string, Relation>): boolean {
  const { origin, columns } = foreignKey;
  const primaryKey = relations.get(keyOf(origin.schema, origin.name))?.primaryKey ?? [];
  return columns.every(([own]) => primaryKey.includes(own));
}

/** `function(row of origin) returns [setof] target`: to-one when it is no set, or declared `rows 1`. */
function findComputed(catalogue: Catalogue): readonly Relationship[] {
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
