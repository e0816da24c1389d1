/** One `->` or `->>` step of a JSON path. */
export type JsonStep = {
  readonly asText: boolean;
  readonly key: string;
  readonly isIndex: boolean;
};

/** A column, or a place inside a JSON column. */
export type Field = { readonly name: string; readonly path: readonly JsonStep[] };

export type AggregateName = 'avg' | 'count' | 'max' | 'min' | 'sum';

export type FieldItem = {
  readonly kind: 'field';
  readonly field: Field;
  readonly alias: string | undefined;
  readonly cast: string | undefined;
  readonly aggregate: { readonly name: AggregateName; readonly cast: string | undefined } | undefined;
};

export type EmbedItem = {
  readonly kind: 'embed';
  readonly name: string;
  readonly alias: string | undefined;
  readonly hint: string | undefined;
  readonly join: 'inner' | 'left' | undefined;
  readonly spread: boolean;
  readonly items: readonly SelectItem[];
};

export type SelectItem = FieldItem | EmbedItem;

export type CompareOperator =
  | 'eq'
  | 'neq'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'like'
  | 'ilike'
  | 'match'
  | 'imatch'
  | 'cs'
  | 'cd'
  | 'ov'
  | 'sl'
  | 'sr'
  | 'nxl'
  | 'nxr'
  | 'adj';

export type TextSearchOperator = 'fts' | 'plfts' | 'phfts' | 'wfts';

export type IsValue = 'null' | 'not_null' | 'true' | 'false' | 'unknown';

export type Operation =
  | {
      readonly kind: 'compare';
      readonly operator: CompareOperator;
      readonly quantifier: 'any' | 'all' | undefined;
      readonly value: string;
    }
  | { readonly kind: 'in'; readonly values: readonly string[] }
  | { readonly kind: 'is'; readonly value: IsValue }
  | { readonly kind: 'isdistinct'; readonly value: string }
  | {
      readonly kind: 'search';
      readonly operator: TextSearchOperator;
      readonly language: string | undefined;
      readonly value: string;
    };

export type Filter = {
  readonly kind: 'filter';
  readonly field: Field;
  readonly negated: boolean;
  readonly operation: Operation;
};

export type LogicTree =
  | Filter
  | {
      readonly kind: 'group';
      readonly operator: 'and' | 'or';
      readonly negated: boolean;
      readonly children: readonly LogicTree[];
    };

export type OrderTerm = {
  /** The embedded to-one resource that the field belongs to, as in `order=categories(name)`. */
  readonly relation: string | undefined;
  readonly field: Field;
  readonly direction: 'asc' | 'desc' | undefined;
  readonly nulls: 'first' | 'last' | undefined;
};

/** Something said of the resource at the end of a path of embeds; the empty path is the root. */
export type AtPath<T> = { readonly path: readonly string[]; readonly value: T };

export type ParsedQuery = {
  readonly select: readonly SelectItem[];
  readonly logic: readonly AtPath<LogicTree>[];
  readonly order: readonly AtPath<readonly OrderTerm[]>[];
  readonly limits: readonly AtPath<number>[];
  readonly offsets: readonly AtPath<number>[];
  readonly columns: readonly string[] | undefined;
  readonly onConflict: readonly string[] | undefined;
  /** Arguments of a function called by GET, in the order given. */
  readonly callArguments: readonly (readonly [string, string])[];
};
