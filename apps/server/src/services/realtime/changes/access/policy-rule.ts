import type { RowText } from '../../feed/change-feed.ts';
import type { Viewer } from '../delivery/viewer.ts';

/** Which rows of a table a role sees. */
export type RowRule = {
  /** Row-level security sorts nothing out. */
  readonly isOpen: boolean;
  /** The policies as one SQL condition on the table's columns. */
  readonly condition: string;
  /** The columns that the condition reads; null when that cannot be told: any of them. */
  readonly columns: readonly string[] | null;
  /** The viewers' lists that may have to be known. */
  readonly lists: readonly PolicyList[];
  /**
   * @param listOf the viewer's lists; undefined for one that is not known.
   * @returns undefined when only the database can say.
   */
  decide(
    row: RowText,
    viewer: Viewer,
    listOf: (list: PolicyList) => ListMembers | undefined,
  ): boolean | undefined;
};

/**
 * A policy as far as it can be decided without the database. Three-valued like SQL (null: unknown to SQL); `undecided` is
 * whatever only the database can answer.
 */
export type PolicyRule =
  | { readonly kind: 'constant'; readonly value: boolean }
  /** The column equals the caller's id, or their address in lower case. */
  | { readonly kind: 'is_caller'; readonly column: string; readonly what: 'id' | 'email' }
  /** The column equals one of a list that depends on the caller alone: `column = any ((select function())::type[])`. */
  | { readonly kind: 'in_list'; readonly column: string; readonly list: PolicyList }
  /** A yes or no that depends on the caller alone, `(select function())`: a list of one word, 'true' or 'false'. */
  | { readonly kind: 'is_allowed'; readonly list: PolicyList }
  | { readonly kind: 'not'; readonly rule: PolicyRule }
  | { readonly kind: 'and' | 'or'; readonly rules: readonly PolicyRule[] }
  | {
      readonly kind: 'case';
      readonly branches: readonly { readonly when: PolicyRule; readonly result: PolicyRule }[];
      readonly otherwise: PolicyRule;
    }
  | { readonly kind: 'undecided' };

/** A function without arguments that answers a list, and the type of what is in it; or one that answers yes or no. */
export type PolicyList = {
  readonly schema: string;
  readonly name: string;
  readonly type: 'uuid' | 'text';
  /** The call as SQL, with its cast. */
  readonly expression: string;
};

/** Values as texts; null among them where the list holds one. Null: there is no list. */
export type ListMembers = ReadonlySet<string | null> | null;

export const UNDECIDED: PolicyRule = { kind: 'undecided' };
