import { asServiceRole, type Database, type Transaction } from '../../../kernel/database.ts';
import type { RestSettings } from '../settings/rest-settings.ts';
import { buildRelationships } from './build-relationships.ts';
import { type Catalogue, READ_CATALOGUE } from './catalogue-queries.ts';
import { type Forms, NO_FORMS } from './forms.ts';
import { attachCasts, buildForms, type FormsCatalogue, READ_FORMS, READ_TIME_ZONES } from './read-forms.ts';
import { type ComputedColumn, keyOf, type Relation, type Routine, type SchemaCache } from './schema-cache.ts';
import { nameKey, type ShownTable, traceViews } from './view-columns.ts';

/** What is known of the database at one moment: how the service is set, and the schemas that it shows by that. */
export type RestState = { readonly settings: RestSettings; readonly cache: SchemaCache };

/** Holds the newest state. */
export type SchemaSource = {
  /** The state, read now if none was read yet. @throws what the database threw, and what `readSettings` did. */
  current(): RestState | Promise<RestState>;
  /** Reads it anew. Callers that come while one reading runs share the one that follows it. */
  reload(): Promise<RestState>;
};

export function createSchemaSource(
  db: Database,
  readSettings: () => RestSettings | Promise<RestSettings>,
): SchemaSource {
  let state: RestState | undefined;
  let version = 0;
  let timeZones: ReadonlySet<string> | undefined;
  let running: Promise<RestState> | undefined;
  let next: Promise<RestState> | undefined;

  async function read(): Promise<RestState> {
    const settings = await readSettings();
    const { schemas, extraSearchPath } = settings;
    const { catalogue, forms } = await asServiceRole(db, 'read the schema of the table API', async (tx) => {
      // Types and defaults are written out with their schemas: requests may have any search path.
      await tx.query({ text: `select set_config('search_path', '', true)` });
      const { rows } = await tx.query<{ catalogue: string }>({
        text: READ_CATALOGUE,
        values: [schemas, extraSearchPath],
      });
      return { catalogue: rows[0]?.catalogue ?? '', forms: await readForms(tx, schemas) };
    });
    version += 1;
    const built = buildSchemaCache(JSON.parse(catalogue) as Catalogue, version, forms);
    state = { settings, cache: { ...built, relations: attachCasts(built.relations, forms) } };
    return state;
  }

  async function readForms(tx: Transaction, schemas: readonly string[]): Promise<Forms> {
    const { rows } = await tx.query<{ forms: string }>({ text: READ_FORMS, values: [schemas] });
    if (timeZones === undefined) {
      const found = await tx.query<{ name: string }>({ text: READ_TIME_ZONES });
      timeZones = new Set(found.rows.map(({ name }) => name));
    }
    return buildForms(JSON.parse(rows[0]?.forms ?? '') as FormsCatalogue, timeZones);
  }

  function start(): Promise<RestState> {
    running = read().finally(() => {
      running = undefined;
    });
    return running;
  }

  function reload(): Promise<RestState> {
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

  return { current: () => state ?? running ?? start(), reload };
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
  const shown = traceViews(catalogue.views, relations);
  for (const [key, primaryKey] of findViewKeys(catalogue, shown)) {
    const view = relations.get(key);
    if (view !== undefined)
      relations.set(key, {
        ...view,
        primaryKey: [...view.columns.keys()].filter((name) => primaryKey.includes(name)),
      });
  }
  return {
    version,
    relations,
    relationships: buildRelationships(catalogue, relations, shown),
    computedColumns: buildComputedColumns(catalogue),
    functions: buildFunctions(catalogue),
    forms,
  };
}

/** A view's primary key is made of those of all tables whose keys it shows; of several names for a column the first one counts. */
function findViewKeys(
  { primaryKeys }: Catalogue,
  shown: ReadonlyMap<number, readonly ShownTable[]>,
): ReadonlyMap<string, readonly string[]> {
  const keys = new Map<string, readonly string[]>();
  for (const { table, positions } of primaryKeys)
    for (const view of shown.get(table) ?? []) {
      const [names = []] = nameKey(view, positions);
      const key = keyOf(view.view.schema, view.view.name);
      keys.set(key, [...(keys.get(key) ?? []), ...names]);
    }
  return keys;
}

function buildComputedColumns(catalogue: Catalogue): SchemaCache['computedColumns'] {
  const computed = new Map<string, Map<string, ComputedColumn>>();
  for (const { argumentRelation, schema, name, returnsSet, returnType } of catalogue.routines) {
    if (argumentRelation === null || returnsSet) continue;
    const key = keyOf(argumentRelation.schema, argumentRelation.name);
    const columns = computed.get(key) ?? new Map<string, ComputedColumn>();
    computed.set(key, columns.set(name, { schema, name, relation: argumentRelation, type: returnType }));
  }
  return computed;
}

const VOLATILITY = { i: 'immutable', s: 'stable', v: 'volatile' } as const;

function buildFunctions(catalogue: Catalogue): ReadonlyMap<string, readonly Routine[]> {
  const functions = new Map<string, Routine[]>();
  for (const routine of catalogue.routines) {
    if (!isCallable(routine)) continue;
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
  for (const overloads of functions.values()) overloads.sort(compareOverloads);
  return functions;
}

/** What a whole body can be, when it is no list of named arguments. */
const BODY_TYPES: ReadonlySet<string> = new Set(['bytea', 'json', 'jsonb', 'text', 'xml']);

/** Arguments are given by name: without one there is at most the body. */
function isCallable({ parameters }: Catalogue['routines'][number]): boolean {
  const unnamed = parameters.filter(({ name }) => name === '');
  const [only, another] = unnamed;
  if (only === undefined) return true;
  return another === undefined && BODY_TYPES.has(only.type);
}

/** The order in which PostgREST names overloads between which it cannot choose: those with few parameters first. */
function compareOverloads(a: Routine, b: Routine): number {
  if (a.parameters.length !== b.parameters.length) return a.parameters.length - b.parameters.length;
  const [left, right] = [a, b].map(({ comment = '', parameters }) =>
    JSON.stringify([comment, parameters.map(({ name, type }) => [name, type])]),
  );
  return (left ?? '') < (right ?? '') ? -1 : 1;
}
