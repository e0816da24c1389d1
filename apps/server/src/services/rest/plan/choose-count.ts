import type { Preferences } from '../parse/parse-preferences.ts';
import { keyOf, type QualifiedName, type SchemaCache } from '../schema-cache/schema-cache.ts';
import type { ReadPlan } from './plan-types.ts';

/**
 * How rows are counted. The planner's estimates come from statistics of everybody's rows: where policies hide some, an
 * estimate would tell a caller how many there are that they may not see, so those are counted instead.
 */
export function chooseCount(
  cache: SchemaCache,
  read: ReadPlan,
  wanted: Preferences['count'],
): Preferences['count'] {
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
