import type pg from 'pg';
import { claimsOf } from './claims-of.ts';
import type { ThrowawayDatabase } from './create-throwaway-database.ts';
import type { TestUser } from './create-user.ts';

/** A signed-in user, a visitor without an account, or the server's own functions. */
export type TestCaller = TestUser | 'anon' | 'service_role';

/**
 * Runs one statement as the table API would: logged in as `authenticator`, in a transaction with the caller's role and
 * claims, committed when it succeeds.
 * @throws pg.DatabaseError as Postgres raised it.
 */
export async function queryAs<T extends pg.QueryResultRow = Record<string, unknown>>(
  database: Pick<ThrowawayDatabase, 'callers'>,
  caller: TestCaller,
  text: string,
  values: readonly unknown[] = [],
): Promise<pg.QueryResult<T>> {
  const client = await database.callers.connect();
  const role = typeof caller === 'string' ? caller : 'authenticated';
  const claims = typeof caller === 'string' ? { role: caller } : claimsOf(caller);
  try {
    await client.query('begin');
    await client.query(
      `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
         set_config('search_path', 'public', true)`,
      [role, JSON.stringify(claims)],
    );
    const result = await client.query<T>(text, [...values]);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}
