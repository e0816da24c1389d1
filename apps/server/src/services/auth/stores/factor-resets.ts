import type { Transaction } from '../../../kernel/database.ts';

export type FactorReset = { readonly askedAt: Date; readonly readyAt: Date };

type Columns = { asked_at: Date; ready_at: Date };

/** What an account's owner waits for, if it is not so old that it has to be asked for anew. */
export async function findFactorReset(
  tx: Transaction,
  userId: string,
  askedSince: Date,
): Promise<FactorReset | undefined> {
  const { rows } = await tx.query<Columns>({
    name: 'auth_find_factor_reset',
    text: 'select asked_at, ready_at from auth.factor_resets where user_id = $1 and asked_at >= $2',
    values: [userId, askedSince],
  });
  const [row] = rows;
  return row && { askedAt: row.asked_at, readyAt: row.ready_at };
}

export async function insertFactorReset(
  tx: Transaction,
  userId: string,
  { askedAt, readyAt }: FactorReset,
): Promise<void> {
  await tx.query({
    name: 'auth_insert_factor_reset',
    text: `insert into auth.factor_resets (user_id, asked_at, ready_at) values ($1, $2, $3)
      on conflict (user_id) do update set asked_at = excluded.asked_at, ready_at = excluded.ready_at`,
    values: [userId, askedAt, readyAt],
  });
}

/** @returns whether there was one */
export async function deleteFactorReset(tx: Transaction, userId: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'auth_delete_factor_reset',
    text: 'delete from auth.factor_resets where user_id = $1',
    values: [userId],
  });
  return rowCount > 0;
}
