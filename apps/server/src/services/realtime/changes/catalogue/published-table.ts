import type { CallerRole } from '../../../../kernel/caller-context.ts';

/** A column as the catalogue describes it. Types by oid and by name; `base` is the type below a domain, else the type itself. */
export type PublishedColumn = {
  readonly name: string;
  readonly typeName: string;
  readonly baseOid: number;
  /** The type in SQL, qualified, without modifiers: `character varying`, `public.mood`. */
  readonly sqlType: string;
  readonly isEnum: boolean;
  /** What an array's elements are; null for anything else. */
  readonly elementOid: number | null;
  readonly delimiter: string;
  /** Equal as text is equal: false for a collation that says otherwise. */
  readonly isDeterministic: boolean;
};

/** What a role may read of a table. */
export type RoleRights = {
  readonly hasUsage: boolean;
  readonly selectable: readonly string[];
  /** Whether row-level security sorts out rows for this role. */
  readonly isFiltered: boolean;
  /** The policies for SELECT that apply to the role, as SQL. */
  readonly permissive: readonly string[];
  readonly restrictive: readonly string[];
};

export type PublishedTable = {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly PublishedColumn[];
  readonly primaryKey: readonly string[];
  /** The columns that policies of the table read. */
  readonly policyColumns: readonly string[];
  readonly roles: Readonly<Record<CallerRole, RoleRights>>;
};

/** What is published at one time. Another object only where something has changed. */
export type Publication = {
  readonly tables: readonly PublishedTable[];
  readonly byOid: ReadonlyMap<number, PublishedTable>;
};
