import { fail, type Outcome, ok, restError } from '../rest-error.ts';
import type { Relation } from '../schema-cache/schema-cache.ts';
import type { EmbedPlan, PlannedSelect, ReadPlan, SpreadField } from './plan-types.ts';

export type SpreadRead = { readonly read: ReadPlan; readonly spreadFields: readonly SpreadField[] };

/**
 * What a spread embed brings to its parent. An aggregate over one row says nothing: those of a to-one spread are taken by the
 * first resource above that is no such spread itself, over what its rows have in common.
 */
export function spreadRead(
  read: ReadPlan,
  relation: Relation | undefined,
  toOne: boolean,
): Outcome<SpreadRead> {
  const spreadFields = listSpreadFields(read, relation);
  if (!spreadFields.some(({ aggregate }) => aggregate !== undefined)) return ok({ read, spreadFields });
  if (!toOne) return fail(restError.aggregateOfSpread());
  return ok({
    read: { ...read, select: read.select.map(toPlain), embeds: read.embeds.map(leaveAggregates) },
    spreadFields,
  });
}

/** The field itself, under the name of its aggregate. Of `count()` it is a mark, which is null where there is no row. */
function toPlain(item: PlannedSelect): PlannedSelect {
  const { aggregate, field, alias } = item;
  if (aggregate === undefined) return item;
  return {
    ...item,
    alias: alias ?? aggregate.name,
    aggregate: undefined,
    marksRow: field.name === '*' && field.path.length === 0,
  };
}

function leaveAggregates(embed: EmbedPlan): EmbedPlan {
  return {
    ...embed,
    spreadFields: embed.spreadFields.map((field) => ({ ...field, aggregate: undefined })),
  };
}

/** The fields of a spread embed by the names that they have in its parent. */
function listSpreadFields(read: ReadPlan, relation: Relation | undefined): readonly SpreadField[] {
  const own = read.select.flatMap((item): readonly SpreadField[] => {
    const { field, alias, aggregate } = item;
    if (field.name === '*' && aggregate === undefined)
      return [...(relation?.columns.values() ?? [])].map(({ name, type }) => ({
        name,
        aggregate: undefined,
        isJson: type === 'json',
      }));
    return [{ name: alias ?? aggregate?.name ?? field.name, aggregate, isJson: isJson(item) }];
  });
  const embedded = read.embeds.flatMap((embed): readonly SpreadField[] => {
    if (!embed.visible) return [];
    return embed.spread
      ? embed.spreadFields.map((field) => ({ ...field, isJson: field.isJson || !embed.toOne }))
      : [{ name: embed.key, aggregate: undefined, isJson: true }];
  });
  return [...own, ...embedded];
}

function isJson({ field, cast }: PlannedSelect): boolean {
  if (field.writtenBy !== undefined) return true;
  return cast === undefined && field.type === 'json' && field.path.at(-1)?.asText !== true;
}
