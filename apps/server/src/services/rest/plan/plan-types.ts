import type { MediaType, Preferences } from '../parse/parse-accept.ts';
import type { Payload } from '../parse/parse-payload.ts';
import type { RowRange } from '../parse/parse-range.ts';
import type { AggregateName, JsonStep, Operation, ParsedQuery } from '../parse/request-ast.ts';
import type {
  Column,
  ComputedColumn,
  QualifiedName,
  Relation,
  Routine,
} from '../schema-cache/schema-cache.ts';

/** A field with the type that the schema cache knows for its column; undefined for what only Postgres can resolve. */
export type PlannedField = {
  readonly name: string;
  readonly path: readonly JsonStep[];
  readonly type: string | undefined;
  /** The function that computes it from the row. */
  readonly computedBy: ComputedColumn | undefined;
  /** The function that reads what it is compared with. */
  readonly readBy?: QualifiedName;
  /** The function that writes it into an answer. */
  readonly writtenBy?: QualifiedName;
};

export type PlannedSelect = {
  readonly field: PlannedField;
  readonly alias: string | undefined;
  readonly cast: string | undefined;
  readonly aggregate: Aggregate | undefined;
  /** Instead of a field: something that is not null, to count rows by. */
  readonly marksRow?: boolean;
};

export type Aggregate = { readonly name: AggregateName; readonly cast: string | undefined };

/** A field that a spread brings to its parent, which may take an aggregate of it. */
export type SpreadField = {
  readonly name: string;
  readonly aggregate: Aggregate | undefined;
  /** Of the type json, which has no equality to group by. */
  readonly isJson: boolean;
};

export type PlannedLogic =
  | {
      readonly kind: 'filter';
      readonly field: PlannedField;
      readonly negated: boolean;
      readonly operation: Operation;
    }
  /** `rel=is.null` and `rel=not.is.null`: whether the embed found any row. */
  | { readonly kind: 'embed-exists'; readonly embedAlias: string; readonly negated: boolean }
  | {
      readonly kind: 'group';
      readonly operator: 'and' | 'or';
      readonly negated: boolean;
      readonly children: readonly PlannedLogic[];
    };

export type PlannedOrder = {
  /** Alias of the row that holds the field: the relation's own, or an embed's. */
  readonly owner: string;
  readonly field: PlannedField;
  readonly direction: 'asc' | 'desc' | undefined;
  readonly nulls: 'first' | 'last' | undefined;
};

export type ReadSource =
  | { readonly kind: 'relation'; readonly relation: QualifiedName }
  /** The rows that a mutation or a function call gave. */
  | { readonly kind: 'result' }
  | {
      readonly kind: 'computed';
      readonly function: QualifiedName;
      readonly argumentAlias: string;
      readonly argumentType: QualifiedName;
    };

export type JoinCondition = {
  readonly alias: string;
  readonly column: string;
  readonly otherAlias: string;
  readonly otherColumn: string;
};

export type ReadPlan = {
  readonly source: ReadSource;
  readonly alias: string;
  readonly junction: { readonly relation: QualifiedName; readonly alias: string } | undefined;
  readonly joins: readonly JoinCondition[];
  readonly select: readonly PlannedSelect[];
  readonly embeds: readonly EmbedPlan[];
  readonly where: readonly PlannedLogic[];
  readonly order: readonly PlannedOrder[];
  readonly limit: number | undefined;
  readonly offset: number;
};

export type EmbedPlan = {
  readonly read: ReadPlan;
  /** The name under which it appears in the answer. */
  readonly key: string;
  /** The alias of its lateral sub-query. */
  readonly alias: string;
  readonly inner: boolean;
  readonly toOne: boolean;
  readonly spread: boolean;
  readonly spreadFields: readonly SpreadField[];
  /** An embed that selects nothing only joins. */
  readonly visible: boolean;
  /** Columns of the parent that its join needs; undefined when it needs the whole row. */
  readonly parentColumns: readonly string[] | undefined;
};

/** What a request may cost at most, known before anything is asked of the database. */
export type Weight = {
  /**
   * Set where the answer could grow large, so that its bytes are summed up while it grows and not only measured at its end: among
   * how many embeds of several rows the bound is divided, at least one.
   */
  readonly boundedParts: number | undefined;
  /** Its execution may be long, whatever it answers. */
  readonly isCostly: boolean;
  /** It compares with regular expressions. */
  readonly hasPattern: boolean;
};

/** Conditions on the number of rows, checked before anything is committed. */
export type Expectation = {
  readonly singular: boolean;
  readonly maxAffected: number | undefined;
  /** PUT: the body must be the very row that the address names. */
  readonly matchesAddress: boolean;
};

export type ReadRequestPlan = {
  readonly kind: 'read';
  readonly read: ReadPlan;
  readonly media: MediaType;
  readonly count: Preferences['count'];
  readonly headersOnly: boolean;
  readonly singular: boolean;
  readonly maxRows: number;
  readonly weight: Weight;
};

export type Mutation =
  | {
      readonly kind: 'insert';
      readonly columns: readonly Column[];
      readonly payload: JsonPayload;
      readonly fillDefaults: boolean;
      readonly onConflict: { readonly merge: boolean; readonly columns: readonly string[] } | undefined;
      /** PUT: the address's primary key, which the body must hold too. */
      readonly bodyFilters: readonly PlannedLogic[];
    }
  | {
      readonly kind: 'update';
      readonly columns: readonly Column[];
      readonly payload: JsonPayload;
      readonly fillDefaults: boolean;
      readonly where: readonly PlannedLogic[];
    }
  | { readonly kind: 'delete'; readonly where: readonly PlannedLogic[] };

export type JsonPayload = Extract<Payload, { readonly kind: 'json' }>;

export type MutationPlan = {
  readonly kind: 'mutation';
  readonly mutation: Mutation;
  readonly relation: Relation;
  /** Columns given back; empty for none, `*` alone for all. */
  readonly returning: readonly PlannedField[];
  /** Shapes the rows given back; undefined when nobody asked for them. */
  readonly read: ReadPlan | undefined;
  /** The new row's address is asked for. */
  readonly location: boolean;
  readonly media: MediaType;
  readonly expectation: Expectation;
  readonly weight: Weight;
};

export type CallArguments =
  | { readonly kind: 'none' }
  /** Of a list of objects the first one counts. */
  | {
      readonly kind: 'json';
      readonly text: string;
      readonly isArray: boolean;
      readonly names: readonly string[];
    }
  | { readonly kind: 'pairs'; readonly pairs: readonly (readonly [string, string | readonly string[]])[] }
  | { readonly kind: 'single'; readonly type: string; readonly value: string | Buffer };

export type CallPlan = {
  readonly kind: 'call';
  readonly routine: Routine;
  readonly arguments: CallArguments;
  readonly read: ReadPlan;
  readonly readOnly: boolean;
  readonly media: MediaType;
  readonly count: Preferences['count'];
  readonly headersOnly: boolean;
  readonly expectation: Expectation;
  readonly weight: Weight;
};

export type Plan =
  | ReadRequestPlan
  | MutationPlan
  | CallPlan
  | { readonly kind: 'options'; readonly allow: string }
  | { readonly kind: 'description'; readonly headersOnly: boolean };

/** The root's `limit` and `offset`. */
export function readRange(query: ParsedQuery): RowRange {
  return {
    offset: query.offsets.findLast(({ path }) => path.length === 0)?.value ?? 0,
    limit: query.limits.findLast(({ path }) => path.length === 0)?.value,
  };
}
