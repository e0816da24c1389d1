import { asServiceRole, type Database, type Transaction } from '../../../kernel/database.ts';
import { type Catalogue, READ_CATALOGUE } from './catalogue-queries.ts';
import {
  attachCasts,
  buildForms,
  type Forms,
  type FormsCatalogue,
  NO_FORMS,
  READ_FORMS,
  READ_TIME_ZONES,
} from './read-forms.ts';
import {
  type ColumnPairs,
  type ComputedColumn,
  type JunctionRelationship,
  keyOf,
  type QualifiedName,
  type Relation,
  type Relationship,
  type Routine,
  type SchemaCache,
} from './schema-cache.ts';

/** Holds the newest schema cache. */
export type SchemaSource = {
  /** The cache, read now if none was read yet. @throws what the database threw. */
  current(): SchemaCache | Promise<SchemaCache>;
  /** Reads it anew. Callers that come while one reading runs share the one that follows it. */
  reload(): Promise<SchemaCache>;
};

export function createSchemaSource(db: Database, schemas: readonly string[]): SchemaSource {
  let cache: SchemaCache | undefined;
  let version = 0;
  let timeZones: ReadonlySet<string> | undefined;
  let running: Promise<SchemaCache> | undefined;
  let next: Promise<SchemaCache> | undefined;

  async function read(): Promise<SchemaCache> {
    const { catalogue, forms } = await asServiceRole(db, 'read the schema of the table API', async (tx) => {
      const { rows } = await tx.query<{ catalogue: string }>({ text: READ_CATALOGUE, values: [schemas] });
      return { catalogue: rows[0]?.catalogue ?? '', forms: await readForms(tx) };
    });
    version += 1;
    const built = buildSchemaCache(JSON.parse(catalogue) as Catalogue, version, forms);
    cache = { ...built, relations: attachCasts(built.relations, forms) };
    return cache;
  }

  async function readForms(tx: Transaction): Promise<Forms> {
    const { rows } = await tx.query<{ forms: string }>({ text: READ_FORMS, values: [schemas] });
    if (timeZones === undefined) {
      const found = await tx.query<{ name: string }>({ text: READ_TIME_ZONES });
      timeZones = new Set(found.rows.map(({ name }) => name));
    }
    return buildForms(JSON.parse(rows[0]?.forms ?? '') as FormsCatalogue, timeZones);
  }

  function start(): Promise<SchemaCache> {
    running = read().finally(() => {
      running = undefined;
    });
    return running;
  }

  function reload(): Promise<SchemaCache> {
    if (running === undefined) return start();
    // The reading under way may have begun before the change: one more, shared by all who ask meanwhile.
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  }

  return { current: () => cache ?? running ?? start(), reload };
}

/** Turns what the catalogue holds into what the planner looks up. */
export function buildSchemaCache(catalogue: Catalogue, version: number, forms = NO_FORMS): SchemaCache {
  const relations = new Map<string, Relation>();
  for (const { columns, comment, ...relation } of catalogue.relations) {
    relations.set(keyOf(relation.schema, relation.name), {
      ...relation,
      comment: comment ?? undefined,
      columns: new Map(
        columns.map(({ baseType, ...column }) => [
          column.name,
          {
            ...column,
            ...(baseType === null ? {} : { baseType }),
            defaultExpression: column.defaultExpression ?? undefined,
          },
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
    forms,
  };
}

function buildComputedColumns(catalogue: Catalogue): SchemaCache['computedColumns'] {
  const computed = new Map<string, Map<string, ComputedColumn>>();
  for (const { argumentRelation, schema, name, returnsSet, returnType } of catalogue.routines) {
    if (argumentRelation === null || returnsSet) continue;
    const key = keyOf(argumentRelation.schema, argumentRelation.name);
    const columns = computed.get(key) ?? new Map<string, ComputedColumn>();
    computed.set(key, columns.set(name, { schema, name, type: returnType }));
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

type ForeignKey = Catalogue['foreignKeys'][number];

/** Every way from one relation to another, filed under the relation it starts from. */
function buildRelationships(
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
