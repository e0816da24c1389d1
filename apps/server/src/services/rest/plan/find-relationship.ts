import { fail, type Outcome, ok, restError } from '../rest-error.ts';
import { keyOf, type Relation, type Relationship, type SchemaCache } from '../schema-cache/schema-cache.ts';
import { findClosestName } from './find-closest-name.ts';

/** The score below which a relation's name is no help: fuzzy search's usual floor. */
const FAR = 0.33;

/**
 * Finds the one way from `origin` to what the request calls `target`: a relation, a foreign key's name, or the origin's
 * foreign key column; the hint (foreign key, column or junction) chooses between several.
 */
export function findRelationship(
  cache: SchemaCache,
  schema: string,
  origin: string,
  target: string,
  hint: string | undefined,
): Outcome<Relationship> {
  const known = cache.relationships.get(keyOf(schema, origin)) ?? [];
  const candidates = known.filter((candidate) => candidate.target.schema === schema);
  const matching = candidates.filter((candidate) => matches(candidate, target, hint, cache));
  // A function of the target's name is written to replace what the foreign keys say.
  const computed = matching.filter((candidate) => candidate.kind === 'computed');
  const fits = computed.length > 0 ? computed : matching;
  const [found, another] = fits;
  if (found === undefined)
    return fail(
      restError.noRelationship(origin, target, hint, schema, suggest(cache, schema, origin, target)),
    );
  if (another !== undefined)
    return fail(
      restError.ambiguousRelationship(
        origin,
        target,
        fits.map(describe),
        fits.map((fit) => `'${fit.target.name}!${hintOf(fit)}'`).join(', '),
      ),
    );
  return ok(found);
}

function matches(
  candidate: Relationship,
  target: string,
  hint: string | undefined,
  cache: SchemaCache,
): boolean {
  if (candidate.kind === 'computed') return candidate.function.name === target;
  const namesTarget = candidate.target.name === target;
  if (isSelf(candidate)) return matchesSelf(candidate, namesTarget, target, hint);
  if (hint === undefined)
    return namesTarget || (!isView(cache.relations, candidate) && matchesKey(candidate, target));
  if (!namesTarget) return false;
  if (candidate.kind === 'many-to-many') return candidate.junction.name === hint;
  const column = onlyColumns(candidate);
  return candidate.constraint === hint || column?.[0] === hint || column?.[1] === hint;
}

/**
 * One foreign key from a table to itself is two ways with the same name: the table's name leads to the many, the
 * column's name to the one; `table!column` leads to the many of that column.
 */
function matchesSelf(
  candidate: Exclude<Relationship, { kind: 'computed' }>,
  namesTarget: boolean,
  target: string,
  hint: string | undefined,
): boolean {
  if (candidate.kind === 'many-to-many')
    return namesTarget && hint !== undefined && candidate.junction.name === hint;
  const column = onlyColumns(candidate);
  if (hint !== undefined)
    // Not the key's own name: it is that of both ways.
    return namesTarget && candidate.kind === 'one-to-many' && column?.[1] === hint;
  if (candidate.kind === 'one-to-many') return namesTarget;
  return candidate.kind === 'many-to-one' && column?.[0] === target;
}

function matchesKey(candidate: Relationship, target: string): boolean {
  if (candidate.kind === 'computed' || candidate.kind === 'many-to-many') return false;
  return candidate.constraint === target || onlyColumns(candidate)?.[0] === target;
}

/** A column's name stands for a foreign key only when the key has no other column. */
function onlyColumns(
  candidate: Exclude<Relationship, { kind: 'computed' | 'many-to-many' }>,
): readonly [string, string] | undefined {
  return candidate.columns.length === 1 ? candidate.columns[0] : undefined;
}

function isSelf(candidate: Relationship): boolean {
  return (
    candidate.origin.schema === candidate.target.schema && candidate.origin.name === candidate.target.name
  );
}

function isView(relations: ReadonlyMap<string, Relation>, { target }: Relationship): boolean {
  return relations.get(keyOf(target.schema, target.name))?.isView ?? false;
}

function suggest(cache: SchemaCache, schema: string, origin: string, target: string): string | null {
  const from = cache.relationships.get(keyOf(schema, origin));
  if (from === undefined) {
    if (cache.relations.has(keyOf(schema, origin))) return null;
    const origins = [...cache.relationships.values()].flatMap((all) =>
      all[0]?.origin.schema === schema ? [all[0].origin.name] : [],
    );
    const nearest = findClosestName(origin, origins, FAR);
    return nearest === undefined ? null : `Perhaps you meant '${nearest}' instead of '${origin}'.`;
  }
  const targets = from.map((relationship) => relationship.target.name);
  if (targets.includes(target)) return null;
  const nearest = findClosestName(target, targets, FAR);
  return nearest === undefined ? null : `Perhaps you meant '${nearest}' instead of '${target}'.`;
}

function hintOf(relationship: Relationship): string {
  if (relationship.kind === 'computed') return relationship.function.name;
  if (relationship.kind === 'many-to-many') return relationship.junction.name;
  return relationship.constraint;
}

function describe(relationship: Relationship): unknown {
  const { origin, target } = relationship;
  const embedding = `${origin.name} with ${target.name}`;
  if (relationship.kind === 'computed') return { embedding };
  if (relationship.kind === 'many-to-many') {
    const { junction, originConstraint, targetConstraint, originColumns, targetColumns } = relationship;
    return {
      cardinality: relationship.kind,
      embedding,
      relationship: `${junction.name} using ${originConstraint}${list(originColumns, 1)} and ${targetConstraint}${list(targetColumns, 1)}`,
    };
  }
  const { constraint, columns } = relationship;
  return {
    cardinality: relationship.kind,
    embedding,
    relationship: `${constraint} using ${origin.name}${list(columns, 0)} and ${target.name}${list(columns, 1)}`,
  };
}

function list(columns: readonly (readonly [string, string])[], side: 0 | 1): string {
  return `(${columns.map((pair) => pair[side]).join(', ')})`;
}
