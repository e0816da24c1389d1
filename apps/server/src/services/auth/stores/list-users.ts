import type { Transaction } from '../../../kernel/database.ts';
import { SELECT_USER, type UserRow } from './user-row.ts';

export type UserPage = { readonly users: UserRow[]; readonly total: number };

/** Lists accounts by age. `filter` is text that the address or the full name contains, whatever its case. */
export async function listUsers(
  tx: Transaction,
  page: {
    readonly filter: string;
    readonly newestFirst: boolean;
    readonly limit: number;
    readonly offset: number;
  },
): Promise<UserPage> {
  const pattern = `%${page.filter.replace(/[\\%_]/g, '\\$&')}%`;
  const condition = `($1 = '%%' or u.email ilike $1 or u.raw_user_meta_data ->> 'full_name' ilike $1)`;
  const direction = page.newestFirst ? 'desc' : 'asc';
  const { rows: users } = await tx.query<UserRow>({
    text: `${SELECT_USER} where ${condition}
      order by u.created_at ${direction}, u.id ${direction} limit $2 offset $3`,
    values: [pattern, page.limit, page.offset],
  });
  const { rows } = await tx.query<{ total: number }>({
    text: `select count(*)::int as total from auth.users u where ${condition}`,
    values: [pattern],
  });
  return { users, total: rows[0]?.total ?? 0 };
}
