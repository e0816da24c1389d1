import type { Relation } from '../schema-cache/schema-cache.ts';
import { planField, type RowShape } from './plan-field.ts';
import type { PlannedSelect } from './plan-types.ts';

/**
 * Lets the domains' own casts write what is answered: `*` becomes its columns where one of them has such a cast. A cast that the client
 * asks for is of what they wrote; what is counted or summed up stays as it is stored.
 */
export function representFields(
  select: readonly PlannedSelect[],
  { relation, computed }: RowShape,
): readonly PlannedSelect[] {
  if (relation === undefined || !hasCasts(relation)) return select;
  if (select.some(({ aggregate }) => aggregate !== undefined)) return select;
  return select
    .flatMap((item) =>
      item.field.name === '*'
        ? [...relation.columns.keys()].map((name) => ({
            ...item,
            field: planField({ name, path: [] }, { relation, computed }),
          }))
        : [item],
    )
    .map((item) => represent(item, relation));
}

function hasCasts({ columns }: Relation): boolean {
  return [...columns.values()].some(({ casts }) => casts?.toJson !== undefined);
}

/** A function would name its column after itself. */
function represent(item: PlannedSelect, { columns }: Relation): PlannedSelect {
  const { field, alias = field.name } = item;
  const writtenBy = columns.get(field.name)?.casts?.toJson;
  if (writtenBy === undefined || field.path.length > 0) return item;
  return { ...item, alias, field: { ...field, writtenBy } };
}
