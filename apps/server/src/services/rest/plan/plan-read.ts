import type { RowRange } from '../parse/parse-range.ts';
import type { FieldItem, OrderTerm } from '../parse/request-ast.ts';
import { fail, type Outcome, ok, restError } from '../rest-error.ts';
import { keyOf, type QualifiedName, type Relation, type SchemaCache } from '../schema-cache/schema-cache.ts';
import { buildRequestTree, type RequestNode, type RequestParts } from './build-request-tree.ts';
import { findRelationship } from './find-relationship.ts';
import { joinEmbed } from './join-embed.ts';
import { planField, planLogic, type RowShape, UNKNOWN_ROW } from './plan-field.ts';
import type {
  EmbedPlan,
  JoinCondition,
  PlannedLogic,
  PlannedOrder,
  PlannedSelect,
  ReadPlan,
  ReadSource,
} from './plan-types.ts';
import { representFields } from './represent-fields.ts';
import { spreadRead } from './spread-fields.ts';

export type ReadSettings = { readonly maxRows: number; readonly aggregates: boolean };

export type ReadRoot = {
  readonly schema: string;
  /** The relation's name, or for a function without one the function's. */
  readonly name: string;
  readonly relation: Relation | undefined;
  readonly source: ReadSource;
  /** What the Range header leaves of the rows; undefined when the root has neither limit nor offset (mutations). */
  readonly range: RowRange | undefined;
};

type Context = {
  readonly cache: SchemaCache;
  readonly schema: string;
  readonly settings: ReadSettings;
  readonly takenAliases: Set<string>;
};

type Place = {
  readonly source: ReadSource;
  readonly alias: string;
  readonly name: string;
  readonly row: RowShape;
  readonly joins: readonly JoinCondition[];
  readonly junction: ReadPlan['junction'];
  readonly depth: number;
};

/** Plans a query over the root and all that is embedded in it. */
export function planRead(
  cache: SchemaCache,
  settings: ReadSettings,
  root: ReadRoot,
  parts: RequestParts,
): Outcome<ReadPlan> {
  const tree = buildRequestTree(parts);
  if (!tree.ok) return tree;
  tree.value.limit = root.range?.limit;
  tree.value.offset = root.range?.offset;
  const context: Context = {
    cache,
    schema: root.schema,
    settings,
    takenAliases: new Set([root.name]),
  };
  const place: Place = {
    source: root.source,
    alias: root.name,
    name: root.name,
    row: { relation: root.relation, computed: root.relation && computedOf(cache, root.relation) },
    joins: [],
    junction: undefined,
    depth: 0,
  };
  const plan = planNode(context, tree.value, place);
  return plan.ok && root.range === undefined ? ok({ ...plan.value, limit: undefined }) : plan;
}

function planNode(context: Context, node: RequestNode, place: Place): Outcome<ReadPlan> {
  const embeds: EmbedPlan[] = [];
  const repeated = findRepeatedName(node.children);
  if (repeated !== undefined)
    return fail(restError.repeatedEmbed(`${place.name}_${repeated}_${place.depth + 1}`));
  for (const child of node.children) {
    const embed = planEmbed(context, child, place);
    if (!embed.ok) return embed;
    embeds.push(embed.value);
  }
  const select = planSelect(
    expandStars(node.fields, place.row, embeds),
    place.row,
    context.settings.aggregates,
  );
  if (!select.ok) return select;
  const where: PlannedLogic[] = [];
  for (const tree of node.logic) {
    const logic = planLogic(tree, place.row, embeds);
    if (!logic.ok) return logic;
    where.push(logic.value);
  }
  const order = planOrder(node.order, place, embeds);
  if (!order.ok) return order;
  return ok({
    source: place.source,
    alias: place.alias,
    junction: place.junction,
    joins: place.joins,
    select: select.value,
    embeds,
    where,
    order: order.value,
    limit: Math.min(node.limit ?? context.settings.maxRows, context.settings.maxRows),
    offset: node.offset ?? 0,
  });
}

/** Two members of one name: a JSON object would keep the last only. A spread has no name in the answer. */
function findRepeatedName(children: readonly RequestNode[]): string | undefined {
  const names = children.flatMap(({ item }) =>
    item === undefined || item.spread ? [] : [item.alias ?? item.name],
  );
  return names.find((name, index) => names.indexOf(name) !== index);
}

