import type { Payload } from '../parse/parse-payload.ts';
import { fail, type Outcome, ok, restError } from '../rest-error.ts';
import { keyOf, type Routine, type SchemaCache } from '../schema-cache/schema-cache.ts';
import { findClosestName, NEAR } from './find-closest-name.ts';

/** Parameter lists are a caller's own business: a looser match helps and reveals nothing. */
const NEAR_PARAMETERS = 0.33;

export type FoundFunction = {
  readonly routine: Routine;
  /** The whole body is its only, unnamed argument. */
  readonly takesBody: boolean;
};

/**
 * Chooses among the overloads by the names of the arguments.
 * @param payload the body of a POST; undefined when the function is called by GET.
 */
export function findFunction(
  cache: SchemaCache,
  schema: string,
  name: string,
  argumentNames: readonly string[],
  payload: Payload | undefined,
): Outcome<FoundFunction> {
  const overloads = cache.functions.get(keyOf(schema, name)) ?? [];
  const isRaw = payload?.kind === 'raw';
  // supabase-js has no other way to send one: its body with the empty name is the argument that has none, whole and whatever its type.
  const mayBeUnnamed = payload?.kind === 'json' && !payload.fromCsv;
  const named = isRaw ? [] : overloads.filter((routine) => fits(routine, argumentNames, mayBeUnnamed));
  const candidates = named.length > 0 ? named : overloads.filter((routine) => takesBody(routine, payload));
  const [routine, another] = candidates;
  if (routine === undefined)
    return fail(explainMissing(cache, schema, name, argumentNames, payload, overloads));
  if (another !== undefined) return fail(restError.ambiguousFunction(candidates.map(signature)));
  return ok({ routine, takesBody: named.length === 0 || argumentNames.includes('') });
}

/** Every required parameter is given, and nothing that is no parameter. */
function fits(routine: Routine, given: readonly string[], mayBeUnnamed: boolean): boolean {
  const known = new Map(routine.parameters.map((parameter) => [parameter.name, parameter]));
  return (
    given.every((name) => (name !== '' || mayBeUnnamed) && known.has(name)) &&
    routine.parameters.every((parameter) => !parameter.required || given.includes(parameter.name))
  );
}

function takesBody(routine: Routine, payload: Payload | undefined): boolean {
  const [parameter, another] = routine.parameters;
  if (payload === undefined || parameter === undefined || another !== undefined) return false;
  if (parameter.name !== '') return false;
  switch (payload.kind) {
    case 'json':
      return !payload.fromCsv && (parameter.type === 'json' || parameter.type === 'jsonb');
    case 'raw':
      return parameter.type === payload.type;
    case 'form':
      return false;
  }
}

function signature(routine: Routine): string {
  const parameters = routine.parameters.map(({ name, type }) => `${name} => ${type}`).join(', ');
  return `${routine.schema}.${routine.name}(${parameters})`;
}

function explainMissing(
  cache: SchemaCache,
  schema: string,
  name: string,
  argumentNames: readonly string[],
  payload: Payload | undefined,
  overloads: readonly Routine[],
) {
  const called = `${schema}.${name}`;
  if (payload?.kind === 'raw')
    return restError.noFunction(
      `Could not find the function ${called} in the schema cache`,
      `Searched for the function ${called} with a single unnamed ${payload.type} parameter, but no matches were found in the schema cache.`,
      null,
    );
  const names = [...argumentNames].sort();
  const shown = names.length === 0 ? ' without parameters' : `(${names.join(', ')})`;
  const searched =
    names.length === 0
      ? ' without parameters'
      : ` with parameter${names.length > 1 ? 's' : ''} ${names.join(', ')}`;
  const orBody =
    payload?.kind !== 'json' || payload.fromCsv ? '' : ' or with a single unnamed json/jsonb parameter';
  return restError.noFunction(
    `Could not find the function ${called}${shown} in the schema cache`,
    `Searched for the function ${called}${searched}${orBody}, but no matches were found in the schema cache.`,
    suggest(cache, schema, name, names, overloads),
  );
}

function suggest(
  cache: SchemaCache,
  schema: string,
  name: string,
  names: readonly string[],
  overloads: readonly Routine[],
): string | null {
  const list = (all: readonly string[]) => `(${[...all].sort().join(', ')})`;
  const nearest =
    overloads.length === 0
      ? findClosestName(name, functionNames(cache, schema), NEAR)
      : findClosestName(
          list(names),
          overloads.map((routine) => list(routine.parameters.map((parameter) => parameter.name))),
          NEAR_PARAMETERS,
        );
  if (nearest === undefined) return null;
  return `Perhaps you meant to call the function ${schema}.${overloads.length === 0 ? nearest : name + nearest}`;
}

function functionNames(cache: SchemaCache, schema: string): readonly string[] {
  return [...cache.functions.values()].flatMap(([routine]) =>
    routine?.schema === schema ? [routine.name] : [],
  );
}
