import type { ThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';

export type Restored = { readonly folders: number; readonly categories: number; readonly links: number };

export const NOTHING: Restored = { folders: 0, categories: 0, links: 0 };

/** Calls the function of the same name. @throws pg.DatabaseError as Postgres refused it. */
export async function undoDeletion(
  database: ThrowawayDatabase,
  caller: TestCaller,
  kind: string,
  ids: readonly string[],
): Promise<Restored | undefined> {
  const { rows } = await queryAs<{ restored: Restored }>(
    database,
    caller,
    `select undo_deletion($1, $2) as restored`,
    [kind, ids],
  );
  return rows[0]?.restored;
}
