import { randomUUID } from 'node:crypto';
import { claimsOf } from '@linkoteca/test-kit/claims-of';
import type { ThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import type { TestUser } from '@linkoteca/test-kit/create-user';
import type pg from 'pg';

export type ActingProgram = {
  /** One statement in a transaction of its own. @throws pg.DatabaseError as Postgres raised it. */
  run<T extends pg.QueryResultRow = Record<string, unknown>>(
    text: string,
    ...values: unknown[]
  ): Promise<pg.QueryResult<T>>;
  /** The same, as a part of that call of a tool. */
  runIn(call: string, text: string, ...values: unknown[]): Promise<pg.QueryResult>;
};

/** A personal token of somebody's with this name, and what acts with it as the table API would. */
export async function createProgram(
  database: ThrowawayDatabase,
  person: TestUser,
  name = 'Robô',
  scopes = 'links:write',
): Promise<ActingProgram> {
  const session = randomUUID();
  await database.admin.query(
    `insert into auth.sessions (id, user_id, created_at, updated_at, scopes) values ($1, $2, now(), now(), $3)`,
    [session, person.id, scopes],
  );
  await database.admin.query(
    `insert into auth.personal_tokens (session_id, user_id, name, token_hash) values ($1, $2, $3, $4)`,
    [session, person.id, name, randomUUID()],
  );
  const claims = JSON.stringify({ ...claimsOf(person), session_id: session });
  async function query<T extends pg.QueryResultRow>(call: string, text: string, values: unknown[]) {
    const client = await database.callers.connect();
    try {
      await client.query('begin');
      await client.query(
        `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true),
           set_config('search_path', 'public', true), set_config('linkoteca.act', $2, true)`,
        [claims, call],
      );
      const result = await client.query<T>(text, values);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  }
  return {
    run: (text, ...values) => query('', text, values),
    runIn: (call, text, ...values) => query(call, text, values),
  };
}
