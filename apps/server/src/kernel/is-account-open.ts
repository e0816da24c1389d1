import type { Caller } from './caller.ts';
import { type Database, queryAsCaller } from './database.ts';

/**
 * Whether the account that a token speaks for is open. The database's policies ask the same; this is for what does not
 * go there.
 * @throws pg.DatabaseError when it cannot be asked.
 */
export async function isAccountOpen(db: Database, caller: Caller): Promise<boolean> {
  const { rows } = await queryAsCaller<{ readonly open: boolean }>(
    db,
    caller,
    { name: 'is_account_open', text: 'select private.is_account_open() as open' },
    { readOnly: true },
  );
  return rows[0]?.open === true;
}
