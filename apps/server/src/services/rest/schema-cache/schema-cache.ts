import type { DomainCasts, Forms } from './forms.ts';

/** What the service knows of the exposed schemas. Built once per reload, never changed afterwards. */
export type SchemaCache = {
  /** Grows with each reload: names of prepared statements carry it, so none outlives the schema it was made for. */
  readonly version: number;
  readonly relations: ReadonlyMap<string, Relation>;
  readonly relationships: ReadonlyMap<string, readonly Relationship[]>;
  /** Of each relation, the functions from one of its rows to one value, by name. */
  readonly computedColumns: ReadonlyMap<string, ReadonlyMap<string, ComputedColumn>>;
  /** Overloads under one name. */
  readonly functions: ReadonlyMap<string, readonly Routine[]>;
  readonly forms: Forms;
};

export type Column = {
  readonly name: string;
  /** As `format_type` writes it, fit for a cast. */
  readonly type: string;
  /** What a domain is made of: operators are chosen by it. Absent for what is no domain. */
  readonly baseType?: string;
  readonly nullable: boolean;
  /** How a domain is written and read, where its casts say so. */
  readonly casts?: DomainCasts;
  /** SQL expression from the catalogue; undefined for none, and for generated columns. */
  readonly defaultExpression: string | undefined;
};

export type Relation = {
  readonly schema: string;
  readonly name: string;
  readonly isView: boolean;
  /** Policies, or those of tables behind a view, may keep rows from a caller. */
  readonly hidesRows: boolean;
  readonly columns: ReadonlyMap<string, Column>;
  readonly primaryKey: readonly string[];
  readonly comment: string | undefined;
};

/** Pairs of column names: the origin's, then the target's (or the junction's). */
export type ColumnPairs = readonly (readonly [string, string])[];

export type Cardinality = 'many-to-one' | 'one-to-many' | 'one-to-one' | 'many-to-many';

export type ForeignKeyRelationship = {
  readonly kind: Exclude<Cardinality, 'many-to-many'>;
  readonly origin: QualifiedName;
  readonly target: QualifiedName;
  readonly constraint: string;
  readonly columns: ColumnPairs;
};

export type JunctionRelationship = {
  readonly kind: 'many-to-many';
  readonly origin: QualifiedName;
  readonly target: QualifiedName;
  readonly junction: QualifiedName;
  readonly originConstraint: string;
  readonly targetConstraint: string;
  readonly originColumns: ColumnPairs;
  readonly targetColumns: ColumnPairs;
};

/** A function from a row of the origin to rows of the target. */
export type ComputedRelationship = {
  readonly kind: 'computed';
  readonly origin: QualifiedName;
  readonly target: QualifiedName;
  readonly function: QualifiedName;
  readonly toOne: boolean;
};

export type Relationship = ForeignKeyRelationship | JunctionRelationship | ComputedRelationship;

export type QualifiedName = { readonly schema: string; readonly name: string };

/** A function from a row of the relation to one value, whose type operators are chosen by. */
export type ComputedColumn = QualifiedName & { readonly relation: QualifiedName; readonly type?: string };

export type Parameter = {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly variadic: boolean;
};

export type Routine = {
  readonly schema: string;
  readonly name: string;
  readonly parameters: readonly Parameter[];
  /** `row`: columns (a composite, a TABLE or OUT parameters); `value`: one value without columns. */
  readonly returns: 'void' | 'value' | 'row';
  readonly returnsSet: boolean;
  /** The relation whose rows it returns, so that its result can embed others. */
  readonly returnsRelation: QualifiedName | undefined;
  readonly volatility: 'immutable' | 'stable' | 'volatile';
  readonly comment: string | undefined;
};

/** The key of the cache's maps. */
export function keyOf(schema: string, name: string): string {
  return `${schema}\0${name}`;
}

export function isToOne(relationship: Relationship): boolean {
  if (relationship.kind === 'computed') return relationship.toOne;
  return relationship.kind === 'many-to-one' || relationship.kind === 'one-to-one';
}
