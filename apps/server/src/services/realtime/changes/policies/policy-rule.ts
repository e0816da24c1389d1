/**
 * A policy as far as it can be decided without the database. Three-valued like SQL (null: unknown to SQL); `undecided` is
 * whatever only the database can answer.
 */
export type PolicyRule =
  | { readonly kind: 'constant'; readonly value: boolean }
  /** The column equals the caller's id, or their address in lower case. */
  | { readonly kind: 'is_caller'; readonly column: string; readonly what: 'id' | 'email' }
  /** The column equals one of a list that depends on the caller alone: `column = any ((select function())::type[])`. */
  | { readonly kind: 'in_set'; readonly column: string; readonly set: CallerSet }
  /** A yes or no that depends on the caller alone, `(select function())`: a list of one word, 'true' or 'false'. */
  | { readonly kind: 'is_allowed'; readonly set: CallerSet }
  | { readonly kind: 'not'; readonly rule: PolicyRule }
  | { readonly kind: 'and' | 'or'; readonly rules: readonly PolicyRule[] }
  | {
      readonly kind: 'case';
      readonly branches: readonly { readonly when: PolicyRule; readonly result: PolicyRule }[];
      readonly otherwise: PolicyRule;
    }
  | { readonly kind: 'undecided' };

/** A function without arguments that answers a list, and the type of what is in it; or one that answers yes or no. */
export type CallerSet = {
  readonly schema: string;
  readonly name: string;
  readonly type: 'uuid' | 'text';
  /** The call as SQL, with its cast. */
  readonly expression: string;
};

/** Values as texts; null among them where the list holds one. Null: there is no list. */
export type SetMembers = ReadonlySet<string | null> | null;

export const UNDECIDED: PolicyRule = { kind: 'undecided' };
