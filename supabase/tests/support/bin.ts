import type { ThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';

/** A line of the bin, as the function of the same name answers it. */
export type BinEntry = {
  readonly id: string;
  readonly item_type: string;
  readonly name: string;
  readonly folder_count: number;
  readonly category_count: number;
  readonly link_count: number;
  readonly folder_name: string | null;
  readonly category_name: string | null;
  readonly deleted_at: Date;
  readonly purge_after: Date;
};

export async function listBin(
  database: ThrowawayDatabase,
  caller: TestCaller,
  before: string | null = null,
  max = 50,
): Promise<readonly BinEntry[]> {
  const { rows } = await queryAs<BinEntry>(database, caller, 'select * from list_bin($1, $2)', [before, max]);
  return rows;
}

/** Calls the function of the same name. @throws pg.DatabaseError as Postgres refused it. */
export async function restoreFromBin(
  database: ThrowawayDatabase,
  caller: TestCaller,
  id: string | undefined,
  place: string | null = null,
): Promise<unknown> {
  const { rows } = await queryAs<{ restored: unknown }>(
    database,
    caller,
    'select restore_from_bin($1, $2) as restored',
    [id, place],
  );
  return rows[0]?.restored;
}

/** As if everything in the person's bin had been deleted so much earlier. */
export function ageBin({ admin }: ThrowawayDatabase, { id }: { readonly id: string }, by: string) {
  return admin.query(
    `update private.deletions set deleted_at = deleted_at - $2::interval, purge_after = purge_after - $2::interval
     where user_id = $1`,
    [id, by],
  );
}
