import type { Preferences } from '../parse/parse-accept.ts';
import { intersectRanges } from '../parse/parse-range.ts';
import type { ParsedRequest, RestRequest } from '../parse/parse-request.ts';
import { fail, type Outcome, ok, restError } from '../rest-error.ts';
import { keyOf, type QualifiedName, type Relation, type SchemaCache } from '../schema-cache/schema-cache.ts';
import { chooseMedia, type MediaSettings } from './choose-media.ts';
import { findClosestName, NEAR } from './find-closest-name.ts';
import { findFunction } from './find-function.ts';
import { planCall } from './plan-call.ts';
import { planMutation } from './plan-mutation.ts';
import { planRead, type ReadSettings } from './plan-read.ts';
import { type Plan, type ReadPlan, type ReadRequestPlan, readRange } from './plan-types.ts';
import { weighRead } from './weigh-read.ts';

export type PlanSettings = ReadSettings & MediaSettings;

/** Decides what a request means on this schema. */
export function planRequest(
  cache: SchemaCache,
  settings: PlanSettings,
  parsed: ParsedRequest,
): Outcome<Plan> {
  const media = chooseMedia(cache, settings, parsed);
  if (!media.ok) return media;
  const request: RestRequest = { ...parsed, media: media.value };
  const { method, target } = request;
  switch (target.kind) {
    case 'root':
      if (method === 'OPTIONS') return ok({ kind: 'options', allow: 'OPTIONS,GET,HEAD' });
      if (method !== 'GET' && method !== 'HEAD') return fail(restError.unsupportedMethod(method));
      return ok({ kind: 'description', headersOnly: method === 'HEAD' });
    case 'function':
      if (method === 'OPTIONS') return planCallOptions(cache, request, target.name);
      return planCall(cache, settings, request, target.name);
    case 'relation':
      return planOnRelation(cache, settings, request, target.name);
  }
}

function planOnRelation(
  cache: SchemaCache,
  settings: ReadSettings,
  request: RestRequest,
  name: string,
): Outcome<Plan> {
  const relation = cache.relations.get(keyOf(request.schema, name));
  if (relation === undefined) {
    const names = [...cache.relations.values()].flatMap((known) =>
      known.schema === request.schema ? [known.name] : [],
    );
    return fail(restError.unknownTable(request.schema, name, findClosestName(name, names, NEAR)));
  }
  switch (request.method) {
    case 'OPTIONS':
      return ok({ kind: 'options', allow: allowedMethods(cache, relation) });
    case 'GET':
    case 'HEAD':
      return planReadRequest(cache, settings, request, relation);
    default:
      return planMutation(cache, settings, request, relation);
  }
}

function planReadRequest(
  cache: SchemaCache,
  settings: ReadSettings,
  request: RestRequest,
  relation: Relation,
): Outcome<ReadRequestPlan> {
  const { schema, name } = relation;
  const read = planRead(
    cache,
    settings,
    {
      schema,
      name,
      relation,
      source: { kind: 'relation', relation },
      range: intersectRanges(readRange(request.query), request.range),
    },
    request.query,
  );
  if (!read.ok) return read;
  const weight = weighRead(read.value, settings.maxRows);
  if (!weight.ok) return weight;
  const { media, preferences, method } = request;
  return ok({
    kind: 'read',
    read: read.value,
    media,
    count: chooseCount(cache, read.value, preferences.count),
    headersOnly: method === 'HEAD',
    singular: media.kind === 'json' && media.single,
    maxRows: settings.maxRows,
    weight: weight.value,
  });
}

/** A view may take no changes, or some. */
function allowedMethods({ forms }: SchemaCache, { schema, name, primaryKey }: Relation): string {
  const notes = forms.relations.get(keyOf(schema, name));
  const { insertable = true, updatable = true, deletable = true } = notes ?? {};
  return [
    'OPTIONS,GET,HEAD',
    ...(insertable ? ['POST'] : []),
    ...(insertable && updatable && primaryKey.length > 0 ? ['PUT'] : []),
    ...(updatable ? ['PATCH'] : []),
    ...(deletable ? ['DELETE'] : []),
  ].join(',');
}

function planCallOptions(cache: SchemaCache, request: RestRequest, name: string): Outcome<Plan> {
  const names = request.query.callArguments.map(([argument]) => argument);
  const found = findFunction(cache, request.schema, name, names, undefined);
  if (!found.ok) return found;
  const writes = found.value.routine.volatility === 'volatile';
  return ok({ kind: 'options', allow: writes ? 'OPTIONS,POST' : 'OPTIONS,GET,HEAD,POST' });
}

/**
 * How rows are counted. The planner's estimates come from statistics of everybody's rows: where policies hide some, an
 * estimate would tell a caller how many there are that they may not see, so those are counted instead.
 */
function chooseCount(cache: SchemaCache, read: ReadPlan, wanted: Preferences['count']): Preferences['count'] {
  const isEstimate = wanted === 'planned' || wanted === 'estimated';
  return isEstimate && readsHiddenRows(cache, read) ? 'exact' : wanted;
}

function readsHiddenRows(cache: SchemaCache, { source, junction, embeds }: ReadPlan): boolean {
  const hides = (name: QualifiedName) =>
    cache.relations.get(keyOf(name.schema, name.name))?.hidesRows ?? true;
  if (source.kind !== 'relation' || hides(source.relation)) return true;
  if (junction !== undefined && hides(junction.relation)) return true;
  return embeds.some((embed) => readsHiddenRows(cache, embed.read));
}