function planEmbed(context: Context, node: RequestNode, parent: Place): Outcome<EmbedPlan> {
  const { item } = node;
  if (item === undefined) throw new TypeError('only the root has no embed item');
  const { cache, schema } = context;
  const found = findRelationship(cache, schema, parent.name, item.name, item.hint);
  if (!found.ok) return found;
  const { target } = found.value;
  const depth = parent.depth + 1;
  const alias = claimAlias(context, target.name, depth);
  const join = joinEmbed(found.value, parent.alias, alias, (name) => claimAlias(context, name, depth));
  const relation = cache.relations.get(keyOf(target.schema, target.name));
  // A key need not be unique in a view: a second row of it would double its parent.
  if (join.toOne && (relation?.isView ?? true)) node.limit = Math.min(node.limit ?? 1, 1);
  const read = planNode(context, node, {
    source: join.source,
    alias,
    name: target.name,
    row: { relation, computed: computedOf(cache, target) },
    joins: join.joins,
    junction: join.junction,
    depth,
  });
  if (!read.ok) return read;
  const spread = item.spread
    ? spreadRead(read.value, relation, join.toOne)
    : ok({ read: read.value, spreadFields: [] });
  if (!spread.ok) return spread;
  return ok({
    ...spread.value,
    key: item.alias ?? item.name,
    alias: claimAlias(context, 'pgrst_embed', depth),
    inner: item.join === 'inner',
    toOne: join.toOne,
    spread: item.spread,
    visible: read.value.select.length > 0 || read.value.embeds.some((embed) => embed.visible),
    parentColumns: join.parentColumns,
  });
}

function computedOf(cache: SchemaCache, { schema, name }: QualifiedName): RowShape['computed'] {
  return cache.computedColumns.get(keyOf(schema, name));
}

/** Postgres cuts names at 63 bytes: the part that makes an alias unique must survive. */
function claimAlias(context: Context, name: string, depth: number): string {
  const base = `${name.slice(0, 16)}_${depth}`;
  let alias = base;
  for (let count = 2; context.takenAliases.has(alias); count += 1) alias = `${base}_${count}`;
  context.takenAliases.add(alias);
  return alias;
}

/** Resolves the order of a resource: by its own fields, or by those of a to-one embed. */
function planOrder(
  terms: readonly OrderTerm[],
  place: { readonly alias: string; readonly name: string; readonly row: RowShape },
  embeds: readonly EmbedPlan[],
): Outcome<readonly PlannedOrder[]> {
  const planned: PlannedOrder[] = [];
  for (const { relation, field, direction, nulls } of terms) {
    if (relation === undefined) {
      planned.push({ owner: place.alias, field: planField(field, place.row), direction, nulls });
      continue;
    }
    const embed = embeds.find((candidate) => candidate.key === relation);
    if (embed === undefined) return fail(restError.notEmbedded(relation));
    if (!embed.toOne) return fail(restError.orderNotToOne(place.name, relation));
    planned.push({ owner: embed.alias, field: planField(field, UNKNOWN_ROW), direction, nulls });
  }
  return ok(planned);
}

/** Beside an aggregate each column groups by itself. */
function expandStars(
  fields: readonly FieldItem[],
  { relation }: RowShape,
  embeds: readonly EmbedPlan[],
): readonly FieldItem[] {
  const aggregates =
    fields.some(({ aggregate }) => aggregate !== undefined) ||
    embeds.some(({ spreadFields }) => spreadFields.some(({ aggregate }) => aggregate !== undefined));
  if (!aggregates || relation === undefined) return fields;
  return fields.flatMap((item) =>
    item.field.name === '*' && item.aggregate === undefined
      ? [...relation.columns.keys()].map((name) => ({ ...item, field: { name, path: [] } }))
      : [item],
  );
}

/** Resolves the fields that a resource is asked for. @param aggregates whether aggregate functions are allowed. */
function planSelect(
  fields: readonly FieldItem[],
  row: RowShape,
  aggregates: boolean,
): Outcome<readonly PlannedSelect[]> {
  if (!aggregates && fields.some((item) => item.aggregate !== undefined))
    return fail(restError.aggregatesOff());
  const planned = fields.map(({ field, alias, cast, aggregate }) => ({
    field: planField(field, row),
    alias: alias ?? (aggregate === undefined ? lastKey(field.name, field.path) : undefined),
    cast,
    aggregate,
  }));
  return ok(representFields(planned, row));
}

/** `data->a->>b` appears as `b`, `data->tags->0` as `tags`, `data->0` as `data`. */
function lastKey(name: string, path: FieldItem['field']['path']): string | undefined {
  if (path.length === 0) return undefined;
  return path.findLast((step) => !step.isIndex)?.key ?? name;
}
