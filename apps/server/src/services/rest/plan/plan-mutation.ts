import type { RestRequest } from '../parse/parse-request.ts';
import type { LogicTree } from '../parse/request-ast.ts';
import { fail, type Outcome, ok, restError } from '../rest-error.ts';
import { type Column, keyOf, type Relation, type SchemaCache } from '../schema-cache/schema-cache.ts';
import { planField, planLogic, type RowShape } from './plan-field.ts';
import { planRead, type ReadSettings } from './plan-read.ts';
import type {
  Expectation,
  JsonPayload,
  Mutation,
  MutationPlan,
  PlannedLogic,
  ReadPlan,
  Weight,
} from './plan-types.ts';
import { weighRead } from './weigh-read.ts';

/** Plans POST, PATCH, PUT and DELETE on a relation. */
export function planMutation(
  cache: SchemaCache,
  settings: ReadSettings,
  request: RestRequest,
  relation: Relation,
): Outcome<MutationPlan> {
  const row: RowShape = {
    relation,
    computed: cache.computedColumns.get(keyOf(relation.schema, relation.name)),
  };
  const mutation = planChange(request, relation, row);
  if (!mutation.ok) return mutation;
  const { preferences, media, method } = request;
  const read =
    preferences.representation === 'representation'
      ? planRepresentation(cache, settings, request, relation)
      : ok(undefined);
  if (!read.ok) return read;
  const weight = weighChange(settings, mutation.value, read.value);
  if (!weight.ok) return weight;
  const location =
    method === 'POST' && preferences.representation === 'headers-only' && relation.primaryKey.length > 0;
  return ok({
    kind: 'mutation',
    mutation: mutation.value,
    relation,
    returning: listReturning(read.value, location ? relation.primaryKey : []).map((name) =>
      planField({ name, path: [] }, row),
    ),
    read: read.value,
    location,
    media,
    expectation: planExpectation(request),
    weight: weight.value,
  });
}

const NOTHING_READ: Pick<ReadPlan, 'select' | 'embeds' | 'where'> = { select: [], embeds: [], where: [] };

function weighChange(
  { maxRows }: ReadSettings,
  mutation: Mutation,
  read: ReadPlan | undefined,
): Outcome<Weight> {
  return weighRead(read ?? NOTHING_READ, maxRows, mutation.kind === 'insert' ? [] : mutation.where);
}

/** The rows given back are shaped like any others; the filters on the root have chosen them already. */
function planRepresentation(
  cache: SchemaCache,
  settings: ReadSettings,
  { query }: RestRequest,
  relation: Relation,
): Outcome<ReadPlan> {
  return planRead(
    cache,
    settings,
    { schema: relation.schema, name: relation.name, relation, source: { kind: 'result' }, range: undefined },
    { ...query, logic: query.logic.filter(({ path }) => path.length > 0) },
  );
}

function planExpectation({ method, media, preferences }: RestRequest): Expectation {
  const limited = preferences.handling === 'strict' && (method === 'PATCH' || method === 'DELETE');
  return {
    singular: media.kind === 'json' && media.single,
    maxAffected: limited ? preferences.maxAffected : undefined,
    matchesAddress: method === 'PUT',
  };
}

function planChange(request: RestRequest, relation: Relation, row: RowShape): Outcome<Mutation> {
  if (request.method === 'PUT') return planPut(request, relation);
  if (request.method === 'POST') return planInsert(request, relation);
  const where = planFilters(rootLogic(request), row);
  if (!where.ok) return where;
  if (request.method === 'DELETE') return ok({ kind: 'delete', where: where.value });
  const body = planBody(request, relation);
  if (!body.ok) return body;
  return ok({ kind: 'update', ...body.value, where: where.value });
}

function planInsert(request: RestRequest, relation: Relation): Outcome<Mutation> {
  const body = planBody(request, relation);
  if (!body.ok) return body;
  const { resolution } = request.preferences;
  const target = request.query.onConflict ?? relation.primaryKey;
  const onConflict =
    resolution === undefined || target.length === 0
      ? undefined
      : { merge: resolution === 'merge-duplicates', columns: target };
  return ok({ kind: 'insert', ...body.value, onConflict, bodyFilters: [] });
}

/** PUT writes one row whole: the address must name it by its primary key, and the body must agree. */
function planPut(request: RestRequest, relation: Relation): Outcome<Mutation> {
  const { query } = request;
  if (query.limits.length > 0 || query.offsets.length > 0) return fail(restError.putLimit());
  const logic = rootLogic(request);
  const named = new Set(logic.map((tree) => (tree.kind === 'filter' ? tree.field.name : '')));
  const complete =
    relation.primaryKey.length > 0 &&
    named.size === relation.primaryKey.length &&
    relation.primaryKey.every((column) => named.has(column)) &&
    logic.every(isPlainEquality);
  if (!complete) return fail(restError.putFilters());
  const body = planBody(request, relation);
  if (!body.ok) return body;
  const bodyFilters = planFilters(logic, { relation, computed: undefined });
  if (!bodyFilters.ok) return bodyFilters;
  return ok({
    kind: 'insert',
    ...body.value,
    onConflict: { merge: true, columns: relation.primaryKey },
    bodyFilters: bodyFilters.value,
  });
}

function isPlainEquality(tree: LogicTree): boolean {
  return (
    tree.kind === 'filter' &&
    !tree.negated &&
    tree.field.path.length === 0 &&
    tree.operation.kind === 'compare' &&
    tree.operation.operator === 'eq' &&
    tree.operation.quantifier === undefined
  );
}

function rootLogic(request: RestRequest): readonly LogicTree[] {
  return request.query.logic.flatMap(({ path, value }) => (path.length === 0 ? [value] : []));
}

function planFilters(trees: readonly LogicTree[], row: RowShape): Outcome<readonly PlannedLogic[]> {
  const planned: PlannedLogic[] = [];
  for (const tree of trees) {
    const logic = planLogic(tree, row, []);
    if (!logic.ok) return logic;
    planned.push(logic.value);
  }
  return ok(planned);
}

type PlannedBody = {
  readonly columns: readonly Column[];
  readonly payload: JsonPayload;
  readonly fillDefaults: boolean;
};

function planBody(request: RestRequest, relation: Relation): Outcome<PlannedBody> {
  const { payload } = request;
  if (payload?.kind !== 'json') return fail(restError.invalidBody('Empty or invalid json'));
  const columns: Column[] = [];
  for (const name of payload.keys) {
    const column = relation.columns.get(name);
    if (column === undefined) return fail(restError.unknownColumn(relation.name, name));
    columns.push(column);
  }
  return ok({ columns, payload, fillDefaults: request.preferences.missing === 'default' });
}

/** The columns that shaping the answer needs: a caller need not have the right to read any other. What is computed needs the whole row. */
function listReturning(read: ReadPlan | undefined, key: readonly string[]): readonly string[] {
  if (read === undefined) return key;
  const ordered = read.order.flatMap(({ owner, field }) => (owner === read.alias ? [field] : []));
  const fields = [...read.select.map(({ field }) => field), ...ordered];
  const names = new Set(fields.map(({ name, computedBy }) => (computedBy === undefined ? name : '*')));
  for (const embed of read.embeds) {
    if (embed.parentColumns === undefined) return ['*'];
    for (const column of embed.parentColumns) names.add(column);
  }
  return names.has('*') ? ['*'] : [...names];
}
