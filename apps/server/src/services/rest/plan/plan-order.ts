import { fail, type Outcome, ok } from '../outcome.ts';
import type { OrderTerm } from '../parse/request-ast.ts';
import { restError } from '../rest-error.ts';
import { planField, type RowShape, UNKNOWN_ROW } from './plan-field.ts';
import type { EmbedPlan, PlannedOrder } from './plan-types.ts';

/** Resolves the order of a resource: by its own fields, or by those of a to-one embed. */
export function planOrder(
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
