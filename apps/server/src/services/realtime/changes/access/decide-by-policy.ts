import type { ListMembers, PolicyList, PolicyRule } from './policy-rule.ts';

/** As SQL answers; undefined: only the database can say. */
export type Verdict = boolean | null | undefined;

/** What a rule may ask for; undefined: not known here. */
export type PolicyFacts = {
  readonly caller: { readonly id: string | null | undefined; readonly email: string | null | undefined };
  valueOf(column: string): string | null | undefined;
  listOf(list: PolicyList): ListMembers | undefined;
};

/** Decides a rule about a row, by SQL's logic of three values. */
export function decideByPolicy(rule: PolicyRule, facts: PolicyFacts): Verdict {
  switch (rule.kind) {
    case 'constant':
      return rule.value;
    case 'undecided':
      return undefined;
    case 'is_caller': {
      const value = facts.valueOf(rule.column);
      const asked = facts.caller[rule.what];
      if (value === null || asked === null) return null;
      return value === undefined || asked === undefined ? undefined : value === asked;
    }
    case 'in_list':
      return isIn(facts.valueOf(rule.column), facts.listOf(rule.list));
    case 'is_allowed':
      return isIn('true', facts.listOf(rule.list));
    case 'not': {
      const verdict = decideByPolicy(rule.rule, facts);
      return typeof verdict === 'boolean' ? !verdict : verdict;
    }
    case 'and':
      return combine(rule.rules, facts, false);
    case 'or':
      return combine(rule.rules, facts, true);
    case 'case': {
      for (const { when, result } of rule.branches) {
        const verdict = decideByPolicy(when, facts);
        if (verdict === undefined) return undefined;
        if (verdict) return decideByPolicy(result, facts);
      }
      return decideByPolicy(rule.otherwise, facts);
    }
  }
}

/** `value = any (list)`: an empty list says no even to null. */
function isIn(value: string | null | undefined, members: ListMembers | undefined): Verdict {
  if (value === undefined || members === undefined) return undefined;
  if (members === null) return null;
  if (members.size === 0) return false;
  if (value === null) return null;
  if (members.has(value)) return true;
  return members.has(null) ? null : false;
}

/** One `decisive` part decides the whole; one that is open leaves it open; one that is null leaves it null. */
function combine(rules: readonly PolicyRule[], facts: PolicyFacts, decisive: boolean): Verdict {
  let verdict: Verdict = !decisive;
  for (const rule of rules) {
    const part = decideByPolicy(rule, facts);
    if (part === decisive) return decisive;
    if (part === undefined) verdict = undefined;
    else if (part === null && verdict !== undefined) verdict = null;
  }
  return verdict;
}
