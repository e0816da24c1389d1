import { intersectRanges } from '../parse/parse-range.ts';
import type { RestRequest } from '../parse/parse-request.ts';
import { SELECT_ALL } from '../parse/parse-select.ts';
import { fail, type Outcome, ok, restError } from '../rest-error.ts';
import { keyOf, type Relation, type Routine, type SchemaCache } from '../schema-cache/schema-cache.ts';
import { type FoundFunction, findFunction } from './find-function.ts';
import { planRead, type ReadSettings } from './plan-read.ts';
import { type CallArguments, type CallPlan, type ReadPlan, readRange } from './plan-types.ts';
import { weighRead } from './weigh-read.ts';

/** Plans `/rpc/name`: POST with a body of arguments, GET and HEAD with arguments in the address. */
export function planCall(
  cache: SchemaCache,
  settings: ReadSettings,
  request: RestRequest,
  name: string,
): Outcome<CallPlan> {
  const { media, preferences } = request;
  const found = findFunction(cache, request.schema, name, namesOf(request), request.payload);
  if (!found.ok) return found;
  const { routine } = found.value;
  const strict = preferences.handling === 'strict';
  if (strict && preferences.maxAffected !== undefined && !routine.returnsSet)
    return fail(restError.maxAffectedRpc());
  const relation = findReturned(cache, routine);
  const read = planResult(cache, settings, request, routine, relation);
  if (!read.ok) return read;
  const weight = weighRead(read.value, settings.maxRows);
  if (!weight.ok) return weight;
  return ok({
    kind: 'call',
    routine,
    arguments: toArguments(request, found.value),
    read: read.value,
    readOnly: request.method !== 'POST' || routine.volatility !== 'volatile',
    media,
    count: preferences.count,
    headersOnly: request.method === 'HEAD',
    expectation: {
      singular: media.kind === 'json' && media.single && routine.returnsSet,
      maxAffected: strict ? preferences.maxAffected : undefined,
      matchesAddress: false,
    },
    weight: weight.value,
  });
}

function findReturned(cache: SchemaCache, { returnsRelation }: Routine): Relation | undefined {
  return returnsRelation && cache.relations.get(keyOf(returnsRelation.schema, returnsRelation.name));
}

/** Filters, order, limits and embeds apply to what a function returned as to a relation's rows. */
function planResult(
  cache: SchemaCache,
  settings: ReadSettings,
  { schema, query, range }: RestRequest,
  routine: Routine,
  relation: Relation | undefined,
): Outcome<ReadPlan> {
  return planRead(
    cache,
    settings,
    {
      schema,
      name: relation?.name ?? routine.name,
      relation,
      source: { kind: 'result' },
      range: intersectRanges(readRange(query), range),
    },
    // A bare value has no columns to choose from.
    routine.returns === 'row' ? query : { ...query, select: SELECT_ALL },
  );
}

function namesOf({ payload, query }: RestRequest): readonly string[] {
  if (payload === undefined) return [...new Set(query.callArguments.map(([name]) => name))];
  if (payload.kind === 'form') return [...new Set(payload.pairs.map(([name]) => name))];
  return payload.kind === 'json' ? payload.keys : [];
}

function toArguments({ payload, query }: RestRequest, found: FoundFunction): CallArguments {
  const { routine, takesBody } = found;
  if (takesBody && payload !== undefined && payload.kind !== 'form') {
    const type = routine.parameters[0]?.type ?? 'json';
    return { kind: 'single', type, value: payload.kind === 'json' ? payload.text : payload.body };
  }
  if (payload?.kind === 'json') {
    if (payload.keys.length === 0) return { kind: 'none' };
    return { kind: 'json', text: payload.text, isArray: payload.isArray, names: payload.keys };
  }
  const pairs = payload?.kind === 'form' ? payload.pairs : query.callArguments;
  return pairs.length === 0 ? { kind: 'none' } : { kind: 'pairs', pairs: collect(pairs, routine) };
}

/** A variadic parameter takes all values of its name; of any other the last one counts. */
function collect(
  pairs: readonly (readonly [string, string])[],
  routine: Routine,
): readonly (readonly [string, string | readonly string[]])[] {
  const variadic = routine.parameters.find((parameter) => parameter.variadic)?.name;
  const values = new Map<string, string | string[]>();
  for (const [name, value] of pairs) {
    const earlier = values.get(name);
    if (name !== variadic) values.set(name, value);
    else if (Array.isArray(earlier)) earlier.push(value);
    else values.set(name, [value]);
  }
  return [...values];
}
