/**
 * A policy as far as it can be decided without the database. Three-valued like SQL (null: unknown to SQL); `undecided` is
 * whatever only the database can answer.
 */
export type PolicyRule =
  | { readonly kind: 'constant'; readonly value: boolean }
  /** The column equals the caller's id, or their address in lower case. */
  | { readonly kind: 'is_caller'; readonly column: string; readonly what: 'id' | 'email' }
  | { readonly kind: 'not'; readonly rule: PolicyRule }
  | { readonly kind: 'and' | 'or'; readonly rules: readonly PolicyRule[] }
  | {
      readonly kind: 'case';
      readonly branches: readonly { readonly when: PolicyRule; readonly result: PolicyRule }[];
      readonly otherwise: PolicyRule;
    }
  | { readonly kind: 'undecided' };

export const UNDECIDED: PolicyRule = { kind: 'undecided' };
