import { fail, type Outcome, ok } from '../outcome.ts';
import type { FieldItem } from '../parse/request-ast.ts';
import { restError } from '../rest-error.ts';
import type { Relation } from '../schema-cache/schema-cache.ts';
import { planField, type RowShape } from './plan-field.ts';
import type { PlannedSelect, ReadPlan } from './plan-types.ts';

/** Resolves the fields that a resource is asked for. @param aggregates whether aggregate functions are allowed. */
export function planSelect(
  fields: readonly FieldItem[],
  row: RowShape,
  aggregates: boolean,
): Outcome<readonly PlannedSelect[]> {
  if (!aggregates && fields.some((item) => item.aggregate !== undefined))
    return fail(restError.aggregatesOff());
  return ok(
    fields.map(({ field, alias, cast, aggregate }) => ({
      field: planField(field, row),
      alias: alias ?? (aggregate === undefined ? lastKey(field.name, field.path) : undefined),
      cast,
      aggregate,
    })),
  );
}

/** `data->a->>b` appears as `b`, `data->tags->0` as `tags`, `data->0` as `data`. */
function lastKey(name: string, path: FieldItem['field']['path']): string | undefined {
  if (path.length === 0) return undefined;
  return path.findLast((step) => !step.isIndex)?.key ?? name;
}

/** The names under which a spread embed's fields appear in its parent. */
export function listSpreadNames(plan: ReadPlan, relation: Relation | undefined): readonly string[] {
  const own = plan.select.flatMap(({ field, alias, aggregate }) => {
    if (field.name === '*' && aggregate === undefined) return [...(relation?.columns.keys() ?? [])];
    return [alias ?? aggregate?.name ?? field.name];
  });
  const embedded = plan.embeds.flatMap((embed) => {
    if (!embed.visible) return [];
    return embed.spread ? embed.spreadNames : [embed.key];
  });
  return [...own, ...embedded];
}
