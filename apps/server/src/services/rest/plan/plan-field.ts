import { fail, type Outcome, ok } from '../outcome.ts';
import type { Field, LogicTree } from '../parse/request-ast.ts';
import { restError } from '../rest-error.ts';
import type { Relation } from '../schema-cache/schema-cache.ts';
import type { EmbedPlan, PlannedField, PlannedLogic } from './plan-types.ts';

/**
 * Gives a field the type of its column. A name that is no column stays: it may be a computed column, and when it is
 * nothing at all Postgres says so (42703).
 */
export function planField(field: Field, relation: Relation | undefined): PlannedField {
  return { name: field.name, path: field.path, type: relation?.columns.get(field.name)?.type };
}

/** Resolves a logic tree's fields; `rel=is.null` becomes a question to the embed of that name. */
export function planLogic(
  tree: LogicTree,
  relation: Relation | undefined,
  embeds: readonly EmbedPlan[],
): Outcome<PlannedLogic> {
  if (tree.kind === 'group') {
    const children: PlannedLogic[] = [];
    for (const child of tree.children) {
      const planned = planLogic(child, relation, embeds);
      if (!planned.ok) return planned;
      children.push(planned.value);
    }
    return ok({ ...tree, children });
  }
  const { field, negated, operation } = tree;
  const embed = findEmbed(field, relation, embeds);
  if (embed === undefined)
    return ok({ kind: 'filter', field: planField(field, relation), negated, operation });
  if (operation.kind !== 'is' || (operation.value !== 'null' && operation.value !== 'not_null'))
    return fail(restError.embedOperator(field.name));
  const asksForRows = (operation.value === 'not_null') !== negated;
  return ok({ kind: 'embed-exists', embedAlias: embed.alias, negated: !asksForRows });
}

function findEmbed(
  field: Field,
  relation: Relation | undefined,
  embeds: readonly EmbedPlan[],
): EmbedPlan | undefined {
  if (embeds.length === 0 || field.path.length > 0 || relation?.columns.has(field.name)) return undefined;
  return embeds.find((embed) => !embed.spread && embed.key === field.name);
}
