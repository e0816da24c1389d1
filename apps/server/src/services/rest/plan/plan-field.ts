import type { Field, LogicTree, Operation } from '../parse/request-ast.ts';
import { fail, type Outcome, ok, restError } from '../rest-error.ts';
import type { ComputedColumn, Relation } from '../schema-cache/schema-cache.ts';
import type { EmbedPlan, PlannedField, PlannedLogic } from './plan-types.ts';

/**
 * Gives a field the type of its column. A name that is no column stays: it may be a computed column, and when it is
 * nothing at all Postgres says so (42703).
 */
export function planField(field: Field, row: RowShape): PlannedField {
  const { name, path } = field;
  const column = row.relation?.columns.get(name);
  if (column !== undefined) {
    const readBy = path.length === 0 ? column.casts?.fromText : undefined;
    const planned = { name, path, type: column.baseType ?? column.type, computedBy: undefined };
    return readBy === undefined ? planned : { ...planned, readBy };
  }
  const computed = row.computed?.get(name);
  return { name, path, type: computed?.type, computedBy: computed };
}

/** What is known of the row that fields are asked of; nothing, for the rows of some functions. */
export type RowShape = {
  readonly relation: Relation | undefined;
  readonly computed: ReadonlyMap<string, ComputedColumn> | undefined;
};

export const UNKNOWN_ROW: RowShape = { relation: undefined, computed: undefined };

/** Resolves a logic tree's fields; `rel=is.null` becomes a question to the embed of that name. */
export function planLogic(
  tree: LogicTree,
  row: RowShape,
  embeds: readonly EmbedPlan[],
): Outcome<PlannedLogic> {
  if (tree.kind === 'group') {
    const children: PlannedLogic[] = [];
    for (const child of tree.children) {
      const planned = planLogic(child, row, embeds);
      if (!planned.ok) return planned;
      children.push(planned.value);
    }
    return ok({ ...tree, children });
  }
  const { field, negated, operation } = tree;
  const embed = findEmbed({ field, operation }, row, embeds);
  if (embed === undefined) {
    const fault = findCostOf(operation);
    if (fault !== undefined) return fail(restError.costlyPattern(fault));
    return ok({ kind: 'filter', field: planField(field, row), negated, operation });
  }
  if (operation.kind !== 'is' || (operation.value !== 'null' && operation.value !== 'not_null'))
    return fail(restError.embedOperator(field.name));
  const asksForRows = (operation.value === 'not_null') !== negated;
  return ok({ kind: 'embed-exists', embedAlias: embed.alias, negated: !asksForRows });
}

function findCostOf(operation: Operation): string | undefined {
  const isPattern =
    operation.kind === 'compare' && (operation.operator === 'match' || operation.operator === 'imatch');
  if (!isPattern) return undefined;
  // Postgres takes the backslashes of a list's own away before it reads the expressions.
  const isList = operation.quantifier !== undefined;
  return findPatternFault(isList ? operation.value.replace(/\\([\s\S])/g, '$1') : operation.value);
}

/** Of an embed that has a column's name, `is.null` asks the embed, and whatever else the column, as in PostgREST. */
function findEmbed(
  { field, operation }: { readonly field: Field; readonly operation: Operation },
  row: RowShape,
  embeds: readonly EmbedPlan[],
): EmbedPlan | undefined {
  if (embeds.length === 0 || field.path.length > 0) return undefined;
  const asksForNull = operation.kind === 'is' && operation.value === 'null';
  if (!asksForNull && row.relation?.columns.has(field.name)) return undefined;
  return embeds.find((embed) => embed.key === field.name);
}

/** Longer ones are no search but a program. */
const MAX_LENGTH = 200;
/** Repetitions multiply: each copy is a state of the automaton that Postgres builds. */
const MAX_REPETITIONS = 256;

/**
 * Why a regular expression may not run, or undefined when it may. Postgres matches without back-tracking, in a time that grows with
 * the text, unless an expression refers back to its own groups or looks around; and it builds an automaton as large as
 * the repetitions make it (PostgreSQL documentation, 9.7.3).
 */
function findPatternFault(pattern: string): string | undefined {
  if (pattern.length > MAX_LENGTH) return `at most ${MAX_LENGTH} characters`;
  if (/\\[1-9]/.test(pattern)) return 'no back-references';
  if (/\(\?(?!:)/.test(pattern)) return 'no look-around and no embedded options';
  if (pattern.includes('***')) return 'no director prefix';
  const repetitions = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].reduce(
    (product, [, least, most]) => product * Math.max(1, Number(least), Number(most ?? 0)),
    1,
  );
  return repetitions > MAX_REPETITIONS ? `at most ${MAX_REPETITIONS} repetitions in all` : undefined;
}
