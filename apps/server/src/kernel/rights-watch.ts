import { compareRights } from '@linkoteca/migrations/compare-rights';
import { findNewerMigration, type MigrationNames } from '@linkoteca/migrations/pending-migrations';
import pg from 'pg';
import type { Logger } from 'pino';
import { asServiceRole, type Database } from './database.ts';

export type RightsWatch = {
  /** Why nobody may be served: the first right that is not as the migrations make it, `extra` or `missing`. undefined while all are. */
  readonly difference: () => string | undefined;
  /** Compares now. */
  check(): Promise<void>;
  /** In how many milliseconds to compare again: sooner while something is wrong. */
  readonly againInMs: () => number;
};

export type RightsWatchOptions = {
  readonly db: Database;
  /** The migrations of this version, whose rights are known. */
  readonly known: MigrationNames;
  readonly logger: Logger;
};

const EVERY_MS = 30_000;
const MENDED_WITHIN_MS = 5_000;
/** The log names this many; the first ones say what has happened. */
const MAX_LINES = 20;

const RECORDED = `
  select array(select name from linkoteca_platform.migrations) as platform,
    array(select version from supabase_migrations.schema_migrations) as product
`;

/**
 * Keeps an eye on who may do what in the database. A restore, or a hand, can open it to visitors while everything works; the server
 * serves only while rights are what its migrations make.
 */
export function createRightsWatch({ db, known, logger }: RightsWatchOptions): RightsWatch {
  let difference: string | undefined = 'not compared yet';

  async function check(): Promise<void> {
    let found: readonly string[] | undefined;
    try {
      found = await findDifferences(db, known);
    } catch (error) {
      // What is known stays known while the database is away or too busy to say.
      if (!isRefusal(error)) return;
      found = [`missing: ${error.message}`];
    }
    // A newer copy has migrated: what it makes is not known here, and this copy goes on until it is replaced.
    if (found === undefined) {
      difference = undefined;
      return;
    }
    const before = difference;
    difference = found[0];
    if (difference !== undefined && difference !== before)
      logger.error(
        { differences: found.slice(0, MAX_LINES), count: found.length },
        'the rights in the database are not what the migrations make: nobody is served until they are',
      );
    if (difference === undefined && before !== undefined)
      logger.info('the rights in the database are as they should be');
  }

  return {
    difference: () => difference,
    check,
    againInMs: () => (difference === undefined ? EVERY_MS : MENDED_WITHIN_MS),
  };
}

/** Class 42 of SQLSTATE: a right that was taken, or a table that is not there. */
const isRefusal = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && (error.code ?? '').startsWith('42');

/** undefined where a newer version has migrated. */
async function findDifferences(db: Database, known: MigrationNames): Promise<readonly string[] | undefined> {
  return asServiceRole(db, 'compare rights', async (tx) => {
    const { missing, extra } = await compareRights({
      query: (text, values = []) => tx.query({ text, values }),
    });
    // Read last: a migration that was committed before the rights were read is recorded by now.
    const { rows } = await tx.query<{ platform: string[]; product: string[] }>({ text: RECORDED });
    const recorded = rows[0] ?? { platform: [], product: [] };
    if (findNewerMigration(recorded, known) !== undefined) return undefined;
    return [...extra.map((line) => `extra: ${line}`), ...missing.map((line) => `missing: ${line}`)];
  });
}
