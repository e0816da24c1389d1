import type { DatabaseTable } from './read-catalogue.ts';

/** Which migrations a database has, by what they are recorded under, in their order. */
export type AppliedVersions = { readonly platform: readonly string[]; readonly product: readonly string[] };

/** First in a backup: what it needs to be restored. */
export type Manifest = {
  readonly programVersion: string;
  readonly postgresVersion: string;
  readonly createdAt: string;
  readonly migrations: AppliedVersions;
  readonly tables: readonly Pick<DatabaseTable, 'schema' | 'name' | 'columns'>[];
  /** What the database has beside that and the backup has not, for people. */
  readonly leftOut: readonly string[];
};

/** Last in a backup: what there must be when it is restored. */
export type Totals = {
  /** Rows by `schema.table`. */
  readonly rows: Readonly<Record<string, number>>;
  readonly files: number;
  readonly fileBytes: number;
  /** Files whose bytes were nowhere when the backup was made. */
  readonly lostFiles: readonly string[];
};

/** The name under which rows are counted. */
export function nameTable({ schema, name }: Pick<DatabaseTable, 'schema' | 'name'>): string {
  return `${schema}.${name}`;
}
