import type { MigrationNames } from '@linkoteca/migrations/pending-migrations';
import type { DatabaseTable } from './read-catalogue.ts';

/** First in a backup: what it needs to be restored. */
export type Manifest = {
  readonly programVersion: string;
  readonly postgresVersion: string;
  readonly createdAt: string;
  readonly migrations: MigrationNames;
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
