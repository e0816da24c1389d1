import type { BoundTable } from '../catalogue/bound-table.ts';
import type { RoleRights } from '../catalogue/publication.ts';
import { decideByPolicy } from './decide-by-policy.ts';
import { parsePolicy } from './parse-policy.ts';
import { type PolicyList, type PolicyRule, type RowRule, UNDECIDED } from './policy-rule.ts';

const TEXT = 25;
const UUID = 2950;
const OPEN: RowRule = { isOpen: true, condition: 'true', columns: [], lists: [], decide: () => true };

/** Joins the policies as Postgres does: one permissive policy must admit the row, and every restrictive one. */
export function createRowRule(table: BoundTable, rights: RoleRights): RowRule {
  if (!rights.hasUsage) return { ...OPEN, isOpen: false, condition: 'false', decide: () => false };
  if (!rights.isFiltered) return OPEN;
  const { permissive, restrictive } = rights;
  const rule: PolicyRule = {
    kind: 'and',
    rules: [
      { kind: 'or', rules: permissive.map((policy) => readPolicy(table, policy)) },
      ...restrictive.map((policy) => readPolicy(table, policy)),
    ],
  };
  const admitting =
    permissive.length === 0 ? 'false' : permissive.map((policy) => `(${policy})`).join(' or ');
  const condition = [`(${admitting})`, ...restrictive.map((policy) => `(${policy})`)].join(' and ');
  // The catalogue does not note which columns are read by a policy that takes the row as a whole.
  const readsWhole = [...permissive, ...restrictive].some((policy) => policy.includes('.*'));
  return {
    isOpen: false,
    condition,
    columns: readsWhole ? null : table.published.policyColumns,
    lists: collectLists(rule),
    decide(row, viewer, listOf) {
      const verdict = decideByPolicy(rule, {
        caller: viewer,
        valueOf: (column) => table.valueOf(row, column),
        listOf,
      });
      return verdict === undefined ? undefined : verdict === true;
    },
  };
}

/** Values are compared as text, so the shape counts only for types whose text says whether they are equal. */
function readPolicy(table: BoundTable, expression: string): PolicyRule {
  return checkTypes(parsePolicy(expression));

  function checkTypes(rule: PolicyRule): PolicyRule {
    switch (rule.kind) {
      case 'is_caller': {
        const column = table.byName.get(rule.column);
        const isComparable =
          column !== undefined &&
          column.baseOid === (rule.what === 'id' ? UUID : TEXT) &&
          column.isDeterministic;
        return isComparable ? rule : UNDECIDED;
      }
      case 'in_list': {
        const column = table.byName.get(rule.column);
        const type = rule.list.type === 'uuid' ? UUID : TEXT;
        return column?.baseOid === type && column.isDeterministic ? rule : UNDECIDED;
      }
      case 'not':
        return { ...rule, rule: checkTypes(rule.rule) };
      case 'and':
      case 'or':
        return { ...rule, rules: rule.rules.map(checkTypes) };
      case 'case':
        return {
          ...rule,
          branches: rule.branches.map(({ when, result }) => ({
            when: checkTypes(when),
            result: checkTypes(result),
          })),
          otherwise: checkTypes(rule.otherwise),
        };
      default:
        return rule;
    }
  }
}

function collectLists(rule: PolicyRule): readonly PolicyList[] {
  switch (rule.kind) {
    case 'in_list':
    case 'is_allowed':
      return [rule.list];
    case 'not':
      return collectLists(rule.rule);
    case 'and':
    case 'or':
      return rule.rules.flatMap(collectLists);
    case 'case':
      return [...rule.branches.flatMap(({ when, result }) => [when, result]), rule.otherwise].flatMap(
        collectLists,
      );
    default:
      return [];
  }
}
