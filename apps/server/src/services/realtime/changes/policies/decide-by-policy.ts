import type { PolicyRule } from './policy-rule.ts';

/** As SQL answers; undefined: only the database can say. */
export type Verdict = boolean | null | undefined;

/** What a rule may ask for; undefined: not known here. */
export type PolicyFacts = {
  readonly caller: { readonly id: string | null | undefined; readonly email: string | null | undefined };
  valueOf(column: string): string | null | undefined;
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
