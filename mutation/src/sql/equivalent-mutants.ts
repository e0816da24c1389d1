/** A mutant that nothing can tell from what it was made of, or that differs in nothing anybody is promised. */
export type EquivalentMutant = {
  readonly object: string;
  /** What was changed; missing means every mutant of the object. */
  readonly what?: string | RegExp;
  /** The line it is in; missing means any. */
  readonly line?: string;
  readonly why: string;
};

export const EQUIVALENT_MUTANTS: readonly EquivalentMutant[] = [];
