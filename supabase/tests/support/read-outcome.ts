import type { ThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import pg from 'pg';

/** What a statement came to: the rows it returned or changed, or the SQLSTATE it was refused with. */
export type Outcome =
  | { readonly rows: number }
  | { readonly code: string; readonly constraint?: string; readonly hint?: string };

/** Runs a statement as the caller; a refusal by Postgres is a value, any other fault is thrown. */
export async function readOutcome(
  database: ThrowawayDatabase,
  caller: TestCaller,
  text: string,
  values: readonly unknown[] = [],
): Promise<Outcome> {
  try {
    const { rowCount } = await queryAs(database, caller, text, values);
    return { rows: rowCount ?? 0 };
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    return {
      code: error.code ?? '',
      ...(error.constraint === undefined ? {} : { constraint: error.constraint }),
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    };
  }
}
