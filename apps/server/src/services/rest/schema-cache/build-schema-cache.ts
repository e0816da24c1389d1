import { buildRelationships } from './build-relationships.ts';
import type { Catalogue } from './catalogue-queries.ts';
import { keyOf, type QualifiedName, type Relation, type Routine, type SchemaCache } from './schema-cache.ts';

/** Turns what the catalogue holds into what the planner looks up. */
export function buildSchemaCache(catalogue: Catalogue, version: number): SchemaCache {
  const relations = new Map<string, Relation>();
  for (const { columns, comment, ...relation } of catalogue.relations) {
    relations.set(keyOf(relation.schema, relation.name), {
      ...relation,
      comment: comment ?? undefined,
      columns: new Map(
        columns.map((column) => [
          column.name,
          { ...column, defaultExpression: column.defaultExpression ?? undefined },
        ]),
      ),
    });
  }
  return {
    version,
    relations,
    relationships: buildRelationships(catalogue, relations),
    computedColumns: buildComputedColumns(catalogue),
    functions: buildFunctions(catalogue),
  };
}

function buildComputedColumns(catalogue: Catalogue): SchemaCache['computedColumns'] {
  const computed = new Map<string, Map<string, QualifiedName>>();
  for (const { argumentRelation, schema, name, returnsSet } of catalogue.routines) {
    if (argumentRelation === null || returnsSet) continue;
    const key = keyOf(argumentRelation.schema, argumentRelation.name);
    const columns = computed.get(key) ?? new Map<string, QualifiedName>();
    computed.set(key, columns.set(name, { schema, name }));
  }
  return computed;
}

const VOLATILITY = { i: 'immutable', s: 'stable', v: 'volatile' } as const;

function buildFunctions(catalogue: Catalogue): ReadonlyMap<string, readonly Routine[]> {
  const functions = new Map<string, Routine[]>();
  for (const routine of catalogue.routines) {
    const key = keyOf(routine.schema, routine.name);
    const overloads = functions.get(key) ?? [];
    functions.set(key, overloads);
    overloads.push({
      schema: routine.schema,
      name: routine.name,
      parameters: routine.parameters,
      returns: routine.returnsVoid ? 'void' : routine.returnsRow ? 'row' : 'value',
      returnsSet: routine.returnsSet,
      returnsRelation: routine.returnsRelation ?? undefined,
      volatility: VOLATILITY[routine.volatility],
      comment: routine.comment ?? undefined,
    });
  }
  return functions;
}
