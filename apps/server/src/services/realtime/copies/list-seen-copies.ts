import type { Row, Rows, Statement } from '../../../kernel/database.ts';

/** A session's name has room for it: Postgres keeps 63 bytes. */
const SESSION_NAME = 'linkoteca copy ';

export const sessionNameOf = (copyId: string): string => SESSION_NAME + copyId;

/** A copy's session as `pg_stat_activity` shows it. */
export type SeenCopy = { readonly copyId: string; readonly idleMs: number };

type SeenRow = { readonly name: string; readonly idle_ms: number };

/** The copies whose sessions the database holds open, this one included. A session ends with its process, however that ends. */
export async function listSeenCopies(
  query: <T extends Row>(statement: Statement) => Promise<Rows<T>>,
): Promise<readonly SeenCopy[]> {
  const { rows } = await query<SeenRow>({
    name: 'copies_seen',
    text: `select application_name as name,
        coalesce(extract(epoch from clock_timestamp() - greatest(state_change, query_start)) * 1000, 0)::float8 as idle_ms
      from pg_stat_activity
      where datname = current_database() and application_name like $1`,
    values: [`${SESSION_NAME}%`],
  });
  return rows.map(({ name, idle_ms }) => ({ copyId: name.slice(SESSION_NAME.length), idleMs: idle_ms }));
}
